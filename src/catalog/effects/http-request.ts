import { defineLibrary } from '../schema.js';

/** A request by a client that nobody knows, told by its options: `send({ method: 'POST', url })`. What it carries is not known. */
export default defineLibrary({
  name: 'http-request',
  packages: ['http-request'],
  exports: {},
  types: { Request: { call: { effect: { kind: 'external', classify: { by: 'http', method: '0.method', url: '0.url', options: '0' } } } } },
});
