import { testRule } from '../fixtures/rule-tester.js';
import requireSequenceGate from './require-sequence-gate.js';

/** A handler of amqplib around these lines. */
function amqp(...lines: string[]): string {
  return `
import amqp from 'amqplib';
import { Pool } from 'pg';
import { PrismaClient } from '@prisma/client';
const pool = new Pool();
const prisma = new PrismaClient();
const channel = await (await amqp.connect('amqp://localhost')).createChannel();
await channel.consume('orders', async (msg) => {
  const event = JSON.parse(msg.content.toString());
  ${lines.join('\n  ')}
  channel.ack(msg);
});
`;
}

/** A handler of kafkajs around these lines. */
const kafka = (...lines: string[]): string => amqp(...lines).replace("import amqp from 'amqplib';", "import { Kafka } from 'kafkajs';").replace(/const channel.*\nawait channel.*\n/, "const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'orders' });\nawait consumer.run({ eachMessage: async ({ message: msg }) => {\n").replace('msg.content', 'msg.value').replace('  channel.ack(msg);\n});', '} });');

/** A handler of amqplib on Drizzle, whose helper takes the database or a transaction. */
const drizzle = (...lines: string[]): string => `
import { container } from 'some-container';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type PgTransaction, pgTable, text } from 'drizzle-orm/pg-core';
const orders = pgTable('orders', { id: text('id').primaryKey(), status: text('status') });
const db = drizzle('');
async function update(connection: typeof db | PgTransaction<any, any, any>, { id, ...rest }: { id: string; status: string }) {
  await connection.update(orders).set(rest).where(eq(orders.id, id));
}
${amqp(...lines)}`;

const status = "await pool.query('UPDATE orders SET status = $1 WHERE id = $2', [event.status, event.orderId]);";
const versioned = "await pool.query('UPDATE orders SET status = $1, version = $2 WHERE id = $3', [event.status, event.version, event.orderId]);";

