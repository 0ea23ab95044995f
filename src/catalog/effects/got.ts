import { defineLibrary, type Shape } from '../schema.js';

const verb = (method: string): Shape => ({
  call: {
    effect: {
      kind: 'external',
      classify: { by: 'http', method, url: '0', options: '1' },
      data: '1.json',
      content: ['1.json', '1.body', '1.form'],
    },
    returns: 'Response',
  },
});

const members: Record<string, Shape> = {
  get: verb('GET'),
  head: verb('HEAD'),
  post: verb('POST'),
  put: verb('PUT'),
  patch: verb('PATCH'),
  delete: verb('DELETE'),
  extend: { call: { returns: 'Got' } },
  create: { call: { returns: 'Got' } },
};

const client: Shape = { ...verb('1.method'), members };

/** got 16.1 and ky 2.1: a refusal rejects; GET, PUT, HEAD and DELETE are sent up to two times more, POST and PATCH are not. */
export default defineLibrary({
  name: 'got',
  packages: ['got', 'ky', 'ky-universal'],
  exports: { default: client, got: client },
  types: {
    Got: client,
    KyInstance: client,
    /** The body is read by `.json()` and its kin. */
    Response: {
      members: Object.fromEntries(['json', 'text', 'buffer', 'blob', 'arrayBuffer'].map((name): [string, Shape] => [name, { call: { returns: 'this' } }])),
    },
  },
});
