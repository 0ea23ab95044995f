import { defineLibrary, type Shape } from '../schema.js';

const mint: Shape = { call: { mints: 'nanoid()' } };
const generator: Shape = { call: { returns: 'Generator' } };

/** nanoid 6. */
export default defineLibrary({
  name: 'nanoid',
  packages: ['nanoid', 'nanoid/non-secure', 'nanoid/async', 'short-unique-id'],
  exports: { nanoid: mint, random: mint, default: mint, customAlphabet: generator, customRandom: generator },
  types: { Generator: mint },
});
