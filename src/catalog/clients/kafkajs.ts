import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };

/** `eachMessage` and `eachBatch` are found nowhere else. */
const run: Shape = {
  call: {
    registers: [
      { handler: '0.eachMessage', when: { arg: '0.autoCommit', is: [false] }, params: ['EachMessagePayload'], acknowledgement: 'explicit' },
      { handler: '0.eachMessage', params: ['EachMessagePayload'], acknowledgement: 'on-return' },
      { handler: '0.eachBatch', when: { arg: '0.autoCommit', is: [false] }, params: ['EachBatchPayload'], acknowledgement: 'explicit' },
      { handler: '0.eachBatch', params: ['EachBatchPayload'], acknowledgement: 'on-return' },
    ],
  },
};

/** Messages carry no key of their own: a record's id travels in its value or headers. */
const send: Shape = { call: { effect: { kind: 'external', content: ['0.messages', '0.topicMessages'] } } };

/**
 * kafkajs 2.2.4 (types/index.d.ts). `autoCommit` (default true) is an option of `run`; with false only `commitOffsets`
 * acknowledges. If both callbacks are given, `eachMessage` is the one that runs.
 */
export default defineLibrary({
  name: 'kafkajs',
  packages: ['kafkajs'],
  distinctive: { methods: { run }, anywhere: true },
  exports: { Kafka: { construct: { returns: 'Kafka' } } },
  types: {
    Kafka: {
      members: {
        consumer: { call: { returns: 'Consumer' } },
        producer: { call: { returns: 'Producer' } },
        admin: { call: { returns: 'Admin' } },
        logger: nothing,
      },
    },
    Consumer: {
      members: {
        run,
        // The offset is the next one to read: everything before it is done.
        commitOffsets: { call: { settles: { as: 'ack', message: '0.*.offset', upTo: true } } },
        connect: nothing,
        disconnect: nothing,
        subscribe: nothing,
        stop: nothing,
        pause: nothing,
        resume: nothing,
        seek: nothing,
        on: nothing,
        logger: nothing,
      },
    },
    Producer: {
      members: {
        send,
        sendBatch: send,
        transaction: { call: { returns: 'Transaction', transaction: { begins: 'result', broker: true } } },
        connect: nothing,
        disconnect: nothing,
        on: nothing,
        isIdempotent: nothing,
      },
    },
    Transaction: {
      connection: true,
      members: {
        send,
        sendBatch: send,
        sendOffsets: { call: { settles: { as: 'ack', message: '0.topics', upTo: true } } },
        commit: { call: { transaction: { ends: 'commit', broker: true } } },
        abort: { call: { transaction: { ends: 'rollback', broker: true } } },
        isActive: nothing,
      },
    },
    Admin: {
      members: {
        createTopics: { call: { effect: { kind: 'external', idempotentBy: '0.topics' } } },
        deleteTopics: { call: { effect: { kind: 'external', idempotentBy: '0.topics' } } },
        setOffsets: { call: { effect: { kind: 'external', idempotentBy: '0.topic' } } },
        connect: nothing,
        disconnect: nothing,
      },
      anyMember: { call: { effect: { kind: 'read' } } },
    },
    KafkaMessage: {
      message: true,
      members: { key: stable, value: stable, headers: stable, timestamp: stored, offset: stored, attributes: stored, size: stored },
    },
    EachMessagePayload: {
      eventType: { handler: 'decorated', acknowledgement: 'on-return' },
      members: { topic: stable, partition: stored, message: 'KafkaMessage', heartbeat: nothing, pause: { call: { returns: { call: {} } } } },
    },
    EachBatchPayload: {
      eventType: { handler: 'decorated', acknowledgement: 'on-return' },
      members: {
        batch: 'Batch',
        resolveOffset: { call: { settles: { as: 'ack', message: '0', upTo: true } } },
        // Commits what has been resolved, nothing more: no acknowledgement of its own.
        commitOffsetsIfNecessary: nothing,
        heartbeat: nothing,
        pause: { call: { returns: { call: {} } } },
        uncommittedOffsets: nothing,
        isRunning: nothing,
        isStale: nothing,
      },
    },
    Batch: {
      members: {
        topic: stable,
        partition: stored,
        highWatermark: stored,
        messages: { batch: true, element: 'KafkaMessage' },
        firstOffset: { call: { returns: stored } },
        lastOffset: { call: { returns: stored } },
        isEmpty: nothing,
      },
    },
    EachMessageHandler: { handlerType: { handler: 'decorated', params: ['EachMessagePayload'], acknowledgement: 'on-return' } },
    EachBatchHandler: { handlerType: { handler: 'decorated', params: ['EachBatchPayload'], acknowledgement: 'on-return' } },
  },
});
