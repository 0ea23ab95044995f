import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-firehose 3.1169. */
export default defineLibrary(
  awsClient('@aws-sdk/client-firehose', 'Firehose', {
    PutRecord: { effect: { kind: 'external', data: '0.Record', content: '0.Record' } },
    PutRecordBatch: { effect: { kind: 'external', data: '0.Records', content: '0.Records', partialFailureIn: 'FailedPutCount' } },
    DescribeDeliveryStream: { effect: { kind: 'read' } },
  }),
);
