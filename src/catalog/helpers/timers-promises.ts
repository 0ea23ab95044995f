import { defineLibrary } from '../schema.js';

/** `setTimeout(ms, value)` resolves to the value. */
export default defineLibrary({
  name: 'node:timers/promises',
  packages: ['node:timers/promises', 'timers/promises'],
  exports: {
    setTimeout: { call: { returns: '1', delays: true } },
    setImmediate: { call: { returns: '0' } },
    setInterval: { call: {} },
    scheduler: { members: { wait: { call: { delays: true } }, yield: { call: {} } } },
  },
});
