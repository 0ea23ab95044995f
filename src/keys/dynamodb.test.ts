import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Infrastructure } from '../infrastructure/infrastructure.js';
import { Files } from '../syntax/files.js';
import { Sources } from '../syntax/program.js';
import { readDynamoTables } from './dynamodb.js';

it('has one key, and the names by which functions know the table', () => {
  const root = mkdtempSync(join(tmpdir(), 'idempotent-consumers-keys-'));
  const template = `
Resources:
  Orders:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: shop-orders
      KeySchema:
        - { AttributeName: shop, KeyType: HASH }
        - { AttributeName: number, KeyType: RANGE }
  Carts:
    Type: AWS::Serverless::SimpleTable
  Store:
    Type: AWS::Serverless::Function
    Properties:
      Handler: store.handler
      Environment:
        Variables:
          ORDERS_TABLE: !Ref Orders
`;
  try {
    writeFileSync(join(root, 'template.yaml'), template);
    const files = new Files(root);
    expect(readDynamoTables(new Infrastructure(files, () => new Sources(files)))).toEqual([
      { names: ['Orders', 'shop-orders', 'ORDERS_TABLE'], uniqueKeys: [['shop', 'number']], made: [], aliases: [], whole: true },
      { names: ['Carts'], uniqueKeys: [['id']], made: [], aliases: [], whole: true },
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
