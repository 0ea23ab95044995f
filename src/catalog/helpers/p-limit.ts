import { defineLibrary } from '../schema.js';

/** p-limit 7: `limit(fn)` resolves with the function's own promise, once there is room. */
export default defineLibrary({
  name: 'p-limit',
  packages: ['p-limit'],
  exports: {
    default: { call: { returns: 'LimitFunction' } },
    limitFunction: { call: { returns: '0' } },
  },
  types: {
    LimitFunction: {
      call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] },
      members: { map: { call: { runs: [{ function: '1', times: 'many', over: '0', promise: 'awaited' }] } }, clearQueue: { call: {} } },
    },
  },
});
