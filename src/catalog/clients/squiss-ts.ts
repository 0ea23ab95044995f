import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };

/**
 * squiss-ts 5.6.0 (dist/Squiss.d.ts, dist/Message.d.ts). Nobody waits for the listener; `del` deletes in batches, some time
 * later. A message that is left alone comes again when its visibility timeout ends.
 */
export default defineLibrary({
  name: 'squiss-ts',
  packages: ['squiss-ts'],
  exports: { Squiss: { construct: { returns: 'Squiss' } } },
  types: {
    Squiss: {
      members: {
        on: {
          call: { registers: { handler: '1', when: { arg: '0', is: ['message'] }, params: ['Message'], acknowledgement: 'explicit', ignoresPromise: true }, returns: 'this' },
        },
        deleteMessage: { call: { settles: { as: 'ack', message: '0' } } },
        releaseMessage: { call: { settles: { as: 'nack', message: '0' } } },
        sendMessage: { call: { effect: { kind: 'external', content: ['0', '2'] } } },
        sendMessages: { call: { effect: { kind: 'external', content: ['0', '2'] } } },
        changeMessageVisibility: nothing,
        handledMessage: nothing,
        createQueue: nothing,
        deleteQueue: nothing,
        start: nothing,
        stop: nothing,
      },
    },
    Message: {
      message: true,
      members: {
        body: stable,
        attributes: stable,
        subject: stable,
        topicArn: stable,
        topicName: stable,
        raw: '@aws-sdk/client-sqs#Message',
        sqsAttributes: { stability: 'delivery', members: { MessageDeduplicationId: stable, MessageGroupId: stable, SequenceNumber: { stability: 'broker-stable' } } },
        del: { call: { settles: { as: 'ack', message: 'this' } } },
        release: { call: { settles: { as: 'nack', message: 'this' } } },
        keep: nothing,
        changeVisibility: nothing,
        isHandled: nothing,
      },
    },
  },
});
