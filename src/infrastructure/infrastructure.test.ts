import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Files } from '../syntax/files.js';
import { Sources } from '../syntax/program.js';
import { Infrastructure } from './infrastructure.js';

const folders: string[] = [];
afterEach(() => {
  for (const f of folders.splice(0)) rmSync(f, { recursive: true, force: true });
});

function read(files: Record<string, string>): { resources: object[]; functions: object[] } {
  const root = mkdtempSync(join(tmpdir(), 'infrastructure-'));
  folders.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const disk = new Files(root);
  const infrastructure = new Infrastructure(disk, () => new Sources(disk));
  return {
    resources: infrastructure.resources().map(({ type, id, properties }) => ({ type, id, properties })),
    functions: infrastructure.functions().map((f) => ({
      id: f.id,
      modules: f.modules.map((m) => (m.startsWith(root) ? relative(root, m) : m)),
      exported: f.exported,
      sources: f.sources.map(({ source, partialBatch, from }) => ({ source, partialBatch, ...(from && { from: from.id }) })),
    })),
  };
}

describe('serverless.yml', () => {
  test('names functions with their events, and resources', () => {
    const { resources, functions } = read({
      'serverless.yml': `
service: orders
functions:
  place:
    handler: src/orders.place
    events:
      - sqs:
          arn: !GetAtt Orders.Arn
          functionResponseType: ReportBatchItemFailures
      - http: POST /orders
  bill:
    handler: src/billing/index.handler
    events:
      - stream:
          type: dynamodb
          arn: { Fn::GetAtt: [Invoices, StreamArn] }
resources:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        MessageRetentionPeriod: 1209600
    Invoices:
      Type: AWS::DynamoDB::Table
      Properties:
        TableName: invoices
        KeySchema:
          - { AttributeName: pk, KeyType: HASH }
`,
    });
    expect(functions).toEqual([
      { id: 'place', modules: ['src/orders'], exported: 'place', sources: [{ source: 'SQS', partialBatch: true, from: 'Orders' }] },
      { id: 'bill', modules: ['src/billing/index'], exported: 'handler', sources: [{ source: 'DynamoDB Streams', partialBatch: false, from: 'Invoices' }] },
    ]);
    expect(resources).toEqual([
      { type: 'AWS::SQS::Queue', id: 'Orders', properties: { MessageRetentionPeriod: 1209600 } },
      { type: 'AWS::DynamoDB::Table', id: 'Invoices', properties: { TableName: 'invoices', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } },
    ]);
  });

  test('may be in parts', () => {
    const { functions } = read({
      'serverless.yml': 'service: mails\nfunctions: ${file(config/functions.yml)}\nresources: ${file(config/queues.yml)}\n',
      'config/functions.yml': 'send:\n  handler: src/send.main\n  events:\n    - sqs: { arn: "arn:aws:sqs:eu-west-1:123456789012:mails" }\n',
      'config/queues.yml': 'Resources:\n  Mails:\n    Type: AWS::SQS::Queue\n    Properties: { QueueName: mails }\n',
    });
    expect(functions).toEqual([{ id: 'send', modules: ['config/src/send'], exported: 'main', sources: [{ source: 'SQS', partialBatch: false, from: 'Mails' }] }]);
  });
});

test('templates of SAM name functions with their events, mappings and sources', () => {
  const { functions } = read({
    'template.yaml': `
Transform: AWS::Serverless-2016-10-31
Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties: { FifoQueue: true }
  Pick:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/
      Handler: pick.handler
      Events:
        Batch:
          Type: SQS
          Properties:
            Queue: !GetAtt Queue.Arn
            FunctionResponseTypes: [ReportBatchItemFailures]
        Api:
          Type: Api
          Properties: { Path: /pick, Method: get }
    Metadata:
      BuildMethod: esbuild
      BuildProperties:
        EntryPoints: [src/pick.ts]
  Pack:
    Type: AWS::Lambda::Function
    Properties: { Handler: pack.handler }
  Mapping:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      FunctionName: !Ref Pack
      EventSourceArn: !Sub '\${Queue.Arn}'
`,
  });
  expect(functions).toEqual([
    { id: 'Pick', modules: ['functions/src/pick', 'functions/pick'], exported: 'handler', sources: [{ source: 'SQS', partialBatch: true, from: 'Queue' }] },
    { id: 'Pack', modules: ['pack'], exported: 'handler', sources: [{ source: 'SQS', partialBatch: false, from: 'Queue' }] },
  ]);
});

test('stacks of the CDK name functions, queues and tables', () => {
  const { resources, functions } = read({
    'infra/stack.ts': `
import { Duration, Stack } from 'aws-cdk-lib';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';

export class Shop extends Stack {
  private readonly orders: sqs.Queue;

  constructor(scope: App, id: string) {
    super(scope, id);
    this.orders = new sqs.Queue(this, 'Orders', { retentionPeriod: Duration.days(14), fifo: true });
    new Table(this, 'Stock', { partitionKey: { name: 'sku', type: AttributeType.STRING }, timeToLiveAttribute: 'expires' });
    const place = new NodejsFunction(this, 'Place', { entry: path.join(__dirname, '../src/place.ts'), handler: 'main' });
    place.addEventSource(new SqsEventSource(this.orders, { batchSize: 10, reportBatchItemFailures: true }));
    new Function(this, 'Refuse', { runtime: Runtime.NODEJS_22_X, code: Code.fromAsset('lambda'), handler: 'refuse.handler', events: [new SqsEventSource(this.orders)] });
  }
}
`,
  });
  expect(functions).toEqual([
    { id: 'place', modules: ['src/place'], exported: 'main', sources: [{ source: 'SQS', partialBatch: true, from: 'orders' }] },
    { id: 'Refuse', modules: ['lambda/refuse'], exported: 'handler', sources: [{ source: 'SQS', partialBatch: false, from: 'orders' }] },
  ]);
  expect(resources).toEqual([
    { type: 'AWS::SQS::Queue', id: 'orders', properties: { FifoQueue: true, MessageRetentionPeriod: 1_209_600 } },
    { type: 'AWS::DynamoDB::Table', id: 'Stock', properties: { KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }], TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } } },
  ]);
});

test('other YAML, and YAML that cannot be read, say nothing', () => {
  const { resources, functions } = read({
    'compose.yml': 'services:\n  queue: { image: rabbitmq }\n',
    'broken.yaml': 'Orders: [AWS::SQS::Queue\n\t}: {',
    'self.yaml': 'Orders: &a\n  Type: AWS::SQS::Queue\n  Also: *a\n',
  });
  expect(functions).toEqual([]);
  expect(resources).toEqual([{ type: 'AWS::SQS::Queue', id: 'Orders', properties: {} }]);
});
