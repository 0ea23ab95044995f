import { defineLibrary } from '../schema.js';

/** @middy/core 6: the handler passes through; `use`, `before`, `after` and `onError` on it keep it. */
export default defineLibrary({
  name: '@middy/core',
  packages: ['@middy/core', 'middy'],
  exports: { default: { call: { returns: '0' } }, middy: { call: { returns: '0' } } },
});
