import { testRule } from '../fixtures/rule-tester.js';
import inboxRetention from './inbox-retention.js';

const strict = [{ preset: 'strict' }];

/** A handler of kafkajs around these lines, with the stores that they may need. */
function kafka(body: string, rest = ''): string {
  return `
import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
import { Redis } from 'ioredis';
const pool = new Pool();
const redis = new Redis();
const HOUR = 60 * 60;
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'fares' });
await consumer.run({
  eachMessage: async ({ message }) => {
    const trip = JSON.parse(message.value.toString());
    ${body}
  },
});
${rest}`;
}

const add = "await pool.query('UPDATE cards SET balance = balance - $1 WHERE id = $2', [trip.fare, trip.cardId]);";
const table = "await pool.query('CREATE TABLE processed_trips (id text PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now())');";
const claim = "const { rowCount } = await pool.query('INSERT INTO processed_trips (id) VALUES ($1) ON CONFLICT DO NOTHING', [trip.id]);\n    if (rowCount === 0) return;";
const prune = (age: string): string => `export async function prune() { await pool.query("DELETE FROM processed_trips WHERE processed_at < now() - ${age}"); }`;

testRule(inboxRetention, {
  valid: [
    { name: 'longer than the topic keeps', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', 8 * 24 * HOUR, 'NX'))) return;\n    ${add}`), options: strict },
    { name: 'a time to live that is configured', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', Number(process.env.TTL), 'NX'))) return;\n    ${add}`), options: strict },
    { name: 'a lock, which the work releases', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', 30, 'NX'))) return;\n    ${add}\n    await redis.del(\`trip:\${trip.id}\`);`), options: strict },
    { name: 'a throttle, by the id of a user', code: kafka(`if (!(await redis.set(\`fares:\${trip.userId}\`, '1', 'EX', 300, 'NX'))) return;\n    ${add}`), options: strict },
    { name: 'a throttle for all', code: kafka(`if (!(await redis.set('fares', '1', 'EX', 300, 'NX'))) return;\n    ${add}`), options: strict },
    { name: 'a lock that others wait for', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', 30, 'NX'))) throw new Error('locked');\n    ${add}`), options: strict },
    { name: 'work that a repeat leaves as it was', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', HOUR, 'NX'))) return;\n    await pool.query('UPDATE cards SET last_trip = $1 WHERE id = $2', [trip.id, trip.cardId]);`), options: strict },
    { name: 'pruned after all redeliveries', code: kafka(`${claim}\n    ${add}`, `${table}\n${prune("interval '30 days'")}`), options: strict },
    { name: 'pruned by something that is computed', code: kafka(`${claim}\n    ${add}`, `${table}\nexport async function prune(days: number) { await pool.query("DELETE FROM processed_trips WHERE processed_at < now() - $1 * interval '1 day'", [days]); }`), options: strict },
    { name: 'a table of others, who may prune it', code: kafka(`${claim}\n    ${add}`), options: strict },
    { name: 'a table in partitions', code: kafka(`${claim}\n    ${add}`, `${table}\nexport const drop = (day: string) => pool.query(\`DROP TABLE processed_trips_\${day}\`);\nexport async function truncate() { await pool.query('DELETE FROM processed_trips'); }`), options: strict },
    { name: 'a business table', code: kafka(`const { rowCount } = await pool.query('INSERT INTO trips (id) VALUES ($1) ON CONFLICT DO NOTHING', [trip.id]);\n    if (rowCount === 0) return;\n    ${add}`, "await pool.query('CREATE TABLE trips (id text PRIMARY KEY)');"), options: strict },
    { name: 'a topic whose retention is set somewhere', code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', HOUR, 'NX'))) return;\n    ${add}`, "export const entries = [{ name: 'retention.ms', value: process.env.RETENTION }];"), options: strict },
    {
      name: 'a bounded client, within its bound',
      code: `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KinesisStreamHandler } from 'aws-lambda';
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler: KinesisStreamHandler = async (event) => {
  for (const record of event.Records) {
    const scan = JSON.parse(Buffer.from(record.kinesis.data, 'base64').toString());
    try {
      await documents.send(new PutCommand({ TableName: 'seen_scans', Item: { pk: scan.id, expiresAt: Math.floor(Date.now() / 1000) + 2 * 86400 }, ConditionExpression: 'attribute_not_exists(pk)' }));
    } catch (error) {
      if (error.name === 'ConditionalCheckFailedException') continue;
      throw error;
    }
    await documents.send(new UpdateCommand({ TableName: 'belts', Key: { pk: scan.belt }, UpdateExpression: 'ADD scans :one', ExpressionAttributeValues: { ':one': 1 } }));
  }
};
`,
      options: strict,
    },
  ],
  invalid: [
    {
      name: 'a key that lives a day, on a topic that keeps seven',
      code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'EX', 24 * HOUR, 'NX'))) return;\n    ${add}`),
      options: strict,
      errors: [{ messageId: 'short', data: { record: 'redis.set', kept: '1 day', horizon: 'a Kafka topic keeps its records for 7 days by default', effect: 'pool.query', where: 'line 13' }, line: 12, column: 57 }],
    },
    {
      name: 'a key that is asked for and set with its end',
      code: kafka(`const key = \`trip:\${trip.id}\`;\n    if (await redis.exists(key)) return;\n    ${add}\n    await redis.setex(key, HOUR, '1');`),
      options: strict,
      errors: [{ messageId: 'short', line: 15, column: 28 }],
    },
    {
      name: 'a key whose end is set after it',
      code: kafka(`const key = \`trip:\${trip.id}\`;\n    if ((await redis.setnx(key, '1')) === 0) return;\n    await redis.expire(key, HOUR);\n    ${add}`),
      options: strict,
      errors: [{ messageId: 'short', line: 14, column: 29 }],
    },
    {
      name: 'a key without an end',
      code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'NX'))) return;\n    ${add}`),
      options: strict,
      errors: [{ messageId: 'endless', line: 12 }],
    },
    {
      name: 'rows that go too early',
      code: kafka(`${claim}\n    ${add}`, `${table}\n${prune("interval '1 day'")}`),
      options: strict,
      errors: [{ messageId: 'pruned', data: { record: 'pool.query', table: 'processed_trips', kept: '1 day', prune: 'line 18', horizon: 'a Kafka topic keeps its records for 7 days by default', effect: 'pool.query', where: 'line 14' }, line: 12 }],
    },
    {
      name: 'rows that never go',
      code: kafka(`${claim}\n    ${add}`, table),
      options: strict,
      errors: [{ messageId: 'never', data: { record: 'pool.query', table: 'processed_trips' }, line: 12 }],
    },
    {
      name: 'a topic whose retention is set in the program',
      code: kafka(`if (!(await redis.set(\`trip:\${trip.id}\`, '1', 'PX', 3600000, 'NX'))) return;\n    ${add}`),
      options: strict,
      settings: { 'idempotent-consumers': { redeliveryHorizons: { kafkajs: '30d' } } },
      errors: [{ messageId: 'short', line: 12 }],
    },
    {
      name: 'an item of DynamoDB',
      code: `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSHandler } from 'aws-lambda';
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler: SQSHandler = async (event) => {
  for (const record of event.Records) {
    const scan = JSON.parse(record.body);
    try {
      await documents.send(new PutCommand({ TableName: 'seen_scans', Item: { pk: scan.id, ttl: Math.floor(Date.now() / 1000) + 3600 }, ConditionExpression: 'attribute_not_exists(pk)' }));
    } catch (error) {
      if (error.name === 'ConditionalCheckFailedException') continue;
      throw error;
    }
    await documents.send(new UpdateCommand({ TableName: 'belts', Key: { pk: scan.belt }, UpdateExpression: 'ADD scans :one', ExpressionAttributeValues: { ':one': 1 } }));
  }
};
`,
      options: strict,
      errors: [{ messageId: 'short', line: 10 }],
    },
    {
      name: 'documents with an end',
      code: `
import { Worker } from 'node:worker_threads';
import amqp from 'amqplib';
import mongoose from 'mongoose';
const Processed = mongoose.model('ProcessedRide', new mongoose.Schema({ _id: String, at: { type: Date, default: Date.now, expires: '2h' } }));
const Rider = mongoose.model('Rider', new mongoose.Schema({ rides: Number }));
const channel = await (await amqp.connect('amqp://localhost')).createChannel();
await channel.consume('rides', async (msg) => {
  if (!msg) return;
  const ride = JSON.parse(msg.content.toString());
  if (await Processed.findOne({ _id: ride.id })) return channel.ack(msg);
  await Processed.create({ _id: ride.id });
  await Rider.updateOne({ _id: ride.riderId }, { $inc: { rides: 1 } });
  channel.ack(msg);
});
`,
      options: strict,
      errors: [{ messageId: 'pruned', line: 12 }],
    },
  ],
});
