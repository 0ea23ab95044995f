import { defineLibrary } from '../schema.js';

/** @google-cloud/tasks 7.1: a task's name is unique until about an hour after the task is gone; without one it gets a new one. */
export default defineLibrary({
  name: '@google-cloud/tasks',
  packages: ['@google-cloud/tasks'],
  exports: { CloudTasksClient: { construct: { returns: 'CloudTasksClient' } }, v2: { members: { CloudTasksClient: { construct: { returns: 'CloudTasksClient' } } } } },
  types: {
    CloudTasksClient: {
      extendable: true,
      members: {
        createTask: { call: { effect: { kind: 'external', data: '0.task', key: '0.task.name' } } },
        deleteTask: { call: { effect: { kind: 'external', idempotentBy: '0.name' } } },
        runTask: { call: { effect: { kind: 'external' } } },
        getTask: { call: { effect: { kind: 'read' } } },
        listTasks: { call: { effect: { kind: 'read' } } },
        getQueue: { call: { effect: { kind: 'read' } } },
        queuePath: { call: { derives: true } },
        taskPath: { call: { derives: true } },
      },
    },
  },
});
