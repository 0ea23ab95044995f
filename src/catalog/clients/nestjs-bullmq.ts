import { defineLibrary } from '../schema.js';

/**
 * @nestjs/bullmq 12.0.0 (hosts/worker-host.class.d.ts). One method receives all job names of the queue that `@Processor`
 * names; `@OnWorkerEvent` methods are notifications, no handlers. An injected queue is known by its type, bullmq's `Queue`.
 */
export default defineLibrary({
  name: '@nestjs/bullmq',
  packages: ['@nestjs/bullmq'],
  exports: {
    WorkerHost: {
      extendable: true,
      baseClass: {
        method: 'process',
        registers: { handler: 'decorated', params: ['bullmq#Job', { stability: 'delivery' }], acknowledgement: 'on-return' },
      },
    },
  },
});
