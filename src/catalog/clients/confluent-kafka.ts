import { defineLibrary, type Shape } from '../schema.js';
import kafkajs from './kafkajs.js';
import rdkafka from './node-rdkafka.js';

const KafkaJS: Shape = { members: { Kafka: { construct: { returns: 'Kafka' } } } };

/**
 * @confluentinc/kafka-javascript 1.10.1: KafkaJS-style under `KafkaJS`, node-rdkafka-style on the top level and `RdKafka`.
 * `autoCommit` is an option of the consumer's constructor (in `run` it throws); offsets are stored after the handler resolved.
 */
export default defineLibrary({
  name: '@confluentinc/kafka-javascript',
  packages: ['@confluentinc/kafka-javascript'],
  exports: { ...rdkafka.exports, KafkaJS, RdKafka: { members: rdkafka.exports } },
  types: {
    ...rdkafka.types,
    ...kafkajs.types,
    Kafka: {
      members: {
        consumer: { call: { returns: 'Consumer' } },
        producer: { call: { returns: 'Producer' } },
        admin: { call: { returns: 'Admin' } },
        logger: { call: {} },
      },
    },
    Consumer: {
      members: {
        ...kafkajs.types?.Consumer?.members,
        run: {
          call: {
            registers: [
              { handler: '0.eachMessage', params: ['EachMessagePayload'], acknowledgement: 'on-return' },
              { handler: '0.eachBatch', params: ['EachBatchPayload'], acknowledgement: 'on-return' },
            ],
          },
        },
      },
    },
    // One name for two producers: the KafkaJS style and the rdkafka style.
    Producer: { members: { ...rdkafka.types?.Producer?.members, ...kafkajs.types?.Producer?.members } },
  },
});
