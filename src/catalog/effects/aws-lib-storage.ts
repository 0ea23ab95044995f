import { defineLibrary } from '../schema.js';

/** @aws-sdk/lib-storage 3.1169: `new Upload({ client, params }).done()`, a put under `params.Key` in parts. */
export default defineLibrary({
  name: '@aws-sdk/lib-storage',
  packages: ['@aws-sdk/lib-storage'],
  exports: { Upload: { construct: { returns: 'Upload' } } },
  types: {
    Upload: { members: { done: { call: { effect: { kind: 'external', idempotent: true } } }, on: { call: { returns: 'this' } }, abort: { call: {} } } },
  },
});
