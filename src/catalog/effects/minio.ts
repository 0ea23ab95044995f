import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';

const read: Call = { effect: { kind: 'read' }, nodeCallback: true };
/** The same object under the same name is one object. */
const byName: Call = { effect: { kind: 'external', idempotentBy: '1' }, nodeCallback: true };
const byBucket: Call = { effect: { kind: 'external', idempotentBy: '0' }, nodeCallback: true };
const shapes = <T extends object>(calls: Record<string, T>): Record<string, { call: T }> => Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, { call }]));

/** minio 8.0 (dist/main/minio.d.ts); version 7 took callbacks. */
export default defineLibrary({
  name: 'minio',
  packages: ['minio'],
  exports: { Client: { construct: { returns: 'Client' } } },
  types: {
    Client: {
      extendable: true,
      members: shapes<Call>({
        ...alike('putObject fPutObject copyObject removeObject setObjectTagging', byName),
        ...alike('makeBucket removeBucket removeObjects setBucketPolicy setBucketNotification', byBucket),
        ...alike('getObject fGetObject getPartialObject statObject bucketExists listBuckets getBucketPolicy', read),
        ...alike('presignedUrl presignedGetObject presignedPutObject', { derives: true } satisfies Call),
      }),
    },
  },
});
