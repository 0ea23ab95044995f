import { defineLibrary } from '../schema.js';
import { cache } from './in-memory.js';

/** node-cache 5.1. */
export default defineLibrary({
  name: 'node-cache',
  packages: ['node-cache'],
  exports: { default: { construct: { returns: 'NodeCache' } }, NodeCache: { construct: { returns: 'NodeCache' } } },
  types: { NodeCache: cache },
});
