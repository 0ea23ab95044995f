import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const read: Shape = { call: { effect: { kind: 'read' } } };
const done: Shape = { call: { settles: { as: 'callback' } } };

const queue: Shape = { construct: { returns: 'Queue' }, call: { returns: 'Queue' } };

/**
 * bull 4.16.5 (index.d.ts, lib/queue.js). A processor that declares two parameters answers through `done`, also if it is
 * async: its rejection is then no failure, and the job hangs until it counts as stalled.
 */
export default defineLibrary({
  name: 'bull',
  packages: ['bull'],
  exports: { default: queue, Queue: queue },
  types: {
    Queue: {
      members: {
        process: { call: { registers: { handler: 'last', params: ['Job', done], acknowledgement: 'on-return', callbackParam: 1, heldUntil: 'for as long as this process runs' } } },
        // `add(data, opts)` or `add(name, data, opts)`.
        add: { call: { effect: { kind: 'external', key: ['2.jobId', '1.jobId'] }, returns: 'Job' } },
        addBulk: { call: { effect: { kind: 'external', key: '0.*.opts.jobId' } } },
        on: { call: { returns: 'this', runs: [{ function: '1', times: 'many', promise: 'detached', params: ['Job'] }] } },
        getNextJob: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: 'Job' } },
        getJob: { call: { effect: { kind: 'read' }, returns: 'Job' } },
        getJobs: read,
        getJobCounts: read,
        getWaiting: read,
        getActive: read,
        getDelayed: read,
        getCompleted: read,
        getFailed: read,
        count: read,
        removeJobs: nothing,
        removeRepeatable: nothing,
        removeRepeatableByKey: nothing,
        isReady: nothing,
        pause: nothing,
        resume: nothing,
        close: nothing,
        clean: nothing,
        empty: nothing,
        obliterate: nothing,
      },
    },
    Job: {
      message: true,
      members: {
        id: stored,
        data: stable,
        name: stable,
        opts: stable,
        timestamp: stored,
        attemptsMade: delivery,
        processedOn: delivery,
        moveToCompleted: { call: { settles: { as: 'ack', message: 'this' } } },
        moveToFailed: { call: { settles: { as: 'nack', message: 'this' } } },
        progress: nothing,
        log: nothing,
        discard: nothing,
        retry: nothing,
        update: nothing,
        getState: read,
        finished: read,
        remove: nothing,
        extendLock: nothing,
      },
    },
    DoneCallback: done,
    ProcessPromiseFunction: { handlerType: { handler: 'decorated', params: ['Job'], acknowledgement: 'on-return' } },
    ProcessCallbackFunction: { handlerType: { handler: 'decorated', params: ['Job', done], acknowledgement: 'on-return', callbackParam: 1, heldUntil: 'for as long as this process runs' } },
  },
});
