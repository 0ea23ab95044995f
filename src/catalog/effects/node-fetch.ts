import { defineLibrary } from '../schema.js';
import { fetchShape } from './fetch.js';

/** node-fetch 3.3, and make-fetch-happen of the same shape. */
export default defineLibrary({
  name: 'node-fetch',
  packages: ['node-fetch', 'make-fetch-happen', 'node-fetch-native', 'ofetch'],
  exports: { default: fetchShape, fetch: fetchShape, $fetch: fetchShape, ofetch: fetchShape },
});
