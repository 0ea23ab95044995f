import { defineLibrary, type Registration } from '../schema.js';

const handler: Registration = { handler: 'decorated', params: ['@aws-sdk/client-sqs#Message'], acknowledgement: 'on-return' };

/**
 * @ssut/nestjs-sqs 3.0.1 (dist/sqs.decorators.d.ts), over sqs-consumer 11: what a handler returns without an error is deleted.
 * The decorator's second argument makes it a handler of a list.
 */
export default defineLibrary({
  name: '@ssut/nestjs-sqs',
  packages: ['@ssut/nestjs-sqs', '@nestjs-packages/sqs'],
  exports: {
    SqsMessageHandler: {
      decorator: [{ ...handler, when: { arg: '1', is: [true] }, params: [{ batch: true, element: '@aws-sdk/client-sqs#Message' }] }, handler],
    },
  },
});
