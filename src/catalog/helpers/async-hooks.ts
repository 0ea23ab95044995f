import { defineLibrary } from '../schema.js';

/** node:async_hooks. */
export default defineLibrary({
  name: 'node:async_hooks',
  packages: ['node:async_hooks', 'async_hooks'],
  exports: {
    AsyncLocalStorage: { construct: { returns: 'AsyncLocalStorage' }, members: { bind: { call: { returns: '0' } } } },
    AsyncResource: { members: { bind: { call: { returns: '0' } } } },
  },
  types: {
    AsyncLocalStorage: {
      members: {
        run: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } },
        exit: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } },
        enterWith: { call: {} },
        getStore: { call: {} },
      },
    },
  },
});
