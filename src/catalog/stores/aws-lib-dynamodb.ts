import { commandExports, commandMethods, commandTypes } from '../effects/aws-commands.js';
import { defineLibrary, type Call, type Shape } from '../schema.js';
import { batch, put, read, remove, statement, transact, update } from './dynamodb-operations.js';

const commands: Record<string, Call> = {
  Put: put,
  Update: update,
  Delete: remove,
  BatchWrite: batch,
  TransactWrite: transact,
  Get: read,
  BatchGet: read,
  TransactGet: read,
  Query: read,
  Scan: read,
  ExecuteStatement: statement,
  BatchExecuteStatement: statement,
  ExecuteTransaction: statement,
};

const send: Shape = { call: { sends: '0', nodeCallback: true } };

/** @aws-sdk/lib-dynamodb 3.1169: the operations of @aws-sdk/client-dynamodb on plain JavaScript values. */
export default defineLibrary({
  name: '@aws-sdk/lib-dynamodb',
  packages: ['@aws-sdk/lib-dynamodb'],
  exports: {
    DynamoDBDocumentClient: { members: { from: { call: { returns: 'DynamoDBDocumentClient' } } } },
    DynamoDBDocument: { members: { from: { call: { returns: 'DynamoDBDocument' } } } },
    ...commandExports(commands),
  },
  types: {
    DynamoDBDocumentClient: { members: { send, destroy: { call: {} } } },
    DynamoDBDocument: { members: { send, ...commandMethods(commands), destroy: { call: {} } } },
    ...commandTypes(commands),
  },
});
