import { defineLibrary, type Shape } from '../schema.js';

const body: Shape = { call: { returns: { stability: 'producer-stable' } } };

/**
 * The web platform's `Request` and `Response` (lib.dom.d.ts): answers of route handlers,
 * Workers, Remix, Bun and Deno, by being returned. The status is `1.status`.
 */
export default defineLibrary({
  name: 'web-response',
  packages: ['web-response'],
  exports: {},
  types: { Response: { members: { ok: {}, status: {} } } },
  globals: {
    Response: {
      construct: { returns: 'Response' },
      members: { json: { call: { returns: 'Response' } }, error: { call: {} }, redirect: { call: { returns: 'Response' } } },
    },
    Request: { members: { text: body, json: body, arrayBuffer: body, formData: body, headers: { stability: 'producer-stable' } } },
  },
});
