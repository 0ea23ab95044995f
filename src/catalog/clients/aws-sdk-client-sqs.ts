import { defineLibrary, type Call, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };

/** What each operation does; the command object, the `SQS` class and v2's client take the same parameters. */
export const operations: Record<string, Call> = {
  receiveMessage: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: '@aws-sdk/client-sqs#ReceiveMessageResult' },
  deleteMessage: { settles: { as: 'ack', message: '0.ReceiptHandle' } },
  deleteMessageBatch: { settles: { as: 'ack', message: '0.Entries' } },
  // A timeout of 0 brings the message back at once; any other only extends (or shortens) the lease.
  changeMessageVisibility: { settles: { as: 'nack', message: '0.ReceiptHandle', when: { arg: '0.VisibilityTimeout', is: [0] } } },
  changeMessageVisibilityBatch: { settles: { as: 'nack', message: '0.Entries', when: { arg: '0.Entries.*.VisibilityTimeout', is: [0] } } },
  // The deduplication id exists on FIFO queues only, and lasts five minutes.
  sendMessage: { effect: { kind: 'external', key: '0.MessageDeduplicationId', keyIsCarried: true, keyIsContentWith: '0.MessageGroupId', content: ['0.MessageBody', '0.MessageAttributes'] } },
  sendMessageBatch: { effect: { kind: 'external', key: '0.Entries.*.MessageDeduplicationId', keyIsCarried: true, keyIsContentWith: '0.Entries.*.MessageGroupId', content: '0.Entries', partialFailureIn: 'Failed' } },
  createQueue: { effect: { kind: 'external', idempotentBy: '0.QueueName' } },
  deleteQueue: { effect: { kind: 'external', idempotentBy: '0.QueueUrl' } },
  purgeQueue: { effect: { kind: 'external', idempotentBy: '0.QueueUrl' } },
  setQueueAttributes: { effect: { kind: 'external', idempotentBy: '0.QueueUrl' } },
  startMessageMoveTask: { effect: { kind: 'external' } },
  getQueueUrl: { effect: { kind: 'read' } },
  getQueueAttributes: { effect: { kind: 'read' } },
  listQueues: { effect: { kind: 'read' } },
};

const commands = Object.fromEntries(
  Object.entries(operations).map(([name, call]): [string, Shape] => [
    `${name.charAt(0).toUpperCase()}${name.slice(1)}Command`,
    { construct: { returns: { command: call } } },
  ]),
);
const methods = Object.fromEntries(Object.entries(operations).map(([name, call]): [string, Shape] => [name, { call: { ...call, nodeCallback: true } }]));

const send: Shape = { call: { sends: '0', nodeCallback: true } };
const destroy: Shape = { call: {} };
const result: Shape = { members: { Messages: { batch: true, element: 'Message' } } };

/** @aws-sdk/client-sqs 3.1175.0 (dist-types/commands, dist-types/models). */
export default defineLibrary({
  name: '@aws-sdk/client-sqs',
  packages: ['@aws-sdk/client-sqs'],
  exports: {
    ...commands,
    SQSClient: { construct: { returns: 'SQSClient' } },
    SQS: { construct: { returns: 'SQS' } },
  },
  types: {
    SQSClient: { extendable: true, members: { send, destroy } },
    SQS: { extendable: true, members: { ...methods, send, destroy } },
    ReceiveMessageResult: result,
    ReceiveMessageCommandOutput: result,
    Message: {
      message: true,
      members: {
        Body: stable,
        MessageAttributes: stable,
        MD5OfBody: stable,
        MessageId: stored,
        ReceiptHandle: { stability: 'delivery' },
        Attributes: {
          stability: 'delivery',
          members: { MessageDeduplicationId: stable, MessageGroupId: stable, SenderId: stable, SequenceNumber: stored, SentTimestamp: stored },
        },
      },
    },
  },
});
