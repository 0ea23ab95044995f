import { defineLibrary, type Shape } from '../schema.js';

/** The seed fixes the part that tells the time; the rest is random. */
const mint: Shape = { call: { mints: 'ulid()' } };

/** ulid 3, ulidx 2.4. */
export default defineLibrary({
  name: 'ulid',
  packages: ['ulid', 'ulidx', 'id128'],
  exports: {
    ulid: mint,
    default: mint,
    monotonicFactory: { call: { returns: 'Factory' } },
    factory: { call: { returns: 'Factory' } },
    decodeTime: { call: { derives: true } },
  },
  types: { Factory: mint },
});
