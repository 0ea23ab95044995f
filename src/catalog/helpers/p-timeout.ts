import { defineLibrary, type Shape } from '../schema.js';

const through: Shape = { call: { returns: '0' } };

/** p-timeout 7, delay 7: the promise goes through; what it does goes on after the timeout. */
export default defineLibrary({ name: 'p-timeout', packages: ['p-timeout', 'promise-timeout', 'p-settle'], exports: { default: through, timeout: through } });