testRule(requireSequenceGate, {
  valid: [
    { name: 'a gate on the version', code: amqp("await pool.query('UPDATE orders SET status = $1, version = $2 WHERE id = $3 AND version < $2', [event.status, event.version, event.orderId]);") },
    { name: 'a gate on the state', code: amqp("await pool.query(\"UPDATE orders SET status = $1 WHERE id = $2 AND status = 'open'\", [event.status, event.orderId]);") },
    { name: 'an upsert with a gate', code: amqp("await pool.query('INSERT INTO prices (sku, price, updated_at) VALUES ($1, $2, $3) ON CONFLICT (sku) DO UPDATE SET price = EXCLUDED.price, updated_at = EXCLUDED.updated_at WHERE prices.updated_at < EXCLUDED.updated_at', [event.sku, event.price, event.updatedAt]);") },
    { name: 'the filter of updateMany as a gate', code: amqp('await prisma.order.updateMany({ where: { id: event.orderId, version: { lt: event.version } }, data: { status: event.status, version: event.version } });') },
    { name: 'a state that is set once', code: amqp("await pool.query(\"UPDATE orders SET status = 'shipped' WHERE id = $1\", [event.orderId]);") },
    { name: 'an insert that leaves the row alone', code: amqp("await pool.query('INSERT INTO orders (id, status) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [event.orderId, event.status]);") },
    { name: 'what was fetched for it', code: amqp("const order = await (await fetch(`https://shop.example/orders/${event.orderId}`)).json();", "await pool.query('UPDATE orders SET status = $1 WHERE id = $2', [order.status, event.orderId]);") },
    { name: 'what does not change in the life of a thing', code: amqp("await pool.query('UPDATE orders SET tracking_code = $1 WHERE id = $2', [event.trackingCode, event.orderId]);") },
    { name: 'a row for each event', code: amqp("await pool.query('INSERT INTO price_events (event_id, price, updated_at) VALUES ($1, $2, $3) ON CONFLICT (event_id) DO UPDATE SET price = EXCLUDED.price, updated_at = EXCLUDED.updated_at', [event.eventId, event.price, event.updatedAt]);") },
    { name: 'a partition keeps the order', code: kafka(status) },
    {
      name: 'a job of the program itself',
      code: `
import { Worker } from 'bullmq';
import { Pool } from 'pg';
const pool = new Pool();
new Worker('orders', async (job) => {
  await pool.query('UPDATE orders SET status = $1 WHERE id = $2', [job.data.status, job.data.orderId]);
});
`,
    },
    { name: 'a failure that is noted', code: amqp("try { await prisma.order.create({ data: { id: event.orderId } }); } catch (error) {", "  await pool.query('UPDATE orders SET status = $1 WHERE id = $2', [event.status, event.orderId]);", '}') },
    { name: 'a constant that the outcome of a call chooses', code: amqp("const answer = await fetch('https://bank.example/charges', { method: 'POST', body: JSON.stringify(event) });", "const status = answer.ok ? 'paid' : 'declined';", "await prisma.order.update({ where: { id: event.orderId }, data: { status } });") },
    { name: 'a row of another table, read by what the message names', code: amqp('const shop = await prisma.shop.findUnique({ where: { id: event.shopId } });', 'await prisma.order.update({ where: { id: shop.lastOrderId }, data: { status: event.status } });') },
    { name: 'outcomes of its own work', code: amqp("if (event.total > 1000) await pool.query(\"UPDATE orders SET status = 'review' WHERE id = $1\", [event.orderId]);", "else await pool.query(\"UPDATE orders SET status = 'accepted' WHERE id = $1\", [event.orderId]);") },
  ],
  invalid: [
    {
      name: 'a bigint among the columns',
      code: amqp('await prisma.account.update({ where: { id: event.accountId }, data: { limit: 100n, plan: event.plan } });'),
      errors: [{ messageId: 'late', data: { effect: 'prisma.account.update', columns: '`plan`', version: '' }, line: 10 }],
    },
    {
      name: 'one helper for two events, of which the second says the state',
      code: amqp(
        'const set = (id: string, plan: string, status?: string) => prisma.account.update({ where: { id }, data: { plan, status } });',
        "if (event.type === 'opened') await set(event.accountId, 'basic', 'open');",
        "else await set(event.accountId, 'basic', event.status);",
      ),
      errors: [{ messageId: 'late', data: { effect: 'prisma.account.update', columns: '`status`', version: '' }, line: 10 }],
    },
    {
      name: 'an amount that this event does not bring',
      code: amqp(
        'const set = (id: string, status: string, bought?: number) => prisma.account.update({ where: { id }, data: { status, credits: bought !== undefined ? { increment: bought } : undefined } });',
        'await set(event.accountId, event.status);',
      ),
      errors: [{ messageId: 'late', data: { effect: 'prisma.account.update', columns: '`status`', version: '' }, line: 10 }],
    },
    {
      name: 'one helper that two events give two constants',
      code: amqp(
        'const set = (status: string) => prisma.invoice.update({ where: { id: event.invoiceId }, data: { status } });',
        "if (event.type === 'paid') await set('paid');",
        "else if (event.type === 'refunded') await set('refunded');",
      ),
      errors: [{ messageId: 'byType', data: { effect: 'prisma.invoice.update', column: 'status', value: "'paid'", where: 'line 10', other: "'refunded'" }, line: 10 }],
    },
    { name: 'a status as it comes', code: amqp(status), errors: [{ messageId: 'late', data: { effect: 'pool.query', columns: '`status`', version: '' }, line: 10, column: 9 }] },
    { name: 'a version that is written and not compared', code: amqp(versioned), errors: [{ messageId: 'carried', data: { effect: 'pool.query', columns: '`status`', version: 'version' }, line: 10 }] },
    { name: 'a version on a partition', code: kafka(versioned), errors: [{ messageId: 'carried' }] },
    { name: 'a constant that the event chooses', code: amqp("const status = event.state === 'active' || event.state === 'trialing' ? 'open' : 'closed';", "await prisma.account.update({ where: { id: event.accountId }, data: { status } });"), errors: [{ messageId: 'late', data: { effect: 'prisma.account.update', columns: '`status`', version: '' } }] },
    { name: 'a row that was read by what the event names', code: amqp('const account = await prisma.account.findUnique({ where: { customer: event.customer } });', 'await prisma.account.update({ where: { id: account.id }, data: { endsAt: new Date(event.periodEnd * 1000) } });'), errors: [{ messageId: 'late', data: { effect: 'prisma.account.update', columns: '`endsAt`', version: '' } }] },
    { name: 'the rest of what was handed on', code: drizzle("await update(container.get('db'), { id: event.orderId, status: event.status });"), errors: [{ messageId: 'late', data: { effect: 'connection.update(…).set', columns: '`status`', version: '' } }] },
    { name: 'an upsert', code: amqp("await pool.query('INSERT INTO prices (sku, price) VALUES ($1, $2) ON CONFLICT (sku) DO UPDATE SET price = EXCLUDED.price', [event.sku, event.price]);"), errors: [{ messageId: 'late', line: 10 }] },
    { name: 'an upsert of Prisma', code: amqp('await prisma.price.upsert({ where: { sku: event.sku }, create: { sku: event.sku, price: event.price }, update: { price: event.price } });'), errors: [{ messageId: 'late', line: 10 }] },
    {
      name: 'a comparison in the program',
      code: amqp('const order = await prisma.order.findUnique({ where: { id: event.orderId } });', "if (order.status === 'closed') return channel.ack(msg);", 'await prisma.order.update({ where: { id: event.orderId }, data: { status: event.status } });'),
      errors: [{ messageId: 'compared', line: 12 }],
    },
    {
      name: 'events of two types',
      code: amqp('switch (event.type) {', "  case 'paid':", "    await prisma.invoice.update({ where: { id: event.invoiceId }, data: { status: 'paid' } });", '    break;', "  case 'refunded':", "    await prisma.invoice.update({ where: { id: event.invoiceId }, data: { status: 'refunded' } });", '    break;', '}'),
      errors: [{ messageId: 'byType', data: { effect: 'prisma.invoice.update', column: 'status', value: "'paid'", where: 'line 15', other: "'refunded'" }, line: 12 }],
    },
    {
      name: 'an item of DynamoDB',
      code: `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSHandler } from 'aws-lambda';
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const handler: SQSHandler = async (event) => {
  for (const record of event.Records) {
    const user = JSON.parse(record.body);
    await documents.send(new UpdateCommand({ TableName: 'users', Key: { pk: user.userId }, UpdateExpression: 'SET #email = :email', ExpressionAttributeNames: { '#email': 'email' }, ExpressionAttributeValues: { ':email': user.email } }));
  }
};
`,
      errors: [{ messageId: 'late', line: 9 }],
    },
    {
      name: 'a document of MongoDB',
      code: `
import { PubSub } from '@google-cloud/pubsub';
import { MongoClient } from 'mongodb';
const stock = new MongoClient('mongodb://localhost').db().collection('stock');
new PubSub().subscription('stock').on('message', async (message) => {
  const event = JSON.parse(message.data.toString());
  await stock.updateOne({ sku: event.sku }, { $set: { quantity: event.quantity } });
  message.ack();
});
`,
      errors: [{ messageId: 'late', line: 7 }],
    },
  ],
});
