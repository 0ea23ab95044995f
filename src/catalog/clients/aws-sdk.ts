import { defineLibrary, type Call, type EffectFacts, type Library, type Shape } from '../schema.js';
import { operations as sqs } from './aws-sdk-client-sqs.js';

/** Every operation takes a callback, or gives a request whose `promise()` is awaited. */
function service(operations: Record<string, Call>): Shape {
  const members = Object.entries(operations).map(([name, call]): [string, Shape] => [
    name,
    { call: { ...call, returns: call.returns === undefined ? 'Request' : 'ReceiveMessageResult', nodeCallback: true } },
  ]);
  return { extendable: true, members: Object.fromEntries(members) };
}

function each(names: string, effect: EffectFacts): Record<string, Call> {
  return Object.fromEntries(names.split(' ').map((name) => [name, { effect }]));
}

const read: EffectFacts = { kind: 'read' };
const external: EffectFacts = { kind: 'external' };
const dynamo = (operation: 'put' | 'update' | 'delete' | 'transact' | 'batch'): EffectFacts => ({
  kind: 'write',
  classify: { by: 'dynamodb', params: '0', operation },
  ...(operation !== 'transact' && operation !== 'batch' && { table: '0.TableName', where: operation === 'put' ? '0.Item' : '0.Key' }),
  ...(operation === 'batch' && { partialFailureIn: 'UnprocessedItems' }),
});
const promised: Record<string, Shape> = { promise: { call: { returns: 'this' } }, send: { call: { returns: 'this' } } };

const services: Record<string, Shape> = {
  SQS: service(sqs),
  DynamoDB: service({
    ...each('getItem batchGetItem query scan transactGetItems describeTable', read),
    putItem: { effect: dynamo('put') },
    updateItem: { effect: dynamo('update') },
    deleteItem: { effect: dynamo('delete') },
    transactWriteItems: { effect: dynamo('transact') },
    batchWriteItem: { effect: dynamo('batch') },
  }),
  SNS: service({
    publish: { effect: { kind: 'external', key: '0.MessageDeduplicationId', keyIsCarried: true, keyIsContentWith: '0.MessageGroupId', content: ['0.Message', '0.MessageAttributes'] } },
    publishBatch: { effect: { kind: 'external', key: '0.PublishBatchRequestEntries.*.MessageDeduplicationId', keyIsCarried: true, content: '0.PublishBatchRequestEntries', partialFailureIn: 'Failed' } },
    ...each('createTopic', { kind: 'external', idempotentBy: '0.Name' }),
    ...each('subscribe', { kind: 'external', idempotentBy: '0.Endpoint' }),
    ...each('createPlatformEndpoint', { kind: 'external', idempotentBy: '0.Token' }),
  }),
  S3: service({
    ...each('putObject upload copyObject deleteObject', { kind: 'external', idempotentBy: '0.Key' }),
    ...each('deleteObjects', { kind: 'external', idempotentBy: '0.Delete', partialFailureIn: 'Errors' }),
    ...each('getObject headObject listObjects listObjectsV2 getSignedUrl getSignedUrlPromise getObjectTagging', read),
  }),
  SES: service(each('sendEmail sendTemplatedEmail sendBulkTemplatedEmail sendRawEmail', external)),
  SESV2: service(each('sendEmail sendBulkEmail', external)),
  Pinpoint: service(each('sendMessages', external)),
  // Retries are told from new records by nothing: a repeated put is a second record.
  Kinesis: service({ ...each('putRecord', { kind: 'external', content: ['0.Data', '0.PartitionKey'] }), ...each('putRecords', { kind: 'external', content: '0.Records', partialFailureIn: 'FailedRecordCount' }), ...each('getRecords getShardIterator', read) }),
  Firehose: service({ ...each('putRecord', { kind: 'external', content: '0.Record' }), ...each('putRecordBatch', { kind: 'external', content: '0.Records', partialFailureIn: 'FailedPutCount' }) }),
  EventBridge: service(each('putEvents', { kind: 'external', content: '0.Entries', partialFailureIn: 'FailedEntryCount' })),
  CloudWatchEvents: service(each('putEvents', { kind: 'external', content: '0.Entries', partialFailureIn: 'FailedEntryCount' })),
  CloudWatch: service(each('putMetricData', { kind: 'external', negligible: true })),
  Lambda: service({ ...each('invoke invokeAsync', { kind: 'external', content: ['0.Payload', '0.InvokeArgs'] }) }),
  StepFunctions: service({ ...each('startExecution', { kind: 'external', key: '0.name' }), ...each('sendTaskSuccess sendTaskFailure', { kind: 'external', idempotentBy: '0.taskToken' }), ...each('describeExecution', read) }),
  SecretsManager: service(each('getSecretValue', read)),
  SSM: service(each('getParameter getParameters getParametersByPath', read)),
  CognitoIdentityServiceProvider: service({
    ...each('adminGetUser listUsers', read),
    ...each('adminCreateUser adminDeleteUser adminUpdateUserAttributes adminDisableUser adminAddUserToGroup', { kind: 'external', idempotentBy: '0.Username' }),
  }),
};

const DocumentClient: Shape = service({
  ...each('get batchGet query scan transactGet', read),
  put: { effect: dynamo('put') },
  update: { effect: dynamo('update') },
  delete: { effect: dynamo('delete') },
  transactWrite: { effect: dynamo('transact') },
  batchWrite: { effect: dynamo('batch') },
});

const classes = Object.fromEntries(Object.keys(services).map((name): [string, Shape] => [name, { construct: { returns: name } }]));
classes.DynamoDB = { construct: { returns: 'DynamoDB' }, members: { DocumentClient: { construct: { returns: 'DocumentClient' } } } };

const types: Record<string, Shape> = {
  ...services,
  DocumentClient,
  Request: { members: promised },
  ReceiveMessageResult: { members: { ...promised, Messages: { batch: true, element: '@aws-sdk/client-sqs#Message' } } },
};

/** aws-sdk 2.1693.0 (clients/*.d.ts), end of support. */
export default defineLibrary({ name: 'aws-sdk', packages: ['aws-sdk'], exports: { ...classes, default: { members: classes } }, types });

/** `import SQS from 'aws-sdk/clients/sqs'`: the module is the class. */
export const awsSdkClients: Library[] = Object.entries(classes).map(([name, shape]) =>
  defineLibrary({ name: 'aws-sdk', packages: [`aws-sdk/clients/${name.toLowerCase()}`], exports: { ...shape.members, default: shape }, types }),
);
