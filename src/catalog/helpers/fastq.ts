import { defineLibrary, type Shape } from '../schema.js';

/** The worker runs for each `push`; `push` of the promise form resolves with it, the other floats until `drained()`, which does not tell of failures. */
const queue: Shape = { call: { runs: [{ function: '0', times: 'many', promise: 'detached', drainedBy: ['drained'] }], returns: 'Queue' } };

/** fastq 1.19. */
export default defineLibrary({
  name: 'fastq',
  packages: ['fastq'],
  exports: { default: { ...queue, members: { promise: queue } }, promise: queue },
  types: {
    Queue: { members: Object.fromEntries(['push', 'unshift', 'pause', 'resume', 'kill', 'drained'].map((name): [string, Shape] => [name, { call: {} }])) },
  },
});
