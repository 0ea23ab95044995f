import { defineLibrary, type Shape } from '../schema.js';

const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const done: Shape = { call: { settles: { as: 'callback' } } };
const agenda: Shape = { construct: { returns: 'Agenda' } };
/** A named job is one row that is updated. */
const byName: Shape = { call: { effect: { kind: 'external', idempotentBy: '1' }, returns: 'Job' } };

/**
 * agenda 4.4.0 and 6.2.6 (dist/agenda/define.d.ts). The options are the second argument up to version 3 and the third
 * after. A processor that declares two parameters answers through `done`. The job's `_id` is that of all its recurrences.
 */
export default defineLibrary({
  name: 'agenda',
  packages: ['agenda', '@hokify/agenda'],
  exports: { default: agenda, Agenda: agenda },
  types: {
    Agenda: {
      members: {
        define: { call: { registers: { handler: ['1', '2'], params: ['Job', done], acknowledgement: 'on-return', callbackParam: 1 } } },
        now: { call: { effect: { kind: 'external' }, returns: 'Job' } },
        schedule: { call: { effect: { kind: 'external' }, returns: 'Job' } },
        every: byName,
        create: { call: { returns: 'NewJob' } },
        cancel: { call: { effect: { kind: 'external', idempotentBy: '0' } } },
        jobs: { call: { effect: { kind: 'read' } } },
        start: nothing,
        stop: nothing,
        drain: nothing,
        purge: nothing,
        close: nothing,
        on: { call: { returns: 'this' } },
      },
    },
    // `unique` keeps a second job with these fields from being made.
    NewJob: { members: { save: { call: { effect: { kind: 'external' }, returns: 'Job' } } }, anyMember: { call: { returns: 'this' } } },
    Job: {
      message: true,
      members: {
        attrs: {
          message: true,
          members: {
            data: { stability: 'producer-stable' },
            name: { stability: 'producer-stable' },
            _id: stored,
            nextRunAt: delivery,
            lastRunAt: delivery,
            lockedAt: delivery,
            failCount: delivery,
          },
        },
        touch: nothing,
        fail: { call: { settles: { as: 'nack', message: 'this' } } },
        remove: nothing,
        save: nothing,
        schedule: { call: { returns: 'this' } },
        repeatEvery: { call: { returns: 'this' } },
      },
    },
    Processor: { handlerType: { handler: 'decorated', params: ['Job', done], acknowledgement: 'on-return', callbackParam: 1 } },
  },
});
