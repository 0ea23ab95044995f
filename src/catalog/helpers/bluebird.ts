import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const many: Shape = { call: { runs: [{ function: '1', times: 'many', over: '0', promise: 'awaited' }] } };
const once: Shape = { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } };
const through: Shape = { call: { returns: '0' } };

const members: Record<string, Shape> = {
  ...alike('map mapSeries each filter reduce', many),
  ...alike('try attempt', once),
  /** `using(resource, …, async (value) => …)`. */
  using: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', returns: true }] } },
  ...alike('all props any some race resolve allSettled', through),
  ...alike('promisify promisifyAll fromCallback', through),
  method: through,
  coroutine: through,
  delay: { call: {} },
  reject: { call: {} },
};

/** bluebird 3.7. */
export default defineLibrary({
  name: 'bluebird',
  packages: ['bluebird'],
  exports: { ...members, default: { members }, Promise: { members } },
});
