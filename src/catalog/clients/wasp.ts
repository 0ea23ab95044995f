import { defineLibrary, type Shape } from '../schema.js';

const job: Shape = { handlerType: { handler: 'decorated', params: [{ message: true, stability: 'producer-stable' }], acknowledgement: 'on-return' } };

/**
 * Wasp 0.21 (guides "Recurring Jobs", `wasp/server/jobs`): the module is made from the jobs that the application declares, one
 * type each. They run on pg-boss: the handler's promise completes the job, a throw brings it again if `retryLimit` says so.
 */
export default defineLibrary({
  name: 'wasp',
  packages: ['wasp/server/jobs'],
  exports: {},
  anyType: job,
});
