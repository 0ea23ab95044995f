import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** @supercharge/promise-pool 3: errors are collected into the result, unless `handleError` throws them on. */
export default defineLibrary({
  name: '@supercharge/promise-pool',
  packages: ['@supercharge/promise-pool'],
  exports: {
    PromisePool: { construct: { returns: 'PromisePool' }, members: alike<Shape>('for withConcurrency withTaskTimeout', { call: { returns: 'PromisePool' } }) },
    default: { construct: { returns: 'PromisePool' }, members: alike<Shape>('for withConcurrency withTaskTimeout', { call: { returns: 'PromisePool' } }) },
  },
  types: {
    PromisePool: {
      members: {
        ...alike<Shape>('for withConcurrency withTaskTimeout handleError onTaskStarted onTaskFinished useCorrespondingResults', { call: { returns: 'this' } }),
        process: {
          call: {
            runs: [{ function: '0', times: 'many', promise: 'awaited', errors: 'swallow' }],
            effect: { kind: 'read', negligible: true, partialFailureIn: 'errors' },
          },
        },
      },
    },
  },
});
