import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
const queue: Shape = { members: { send: { call: { effect: { kind: 'external', content: '0' } } }, sendBatch: { call: { effect: { kind: 'external', content: '0' } } } } };
const batch: Shape = {
  eventType: { handler: 'decorated', acknowledgement: 'on-return' },
  members: {
    messages: { batch: true, element: 'Message' },
    queue: { stability: 'constant' },
    ackAll: { call: { settles: { as: 'ack', upTo: true } } },
    retryAll: { call: { settles: { as: 'nack', upTo: true } } },
  },
};
const message: Shape = {
  message: true,
  members: {
    body: stable,
    id: { stability: 'broker-stable' },
    timestamp: { stability: 'broker-stable' },
    attempts: { stability: 'delivery' },
    ack: { call: { settles: { as: 'ack', message: 'this' } } },
    retry: { call: { settles: { as: 'nack', message: 'this' } } },
  },
};
const consumer: Shape = { handlerType: { handler: 'decorated', params: ['MessageBatch'], acknowledgement: 'on-return' } };
const worker: Shape = { handlerType: { handler: '0.queue', params: ['MessageBatch'], acknowledgement: 'on-return' } };
const context: Shape = { members: { waitUntil: nothing, passThroughOnException: nothing } };

/**
 * @cloudflare/workers-types 5.20261117.1 (index.d.ts). The types are ambient; the handler is the method `queue` of the default
 * export or of a `WorkerEntrypoint`. Its promise acknowledges what `ack` and `retry` have not settled.
 */
export default defineLibrary({
  name: '@cloudflare/workers-types',
  packages: ['@cloudflare/workers-types', '@cloudflare/workers-types/*', 'cloudflare:workers'],
  exports: {
    WorkerEntrypoint: {
      extendable: true,
      baseClass: { method: 'queue', registers: { handler: 'decorated', params: ['MessageBatch'], acknowledgement: 'on-return' } },
    },
  },
  types: { MessageBatch: batch, Message: message, Queue: queue, ExecutionContext: context, ExportedHandler: worker, ExportedHandlerQueueHandler: consumer },
  globals: { MessageBatch: 'MessageBatch' },
  globalTypes: { MessageBatch: 'MessageBatch', ExportedHandler: worker, ExportedHandlerQueueHandler: consumer },
});
