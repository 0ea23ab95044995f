import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-kinesis 3.1169: `SequenceNumberForOrdering` orders and does not deduplicate. */
export default defineLibrary(
  awsClient('@aws-sdk/client-kinesis', 'Kinesis', {
    PutRecord: { effect: { kind: 'external', data: '0.Data', content: ['0.Data', '0.PartitionKey'] } },
    PutRecords: { effect: { kind: 'external', data: '0.Records', content: '0.Records', partialFailureIn: 'FailedRecordCount' } },
    GetRecords: { effect: { kind: 'read' } },
    GetShardIterator: { effect: { kind: 'read' } },
    DescribeStream: { effect: { kind: 'read' } },
    ListShards: { effect: { kind: 'read' } },
  }),
);
