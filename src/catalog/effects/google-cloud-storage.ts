import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const read: Shape = { call: { effect: { kind: 'read' }, nodeCallback: true } };
/** `bucket.file(name)` names the object: the same name twice is one object. */
const named: Shape = { call: { effect: { kind: 'external', idempotentBy: 'this.0' }, nodeCallback: true } };

/** @google-cloud/storage 7: `preconditionOpts: { ifGenerationMatch: 0 }` rejects with 412 where the object exists. */
export default defineLibrary({
  name: '@google-cloud/storage',
  packages: ['@google-cloud/storage'],
  exports: { Storage: { construct: { returns: 'Storage' } } },
  types: {
    Storage: { extendable: true, members: { bucket: { call: { returns: 'Bucket' } }, getBuckets: read } },
    Bucket: {
      members: {
        file: { call: { returns: 'File' } },
        upload: { call: { effect: { kind: 'external', idempotentBy: '1.destination' }, nodeCallback: true } },
        ...alike('getFiles exists getMetadata', read),
        deleteFiles: { call: { effect: { kind: 'external', idempotent: true }, nodeCallback: true } },
      },
    },
    File: {
      members: {
        ...alike('save delete setMetadata makePublic', named),
        ...alike<Shape>('copy move rename', { call: { effect: { kind: 'external', idempotentBy: '0' }, nodeCallback: true } }),
        ...alike('download exists getMetadata getSignedUrl get', read),
        publicUrl: { call: { derives: true } },
      },
    },
  },
});
