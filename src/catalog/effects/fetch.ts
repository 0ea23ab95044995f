import { defineLibrary, type Shape } from '../schema.js';

/** A refusal is no throw: `response.ok` and `response.status` tell. */
export const fetchShape: Shape = {
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method: '1.method', url: '0', options: '1' },
      data: '1.body',
    },
  },
};

/** The global of Node.js and of the edge runtimes; the method is GET where none is given. */
export default defineLibrary({
  name: 'fetch',
  packages: ['cross-fetch', 'isomorphic-fetch', 'isomorphic-unfetch'],
  exports: { default: fetchShape, fetch: fetchShape },
  globals: { fetch: fetchShape },
});
