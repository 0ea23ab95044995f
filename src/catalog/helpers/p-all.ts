import { defineLibrary, type Shape } from '../schema.js';

const all: Shape = { call: { runs: [{ function: '0.*', times: 'once', promise: 'awaited' }] } };

/** p-all 5, p-series 3: a list of functions, each called once. */
export default defineLibrary({ name: 'p-all', packages: ['p-all', 'p-series'], exports: { default: all } });
