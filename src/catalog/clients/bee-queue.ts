import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
const done: Shape = { call: { settles: { as: 'callback' } } };
const queue: Shape = { construct: { returns: 'Queue' }, call: { returns: 'Queue' } };

/**
 * bee-queue 2.0.0 (index.d.ts, lib/queue.js: the handler goes through `wrapAsync`, which gives an async function no
 * `done`). Jobs are made in a chain that `save` sends; `setId` in the chain is their key.
 */
export default defineLibrary({
  name: 'bee-queue',
  packages: ['bee-queue'],
  exports: { default: queue },
  types: {
    Queue: {
      members: {
        process: { call: { registers: { handler: ['1', '0'], params: ['Job', done], acknowledgement: 'on-return', callbackParam: 1, asyncByPromise: true, heldUntil: 'for as long as this process runs' } } },
        createJob: { call: { returns: 'NewJob' } },
        saveAll: { call: { effect: { kind: 'external' } } },
        getJob: { call: { effect: { kind: 'read' }, returns: 'Job' } },
        getJobs: { call: { effect: { kind: 'read' } } },
        on: { call: { returns: 'this', runs: [{ function: '1', times: 'many', promise: 'detached' }] } },
        ready: nothing,
        close: nothing,
        destroy: nothing,
        checkStalledJobs: nothing,
        checkHealth: nothing,
        removeJob: nothing,
      },
    },
    NewJob: {
      members: { save: { call: { effect: { kind: 'external' }, returns: 'Job' } }, id: { stability: 'broker-stable' }, data: stable },
      anyMember: { call: { returns: 'this' } },
    },
    Job: {
      message: true,
      members: {
        id: { stability: 'broker-stable' },
        data: stable,
        options: { stability: 'delivery' },
        progress: { stability: 'delivery' },
        reportProgress: nothing,
        remove: nothing,
        retry: nothing,
        save: { call: { effect: { kind: 'external' }, returns: 'this' } },
        setId: { call: { returns: 'this' } },
        retries: { call: { returns: 'this' } },
        backoff: { call: { returns: 'this' } },
        timeout: { call: { returns: 'this' } },
        delayUntil: { call: { returns: 'this' } },
        on: { call: { returns: 'this' } },
      },
    },
  },
});
