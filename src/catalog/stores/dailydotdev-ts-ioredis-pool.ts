import { defineLibrary } from '../schema.js';

/** @dailydotdev/ts-ioredis-pool 1.0: a pool of clients of ioredis, each lent to a function. */
export default defineLibrary({
  name: '@dailydotdev/ts-ioredis-pool',
  packages: ['@dailydotdev/ts-ioredis-pool'],
  exports: { IORedisPool: { construct: { returns: 'IORedisPool' } } },
  types: {
    IORedisPool: {
      members: {
        execute: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['ioredis#Redis'], returns: true }] } },
        getConnection: { call: { returns: 'ioredis#Redis' } },
        release: { call: {} },
        end: { call: {} },
      },
    },
  },
});
