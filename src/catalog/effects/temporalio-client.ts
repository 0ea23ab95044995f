import { defineLibrary, type Shape } from '../schema.js';

/** The workflow id is unique among running workflows, and among closed ones as the reuse policy says. */
const start: Shape = { call: { effect: { kind: 'external', data: '1.args', key: '1.workflowId' }, returns: 'WorkflowHandle' } };
const read: Shape = { call: { effect: { kind: 'read' } } };

const workflows: Shape = {
  members: { start, execute: start, signalWithStart: start, getHandle: { call: { returns: 'WorkflowHandle' } }, list: read, count: read },
};

/** @temporalio/client 1.24. */
export default defineLibrary({
  name: '@temporalio/client',
  packages: ['@temporalio/client'],
  exports: {
    Client: { construct: { returns: 'Client' } },
    WorkflowClient: { construct: { returns: 'WorkflowClient' } },
    Connection: { members: { connect: { call: {} }, lazy: { call: {} } } },
  },
  types: {
    Client: { extendable: true, members: { workflow: 'WorkflowClient', schedule: { members: { create: { call: { effect: { kind: 'external', key: '0.scheduleId' } } } } } } },
    WorkflowClient: workflows,
    WorkflowHandle: {
      members: {
        signal: { call: { effect: { kind: 'external', data: '1' } } },
        executeUpdate: { call: { effect: { kind: 'external', data: '1', key: '1.updateId' } } },
        ...Object.fromEntries(['result', 'query', 'describe', 'fetchHistory'].map((name) => [name, read])),
        cancel: { call: { effect: { kind: 'external', idempotent: true } } },
        terminate: { call: { effect: { kind: 'external', idempotent: true } } },
      },
    },
  },
});
