import { awsClient } from '../effects/aws-commands.js';
import { defineLibrary } from '../schema.js';
import { batch, put, read, remove, statement, transact, update } from './dynamodb-operations.js';

/** @aws-sdk/client-dynamodb 3.1169. */
export default defineLibrary(
  awsClient('@aws-sdk/client-dynamodb', 'DynamoDB', {
    PutItem: put,
    UpdateItem: update,
    DeleteItem: remove,
    BatchWriteItem: batch,
    TransactWriteItems: transact,
    GetItem: read,
    BatchGetItem: read,
    TransactGetItems: read,
    Query: read,
    Scan: read,
    DescribeTable: read,
    ExecuteStatement: statement,
    BatchExecuteStatement: statement,
    ExecuteTransaction: statement,
  }),
);
