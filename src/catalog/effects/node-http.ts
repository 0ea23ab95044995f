import { defineLibrary, type Shape } from '../schema.js';

/** `request(options, callback)`, `request(url, options, callback)`: sent with `end()`; a refusal is a status, not an error. */
const request: Shape = {
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method: '0.method', url: '0', options: '0', or: { method: '1.method', options: '1' } },
    },
    returns: 'ClientRequest',
    sync: true,
  },
};
const get: Shape = { call: { effect: { kind: 'read' }, returns: 'ClientRequest', sync: true } };
const nothing: Shape = { call: {} };
const members: Record<string, Shape> = { request, get };

export default defineLibrary({
  name: 'node:https',
  packages: ['node:https', 'https', 'node:http', 'http', 'follow-redirects'],
  exports: { ...members, default: { members }, https: { members }, http: { members } },
  types: {
    ClientRequest: {
      members: { on: { call: { returns: 'this' } }, once: { call: { returns: 'this' } }, write: nothing, end: nothing, setTimeout: nothing, destroy: nothing, setHeader: nothing },
    },
  },
});
