import { defineLibrary, type Shape } from '../schema.js';

const later = (times: 'once' | 'many'): Shape => ({ call: { runs: [{ function: '0', times, promise: 'detached' }] } });
const delayed = (times: 'once' | 'many'): Shape => ({ call: { ...later(times).call, delays: true } });

const timers: Record<string, Shape> = {
  setTimeout: delayed('once'),
  setImmediate: later('once'),
  setInterval: delayed('many'),
  clearTimeout: { call: {} },
  clearImmediate: { call: {} },
  clearInterval: { call: {} },
};

/** Nobody waits for what a timer runs. */
export default defineLibrary({
  name: 'node:timers',
  packages: ['node:timers', 'timers'],
  exports: { ...timers, default: { members: timers } },
  globals: {
    ...timers,
    queueMicrotask: later('once'),
    requestIdleCallback: later('once'),
    process: { members: { nextTick: later('once') } },
  },
});
