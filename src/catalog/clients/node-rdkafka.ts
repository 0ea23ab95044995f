import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };

const stream: Shape = { call: { returns: 'ConsumerStream' } };

/**
 * node-rdkafka 3.6.1 (index.d.ts). `enable.auto.commit` and `enable.auto.offset.store` are true by default: the offset is
 * stored when the record is handed to JavaScript, before any awaited work. With auto-commit off the commit is explicit.
 */
export default defineLibrary({
  name: 'node-rdkafka',
  packages: ['node-rdkafka'],
  exports: {
    KafkaConsumer: { construct: { returns: 'KafkaConsumer' }, members: { createReadStream: stream } },
    Producer: { construct: { returns: 'Producer' } },
    HighLevelProducer: { construct: { returns: 'Producer' } },
    createReadStream: stream,
  },
  types: {
    KafkaConsumer: {
      members: {
        on: { call: { registers: { handler: '1', when: { arg: '0', is: ['data'] }, params: ['Message'], acknowledgement: 'on-delivery', ignoresPromise: true } } },
        consume: {
          call: {
            registers: { handler: ['1', '0'], params: [{}, { message: true, batch: true, element: 'Message', members: messageMembers() }], acknowledgement: 'on-delivery', ignoresPromise: true },
          },
        },
        commit: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        commitSync: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        commitMessage: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        commitMessageSync: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        offsetsStore: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        connect: nothing,
        disconnect: nothing,
        subscribe: nothing,
        unsubscribe: nothing,
        assign: nothing,
        pause: nothing,
        resume: nothing,
        seek: nothing,
        setDefaultConsumeTimeout: nothing,
      },
    },
    ConsumerStream: {
      batch: true,
      element: 'Message',
      members: {
        on: { call: { registers: { handler: '1', when: { arg: '0', is: ['data'] }, params: ['Message'], acknowledgement: 'on-delivery', ignoresPromise: true } } },
        consumer: 'KafkaConsumer',
        close: nothing,
      },
    },
    Producer: {
      members: {
        // `produce(topic, partition, message, key, timestamp, opaque, headers)`: queued, the delivery report comes later.
        produce: { call: { effect: { kind: 'external', content: ['2', '3', '6'] }, sync: true } },
        beginTransaction: { call: { transaction: { begins: 'receiver', broker: true }, nodeCallback: true } },
        commitTransaction: { call: { transaction: { ends: 'commit', broker: true }, nodeCallback: true } },
        abortTransaction: { call: { transaction: { ends: 'rollback', broker: true }, nodeCallback: true } },
        sendOffsetsToTransaction: { call: { settles: { as: 'ack', message: '0', upTo: true }, nodeCallback: true } },
        initTransactions: nothing,
        connect: nothing,
        disconnect: nothing,
        flush: nothing,
        poll: nothing,
        setPollInterval: nothing,
        on: nothing,
      },
    },
    Message: { message: true, members: messageMembers() },
  },
});

function messageMembers(): Record<string, Shape> {
  return { value: stable, key: stable, headers: stable, topic: stable, offset: stored, partition: stored, timestamp: stored, size: stored };
}
