import { defineLibrary, type Registration, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** The record handler is the consumer: a throw in it makes that record alone come again. */
const registers = (handler: string): Registration => ({
  handler,
  params: ['BatchRecord', 'aws-lambda#Context'],
  acknowledgement: 'on-return',
  redeliversOnThrow: true,
});
const process: Shape = { call: { registers: registers('1') } };

/**
 * @aws-lambda-powertools/batch 2.35. One processor serves SQS, Kinesis and DynamoDB streams, so a record is any of the three.
 * With a FIFO queue the records behind a failed one count as failed as well.
 */
export default defineLibrary({
  name: '@aws-lambda-powertools/batch',
  packages: ['@aws-lambda-powertools/batch'],
  exports: {
    ...alike('processPartialResponse processPartialResponseSync', process),
    ...alike<Shape>('BatchProcessor BatchProcessorSync SqsFifoPartialProcessor SqsFifoPartialProcessorAsync', { construct: { returns: 'BatchProcessor' } }),
  },
  types: {
    BatchProcessor: { extendable: true, members: { register: process, process: { call: {} }, processSync: { call: {} }, response: { call: {} } } },
    BatchRecord: {
      message: true,
      members: {
        body: { stability: 'producer-stable' },
        messageAttributes: { stability: 'producer-stable' },
        messageId: { stability: 'broker-stable' },
        receiptHandle: { stability: 'delivery' },
        attributes: {
          stability: 'delivery',
          members: { MessageDeduplicationId: { stability: 'producer-stable' }, SentTimestamp: { stability: 'broker-stable' } },
        },
        kinesis: 'aws-lambda#KinesisStreamRecordPayload',
        dynamodb: 'aws-lambda#StreamRecord',
        eventID: { stability: 'broker-stable' },
        eventName: { stability: 'producer-stable' },
      },
    },
  },
});
