import { defineLibrary, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
/** Takes no argument: `ack(error)` acknowledges too. */
const ack: Shape = { call: { settles: { as: 'ack' } } };

/**
 * @dojot/microservice-sdk 0.1.15 (lib/kafka/Consumer.js, README.md): node-rdkafka with commits of its own. A callback that
 * throws is called again at once; its message is committed all the same, unless `commit.on.failure` is false. With
 * `enable.async.commit` the callback gets `ack`, and the offset waits for it.
 */
export default defineLibrary({
  name: '@dojot/microservice-sdk',
  packages: ['@dojot/microservice-sdk'],
  exports: {
    Kafka: {
      members: {
        Consumer: { construct: { returns: 'Consumer' }, extendable: true },
        Producer: { construct: { returns: 'Producer' }, extendable: true },
      },
    },
    Logger: { construct: { returns: 'Logger' } },
    ConfigManager: { anyMember: nothing },
    WebUtils: {},
    ServiceStateManager: { construct: { returns: 'ServiceStateManager' } },
  },
  types: {
    Consumer: {
      members: {
        registerCallback: { call: { registers: { handler: '1', params: ['node-rdkafka#Message', ack], acknowledgement: 'on-return', callbackParam: 1 } } },
        unregisterCallback: nothing,
        init: nothing,
        getStatus: nothing,
        finish: nothing,
        on: nothing,
      },
    },
    Producer: { members: { produce: { call: { effect: { kind: 'external' } } }, connect: nothing, disconnect: nothing, getStatus: nothing } },
    Logger: { anyMember: nothing },
    ServiceStateManager: { anyMember: nothing },
  },
});
