import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const job: Record<string, Shape> = {
  id: stored,
  data: stable,
  name: stable,
  singletonKey: stable,
  groupId: stable,
  createdOn: stored,
  retryCount: delivery,
  startedOn: delivery,
  expireInSeconds: delivery,
  signal: {},
};
/** A list since version 10, one job before. */
const jobs: Shape = { batch: true, element: 'Job', members: job };
const send: Shape = { call: { effect: { kind: 'external', key: ['2.singletonKey', '2.id'], joins: '2.db' } } };

/** pg-boss 10.4.2 (types.d.ts), 12.38.0 alike. The handler's promise completes or fails the whole list. */
export default defineLibrary({
  name: 'pg-boss',
  packages: ['pg-boss'],
  exports: { default: { construct: { returns: 'PgBoss' } }, PgBoss: { construct: { returns: 'PgBoss' } } },
  types: {
    PgBoss: {
      members: {
        work: { call: { registers: { handler: 'last', params: [jobs], acknowledgement: 'on-return' } } },
        fetch: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: jobs } },
        complete: { call: { settles: { as: 'ack', message: '1' } } },
        fail: { call: { settles: { as: 'nack', message: '1' } } },
        cancel: { call: { settles: { as: 'nack', message: '1' } } },
        send: { call: { effect: { kind: 'external', key: ['2.singletonKey', '2.id', '0.options.singletonKey', '0.options.id'], joins: '2.db' } } },
        sendAfter: send,
        sendThrottled: send,
        sendDebounced: send,
        publish: send,
        insert: { call: { effect: { kind: 'external', key: ['0.*.singletonKey', '0.*.id', '1.*.singletonKey', '1.*.id'], joins: '1.db' } } },
        schedule: { call: { effect: { kind: 'external', idempotentBy: '0' } } },
        unschedule: { call: { effect: { kind: 'external', idempotentBy: '0' } } },
        getQueueSize: { call: { effect: { kind: 'read' } } },
        getJobById: { call: { effect: { kind: 'read' } } },
        createQueue: nothing,
        subscribe: nothing,
        start: nothing,
        stop: nothing,
        offWork: nothing,
        on: { call: { returns: 'this' } },
      },
    },
    Job: { message: true, members: job },
    JobWithMetadata: { message: true, members: job },
    WorkHandler: { handlerType: { handler: 'decorated', params: [jobs], acknowledgement: 'on-return' } },
    WorkWithMetadataHandler: { handlerType: { handler: 'decorated', params: [jobs], acknowledgement: 'on-return' } },
  },
});
