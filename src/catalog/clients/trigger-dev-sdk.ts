import { defineLibrary, type Registration, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const payload: Shape = { message: true, stability: 'producer-stable' };
const run: Registration = { handler: '0.run', params: [payload, { members: { ctx: 'TaskContext', signal: {} } }], acknowledgement: 'on-return' };
const task: Shape = { call: { registers: run, returns: 'Task' } };
const external = (key: string | string[]): Shape => ({ call: { effect: { kind: 'external', key } } });

/**
 * @trigger.dev/sdk 4.8.3 (dist/commonjs/v3/tasks.d.ts, shared.d.ts). Every attempt starts from the top. The key given when a
 * task is triggered stops a second trigger for thirty days, not a second run of one.
 */
export default defineLibrary({
  name: '@trigger.dev/sdk',
  packages: ['@trigger.dev/sdk', '@trigger.dev/sdk/v3'],
  exports: {
    task,
    schemaTask: task,
    schedules: { members: { task: { call: { registers: run, returns: 'Task' } } } },
    tasks: {
      members: {
        trigger: external('2.idempotencyKey'),
        triggerAndWait: external('2.idempotencyKey'),
        batchTrigger: external(['1.*.options.idempotencyKey', '2.idempotencyKey']),
        batchTriggerAndWait: external('1.*.options.idempotencyKey'),
      },
    },
    batch: { members: { trigger: external('0.*.options.idempotencyKey'), triggerAndWait: external('0.*.options.idempotencyKey') } },
    idempotencyKeys: { members: { create: { call: { derives: true } } } },
    wait: { anyMember: nothing },
    logger: { anyMember: nothing },
    metadata: { anyMember: { call: { returns: 'this' } } },
    queue: nothing,
    retry: { members: { onThrow: { call: { runs: [{ function: '0', times: 'many', promise: 'awaited', returns: true }] } } } },
  },
  types: {
    Task: {
      members: {
        trigger: external('1.idempotencyKey'),
        triggerAndWait: external('1.idempotencyKey'),
        batchTrigger: external(['0.*.options.idempotencyKey', '1.idempotencyKey']),
        batchTriggerAndWait: external('0.*.options.idempotencyKey'),
      },
    },
    TaskContext: {
      members: {
        run: { members: { id: { stability: 'broker-stable' }, idempotencyKey: { stability: 'producer-stable' }, createdAt: { stability: 'broker-stable' }, startedAt: { stability: 'delivery' } } },
        attempt: { stability: 'delivery' },
        task: { stability: 'constant' },
        queue: { stability: 'constant' },
        environment: { stability: 'constant' },
      },
    },
  },
});
