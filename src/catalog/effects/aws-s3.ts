import { defineLibrary, type Call } from '../schema.js';
import { alike } from '../stores/alike.js';
import { awsClient } from './aws-commands.js';

const read: Call = { effect: { kind: 'read' } };
/** The same object under the same key is one object; `IfNoneMatch: '*'` rejects with 412 where it exists. */
const byKey: Call = { effect: { kind: 'external', idempotentBy: '0.Key', data: '0.Body' } };

/** @aws-sdk/client-s3 3.1169. Events of the bucket fire again for each put. */
export default defineLibrary(
  awsClient('@aws-sdk/client-s3', 'S3', {
    ...alike('PutObject CopyObject DeleteObject PutObjectTagging RenameObject UploadPart UploadPartCopy', byKey),
    ...alike('CreateMultipartUpload CompleteMultipartUpload AbortMultipartUpload RestoreObject', byKey),
    DeleteObjects: { effect: { kind: 'external', idempotentBy: '0.Delete', partialFailureIn: 'Errors' } },
    ...alike('GetObject HeadObject HeadBucket ListObjects ListObjectsV2 ListObjectVersions GetObjectTagging SelectObjectContent', read),
    ...alike('CreateBucket DeleteBucket', { effect: { kind: 'external', idempotentBy: '0.Bucket' } } satisfies Call),
  }),
);
