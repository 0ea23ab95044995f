import { defineLibrary, type Shape } from '../schema.js';

/** `pMap(list, mapper, { concurrency })`: with `stopOnError: false` the errors are collected and thrown together. */
const map: Shape = { call: { runs: [{ function: '1', times: 'many', over: '0', promise: 'awaited' }] } };

/** p-map 7, and its relatives that take the list first. */
export default defineLibrary({
  name: 'p-map',
  packages: ['p-map', 'p-map-series', 'p-each-series', 'p-filter', 'p-reduce', 'p-times'],
  exports: { default: map, pMap: map, pMapIterable: map, pMapSkip: {} },
});
