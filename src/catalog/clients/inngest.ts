import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
/** Calls of the runtime: done once per run under the step's id. */
const durable: Shape = { call: { effect: { kind: 'external', idempotent: true } } };

/**
 * inngest 4.24.0 (components/Inngest.d.ts, InngestStepTools.d.ts); version 3 has the trigger as second argument. The function
 * is entered again after each step: what stands outside of steps happens many times in one run.
 */
export default defineLibrary({
  name: 'inngest',
  packages: ['inngest'],
  exports: { Inngest: { construct: { returns: 'Inngest' } } },
  types: {
    Inngest: {
      members: {
        createFunction: { call: { registers: { handler: ['2', '1'], params: ['Context'], acknowledgement: 'on-return' } } },
        // The id keeps a repeated event from starting a second run, for a day.
        send: { call: { effect: { kind: 'external', key: ['0.id', '0.*.id'] } } },
      },
    },
    Context: {
      members: {
        event: 'EventPayload',
        events: { batch: true, element: 'EventPayload' },
        step: 'Step',
        runId: { stability: 'broker-stable' },
        attempt: { stability: 'delivery' },
        maxAttempts: { stability: 'constant' },
        logger: { anyMember: nothing },
      },
    },
    // The sender's id if it set one, otherwise made by the service.
    EventPayload: { message: true, stability: 'producer-stable', members: { id: { stability: 'broker-stable' }, ts: { stability: 'broker-stable' }, name: stable, data: stable } },
    Step: {
      members: {
        run: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true, step: true }] } },
        ai: { members: { wrap: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true, step: true }] } }, infer: durable } },
        sendEvent: durable,
        sendSignal: durable,
        invoke: durable,
        fetch: durable,
        waitForEvent: { call: { returns: 'EventPayload' } },
        waitForSignal: nothing,
        sleep: nothing,
        sleepUntil: nothing,
      },
    },
  },
});
