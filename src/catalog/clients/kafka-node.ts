import { defineLibrary, type Registration, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };
/** `options` is where the constructor takes them. */
const listener = (event: string, options: number): Registration[] => {
  const registration = { handler: '1', params: ['Message'], ignoresPromise: true };
  return [
    { ...registration, when: [{ arg: '0', is: [event] }, { arg: `this.${options}.autoCommit`, is: [false] }], acknowledgement: 'explicit' },
    { ...registration, when: { arg: '0', is: [event] }, acknowledgement: 'on-delivery' },
  ];
};
const consumer = (options: number): Shape => ({
  members: {
    on: { call: { registers: listener('message', options), returns: 'this' } },
    commit: { call: { settles: { as: 'ack', upTo: true }, nodeCallback: true } },
    ...alike<Shape>('setOffset pause resume pauseTopics resumeTopics close addTopics removeTopics', { call: {} }),
  },
});
const stream = (options: number): Shape => ({
  members: {
    on: { call: { registers: listener('data', options), returns: 'this' } },
    commit: { call: { settles: { as: 'ack', message: '0', upTo: true }, nodeCallback: true } },
    close: nothing,
  },
});
const producer: Shape = { members: { send: { call: { effect: { kind: 'external', content: '0' }, nodeCallback: true } }, on: { call: { returns: 'this' } }, createTopics: nothing, close: nothing } };

/**
 * kafka-node 5.0.0 (README.md, types/index.d.ts), abandoned; `HighLevelConsumer` went with version 4. Fetched offsets are
 * committed every five seconds, whatever the listener does; with `autoCommit: false` (default true) only `commit` does it.
 */
export default defineLibrary({
  name: 'kafka-node',
  packages: ['kafka-node'],
  exports: {
    Consumer: { construct: { returns: 'Consumer' } },
    HighLevelConsumer: { construct: { returns: 'HighLevelConsumer' } },
    ConsumerGroup: { construct: { returns: 'ConsumerGroup' } },
    ConsumerStream: { construct: { returns: 'ConsumerStream' } },
    ConsumerGroupStream: { construct: { returns: 'ConsumerGroupStream' } },
    Producer: { construct: { returns: 'Producer' } },
    HighLevelProducer: { construct: { returns: 'Producer' } },
    KafkaClient: { construct: {} },
  },
  types: {
    Consumer: consumer(2),
    HighLevelConsumer: consumer(2),
    ConsumerGroup: consumer(0),
    ConsumerStream: stream(2),
    ConsumerGroupStream: stream(0),
    Producer: producer,
    HighLevelProducer: producer,
    Message: { message: true, members: { value: stable, key: stable, topic: stable, offset: stored, partition: stored, highWaterOffset: { stability: 'delivery' } } },
  },
});
