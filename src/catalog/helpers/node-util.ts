import { defineLibrary, type Shape } from '../schema.js';

const members: Record<string, Shape> = {
  /** The same function, with a promise in place of the callback. */
  promisify: { call: { returns: '0' } },
  callbackify: { call: { returns: '0' } },
  deprecate: { call: { returns: '0' } },
  format: { call: { derives: true } },
  inspect: { call: { derives: true } },
  isDeepStrictEqual: { call: { derives: true } },
};

export default defineLibrary({
  name: 'node:util',
  packages: ['node:util', 'util', 'es6-promisify', 'util.promisify', 'pify'],
  exports: { ...members, default: { call: { returns: '0' }, members } },
});
