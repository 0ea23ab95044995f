import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };
const listener = (event: string): Registration => ({
  handler: '1',
  when: { arg: '0', is: [event] },
  params: ['Message'],
  acknowledgement: 'on-delivery',
  ignoresPromise: true,
});
const consumer: Shape = {
  members: {
    on: { call: { registers: listener('message'), returns: 'this' } },
    commit: { call: { settles: { as: 'ack', upTo: true }, nodeCallback: true } },
    setOffset: nothing,
    pause: nothing,
    resume: nothing,
    close: nothing,
    addTopics: nothing,
  },
};
const stream: Shape = {
  members: {
    on: { call: { registers: listener('data'), returns: 'this' } },
    commit: { call: { settles: { as: 'ack', message: '0', upTo: true }, nodeCallback: true } },
    close: nothing,
  },
};
const producer: Shape = { members: { send: { call: { effect: { kind: 'external', content: '0' }, nodeCallback: true } }, on: { call: { returns: 'this' } }, createTopics: nothing, close: nothing } };

/** kafka-node 5.0.0 (types/index.d.ts), abandoned. Fetched offsets are committed every five seconds, whatever the listener does. */
export default defineLibrary({
  name: 'kafka-node',
  packages: ['kafka-node'],
  exports: {
    Consumer: { construct: { returns: 'Consumer' } },
    ConsumerGroup: { construct: { returns: 'ConsumerGroup' } },
    ConsumerStream: { construct: { returns: 'ConsumerStream' } },
    ConsumerGroupStream: { construct: { returns: 'ConsumerGroupStream' } },
    Producer: { construct: { returns: 'Producer' } },
    HighLevelProducer: { construct: { returns: 'Producer' } },
    KafkaClient: { construct: {} },
  },
  types: {
    Consumer: consumer,
    ConsumerGroup: consumer,
    ConsumerStream: stream,
    ConsumerGroupStream: stream,
    Producer: producer,
    HighLevelProducer: producer,
    Message: { message: true, members: { value: stable, key: stable, topic: stable, offset: stored, partition: stored, highWaterOffset: { stability: 'delivery' } } },
  },
});
