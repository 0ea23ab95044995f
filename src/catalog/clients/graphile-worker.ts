import { defineLibrary, type Call, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };
const payload: Shape = { message: true, stability: 'producer-stable' };
const task: Registration = { handler: 'decorated', params: [payload, 'JobHelpers'], acknowledgement: 'on-return' };
const run: Call = { registers: { ...task, handler: '0.taskList.*' }, returns: { members: { stop: nothing, promise: {}, addJob: 'AddJob', events: {} } } };

/**
 * graphile-worker 0.17.3 and 0.18 (dist/interfaces.d.ts, runner.d.ts). Jobs are rows: the handler's promise deletes its row.
 * `withPgClient` and `query` run outside the transaction that does so.
 */
export default defineLibrary({
  name: 'graphile-worker',
  packages: ['graphile-worker'],
  exports: {
    run: { call: run },
    runOnce: { call: run },
    runTaskList: { call: { registers: { ...task, handler: '1.*' } } },
    runTaskListOnce: { call: { registers: { ...task, handler: '1.*' } } },
    makeWorkerUtils: { call: { returns: 'WorkerUtils' } },
    quickAddJob: { call: { effect: { kind: 'external', key: '3.jobKey' } } },
    addJobAdhoc: { call: { effect: { kind: 'external', key: '3.jobKey' } } },
    runMigrations: nothing,
    parseCronItems: nothing,
    parseCrontab: nothing,
  },
  types: {
    Task: { handlerType: task },
    AddJob: { call: { effect: { kind: 'external', key: '2.jobKey' } } },
    WorkerUtils: {
      members: {
        addJob: 'AddJob',
        addJobs: { call: { effect: { kind: 'external', key: '0.*.jobKey' } } },
        withPgClient: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['pg#PoolClient'], returns: true }] } },
        migrate: nothing,
        release: nothing,
      },
    },
    JobHelpers: {
      members: {
        job: 'Job',
        addJob: 'AddJob',
        addJobs: { call: { effect: { kind: 'external', key: '0.*.jobKey' } } },
        withPgClient: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['pg#PoolClient'], returns: true }] } },
        query: {
          call: {
            effect: {
              kind: 'write',
              classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' },
              result: { fresh: { rowCount: 1, 'rows.length': 1 }, duplicate: { rowCount: 0, 'rows.length': 0 } },
            },
          },
        },
        logger: { anyMember: nothing },
        abortSignal: {},
        getQueueName: nothing,
      },
    },
    Job: {
      message: true,
      members: {
        id: stored,
        key: stable,
        payload: stable,
        task_identifier: stable,
        queue_name: stable,
        run_at: stored,
        created_at: stored,
        attempts: { stability: 'delivery' },
        locked_at: { stability: 'delivery' },
        locked_by: { stability: 'delivery' },
        revision: { stability: 'delivery' },
      },
    },
  },
});
