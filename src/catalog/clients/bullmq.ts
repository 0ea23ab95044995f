import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const read: Shape = { call: { effect: { kind: 'read' } } };
const job: Shape = { call: { effect: { kind: 'read' }, returns: 'Job' } };
const byName: Shape = { call: { effect: { kind: 'external', idempotentBy: '0' } } };

/**
 * bullmq 6.7.0 (classes/worker.d.ts, classes/queue.d.ts, classes/job.d.ts). The processor's promise completes or fails the
 * job; a stalled job runs again even with one attempt. `job.id` is the producer's `jobId` or a number of the queue's own.
 */
export default defineLibrary({
  name: 'bullmq',
  packages: ['bullmq'],
  exports: {
    Worker: {
      construct: { registers: { handler: '1', params: ['Job', delivery], acknowledgement: 'on-return' }, returns: 'Worker' },
      extendable: true,
    },
    Queue: { construct: { returns: 'Queue' }, extendable: true },
    FlowProducer: { construct: { returns: 'FlowProducer' } },
    QueueEvents: { construct: { returns: 'QueueEvents' } },
    Job: { members: { fromId: job } },
  },
  types: {
    Worker: {
      members: {
        // Notifications: they can be lost or repeated, and the worker does not wait for them.
        on: { call: { returns: 'this', runs: [{ function: '1', times: 'many', promise: 'detached', params: ['Job'] }] } },
        getNextJob: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: 'Job' } },
        run: nothing,
        close: nothing,
        pause: nothing,
        resume: nothing,
        waitUntilReady: nothing,
        rateLimit: nothing,
      },
    },
    Processor: { handlerType: { handler: 'decorated', params: ['Job', delivery], acknowledgement: 'on-return' } },
    Job: {
      message: true,
      members: {
        id: stored,
        data: stable,
        name: stable,
        opts: stable,
        timestamp: stored,
        parent: stable,
        deduplicationId: stable,
        returnvalue: stable,
        queueName: { stability: 'constant' },
        token: delivery,
        attemptsMade: delivery,
        attemptsStarted: delivery,
        stalledCounter: delivery,
        processedOn: delivery,
        moveToCompleted: { call: { settles: { as: 'ack', message: 'this' } } },
        moveToFailed: { call: { settles: { as: 'nack', message: 'this' } } },
        moveToDelayed: { call: { settles: { as: 'nack', message: 'this' } } },
        moveToWait: { call: { settles: { as: 'nack', message: 'this' } } },
        moveToWaitingChildren: { call: { settles: { as: 'nack', message: 'this' } } },
        updateProgress: nothing,
        updateData: { call: { effect: { kind: 'write', writeKind: 'absolute', data: '0', negligible: true } } },
        log: nothing,
        extendLock: nothing,
        getState: read,
        getChildrenValues: { call: { effect: { kind: 'read' }, returns: stable } },
        waitUntilFinished: read,
        isCompleted: read,
        isFailed: read,
        isActive: read,
        remove: byName,
        retry: nothing,
        promote: nothing,
      },
    },
    Queue: {
      members: {
        add: { call: { effect: { kind: 'external', key: ['2.jobId', '2.deduplication.id'] }, returns: 'Job' } },
        addBulk: { call: { effect: { kind: 'external', key: ['0.*.opts.jobId', '0.*.opts.deduplication.id'] } } },
        // Schedulers and removals are named: a repeat replaces what it made the first time.
        upsertJobScheduler: byName,
        removeJobScheduler: byName,
        remove: byName,
        removeRepeatableByKey: byName,
        getJob: job,
        getJobs: read,
        getJobCounts: read,
        getJobCountByTypes: read,
        getWaiting: read,
        getActive: read,
        getDelayed: read,
        getCompleted: read,
        getFailed: read,
        count: read,
        drain: nothing,
        clean: nothing,
        obliterate: nothing,
        pause: nothing,
        resume: nothing,
        close: nothing,
        on: { call: { returns: 'this' } },
        waitUntilReady: nothing,
      },
    },
    FlowProducer: {
      members: {
        add: { call: { effect: { kind: 'external', key: '0.opts.jobId' } } },
        addBulk: { call: { effect: { kind: 'external', key: '0.*.opts.jobId' } } },
        close: nothing,
      },
    },
    QueueEvents: { members: { on: { call: { returns: 'this', runs: [{ function: '1', times: 'many', promise: 'detached' }] } }, close: nothing } },
  },
});
