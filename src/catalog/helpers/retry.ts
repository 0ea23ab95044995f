import { defineLibrary, type Shape } from '../schema.js';

/** Calls the function again when it fails: one call as far as success goes, and whatever it did before failing is done again. */
const first: Shape = { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } };

/** p-retry 7, async-retry 1.3, promise-retry 2, exponential-backoff 3.1, ts-retry-promise. */
export default defineLibrary({
  name: 'p-retry',
  packages: ['p-retry', 'async-retry', 'promise-retry', 'exponential-backoff', 'ts-retry-promise', '@lifeomic/attempt', 'retry-as-promised'],
  exports: {
    default: first,
    backOff: first,
    retry: first,
    retryAsync: first,
    makeRetriable: { call: { returns: '0' } },
    AbortError: { construct: {} },
  },
});
