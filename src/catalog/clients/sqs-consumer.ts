import { defineLibrary, type Call, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const consume: Call = {
  registers: [
    { handler: '0.handleMessageBatch', params: [{ batch: true, element: '@aws-sdk/client-sqs#Message' }], acknowledgement: 'on-return' },
    { handler: '0.handleMessage', params: ['@aws-sdk/client-sqs#Message'], acknowledgement: 'on-return' },
  ],
  returns: 'Consumer',
};

/**
 * sqs-consumer 14.2.8 and 15 (dist/esm/types.d.ts, consumer.js). What is returned is deleted: up to version 13 also after
 * `return undefined`, since 14.0.1 only the message (or the list of messages) that the handler gives back.
 */
export default defineLibrary({
  name: 'sqs-consumer',
  packages: ['sqs-consumer'],
  exports: { Consumer: { construct: consume, members: { create: { call: consume } } } },
  types: {
    Consumer: {
      members: { start: nothing, stop: nothing, updateOption: nothing, on: { call: { returns: 'this' } }, once: { call: { returns: 'this' } } },
    },
  },
});
