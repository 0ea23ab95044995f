import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** `each(list, iteratee, callback)`, the `Limit` forms with the limit in between; the callback comes last, if at all. */
const over = (iteratee: number): Shape => ({
  call: {
    runs: [
      { function: `${iteratee}`, times: 'many', ...(iteratee > 0 && { over: '0' }), promise: 'awaited' },
      { function: `${iteratee + 1}`, times: 'once', promise: 'awaited' },
    ],
  },
});
const tasks = (callback: string): Shape => ({
  call: {
    runs: [
      { function: '0.*', times: 'once', promise: 'awaited' },
      { function: callback, times: 'once', promise: 'awaited' },
    ],
  },
});

const members: Record<string, Shape> = {
  ...alike(
    'each eachSeries forEach forEachSeries eachOf eachOfSeries forEachOf map mapSeries mapValues filter filterSeries reject detect some every ' +
      'concat concatSeries groupBy sortBy transform times timesSeries whilst doWhilst until doUntil',
    over(1),
  ),
  ...alike('eachLimit forEachLimit eachOfLimit forEachOfLimit mapLimit mapValuesLimit filterLimit concatLimit timesLimit reduce reduceRight', over(2)),
  forever: over(0),
  ...alike('series parallel waterfall race auto tryEach', tasks('1')),
  parallelLimit: tasks('2'),
  /** `retry(options?, task)`. */
  retry: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', returns: true }] } },
  /** The worker runs for each `push`. */
  ...alike<Shape>('queue priorityQueue cargo cargoQueue', { call: { runs: [{ function: '0', times: 'many', promise: 'detached', drainedBy: ['drain'] }], returns: 'Queue' } }),
  ...alike<Shape>('asyncify wrapSync reflect timeout memoize ensureAsync', { call: { returns: '0' } }),
};

/** async 3.2: with promises where there is no callback. */
export default defineLibrary({
  name: 'async',
  packages: ['async', 'async-es'],
  exports: { ...members, default: { members } },
  types: { Queue: { members: alike<Shape>('push pushAsync unshift drain error kill pause resume', { call: {} }) } },
});
