import { testRule } from '../fixtures/rule-tester.js';
import noUnkeyedInsert from './no-unkeyed-insert.js';

const worker = (head: string, body: string): string => `
import { Worker } from 'bullmq';
${head}
new Worker('orders', async (job) => {
  ${body}
}, { connection: {} });
`;

const table = (eventId: string): string => `
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, serial, text } from 'drizzle-orm/pg-core';
const orders = pgTable('orders', { id: serial('id').primaryKey(), eventId: ${eventId}, total: text('total') });
const db = drizzle('');`;
const unique = table(`text('event_id').unique()`);
const plain = table(`text('event_id')`);

const mongo = `
import { MongoClient } from 'mongodb';
const orders = new MongoClient('').db().collection('orders');`;

const pool = `
import { Pool } from 'pg';
const pool = new Pool();`;

testRule(noUnkeyedInsert, {
  valid: [
    { name: 'a unique column holds what the message brings', code: worker(unique, `await db.insert(orders).values({ eventId: job.data.eventId, total: job.data.total });`) },
    { name: 'a unique column holds what nobody knows', code: worker(unique, `await db.insert(orders).values({ eventId: await lookUp(job), total: job.data.total });`) },
    { name: 'the key is given as _id', code: worker(mongo, `await orders.insertOne({ _id: job.data.orderId, total: job.data.total });`) },
    {
      name: 'the collection has a unique index',
      code: worker(`${mongo}\nawait orders.createIndex({ orderId: 1 }, { unique: true });`, `await orders.insertOne({ orderId: job.data.orderId });`),
    },
    { name: 'an id of the message, by convention the key', code: worker(pool, `await pool.query('INSERT INTO orders (id, total) VALUES ($1, $2)', [job.data.orderId, job.data.total]);`) },
    {
      name: 'a secret that is made for one mail',
      code: worker(
        `import { drizzle } from 'drizzle-orm/node-postgres';\nimport { pgTable, text } from 'drizzle-orm/pg-core';\nconst mailTokens = pgTable('mail_tokens', { token: text('token').primaryKey(), userId: text('user_id') });\nconst db = drizzle('');`,
        `await db.insert(mailTokens).values({ token: crypto.randomUUID(), userId: job.data.userId });`,
      ),
    },
    { name: 'an upsert', code: worker(unique, `await db.insert(orders).values({ eventId: job.data.eventId }).onConflictDoUpdate({ target: orders.eventId, set: { total: job.data.total } });`) },
    {
      name: 'a check before it, which is for atomic-inbox to judge',
      code: worker(mongo, `if (await orders.findOne({ orderId: job.data.orderId })) return;\n  await orders.insertOne({ orderId: job.data.orderId });`),
    },
    {
      name: 'behind a row that has a key of the message',
      code: worker(mongo, `await orders.insertOne({ _id: job.data.orderId });\n  await orders.insertOne({ order: job.data.orderId, line: 1 });`),
    },
    {
      name: 'a record of the failure',
      code: worker(mongo, `try { await charge(job.data); } catch (error) { await orders.insertOne({ order: job.data.orderId, error }); throw error; }`),
    },
    { name: 'no handler', code: `${mongo}\nexport const add = (total) => orders.insertOne({ total });`, filename: 'orders.js' },
    {
      name: 'keys over several columns, one of them through a relation',
      code: worker(
        `
        import { Column, DataSource, Entity, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
        @Entity() class Shop { @PrimaryGeneratedColumn() id: number; }
        @Entity() @Unique(['shop', 'number'])
        class Order { @PrimaryGeneratedColumn() id: number; @ManyToOne(() => Shop) shop: Shop; @Column() number: string; }
        const source = new DataSource({});`,
        `await source.getRepository(Order).save({ shop: { id: job.data.shopId }, number: job.data.number });`,
      ),
    },
  ],
  invalid: [
    {
      name: 'no unique column holds a value of the message',
      code: worker(plain, `await db.insert(orders).values({ eventId: job.data.eventId, total: job.data.total });`),
      errors: [
        {
          message:
            'A repeat of this message adds a second row to `orders`: `db.insert(…).values` gives it no unique key that comes from the message (`id` is made anew each time). Take a key from the message, and insert or ignore, or upsert, by it.',
          line: 9,
          column: 9,
          endLine: 9,
          endColumn: 87,
        },
      ],
    },
    {
      name: 'the unique column is left out',
      code: worker(unique, `await db.insert(orders).values({ total: job.data.total });`),
      errors: [{ messageId: 'unkeyed' }],
    },
    {
      name: 'the unique column gets a new value each time',
      code: worker(`import { randomUUID } from 'node:crypto';${unique}`, `await db.insert(orders).values({ eventId: randomUUID(), total: job.data.total });`),
      errors: [{ messageId: 'unkeyed', data: { effect: 'db.insert(…).values', table: '`orders`', made: ' (`id`, `eventId` is made anew each time)' } }],
    },
    {
      name: 'a conflict clause that can never be met',
      code: worker(`import { nanoid } from 'nanoid';${unique}`, `await db.insert(orders).values({ eventId: nanoid() }).onConflictDoUpdate({ target: orders.eventId, set: { total: job.data.total } });`),
      errors: [{ messageId: 'unkeyed' }],
    },
    { name: 'a document without _id', code: worker(mongo, `await orders.insertOne({ orderId: job.data.orderId });`), errors: [{ messageId: 'unkeyed' }] },
    {
      name: 'rows that are made of a list in the message',
      code: worker(plain, `await db.insert(orders).values(job.data.lines.map((line) => ({ total: line.total })));`),
      errors: [{ messageId: 'unkeyed' }],
    },
    {
      name: 'a row whose other rows hang on it is reported alone',
      code: worker(
        plain,
        `const [order] = await db.insert(orders).values({ eventId: job.data.eventId }).returning();
        await db.insert(orders).values({ eventId: order.id });`,
      ),
      errors: [{ messageId: 'unkeyed', line: 9 }],
    },
    {
      name: 'an entity that is filled before it is saved',
      code: worker(
        `
        import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
        @Entity() class Order { @PrimaryGeneratedColumn('uuid') id: string; @Column() number: string; }
        const source = new DataSource({});`,
        `const order = new Order();
        order.number = job.data.number;
        await source.getRepository(Order).save(order);`,
      ),
      errors: [{ messageId: 'unkeyed' }],
    },
    {
      name: 'a keyed row on another path helps nothing',
      code: worker(mongo, `if (job.data.gift) await orders.insertOne({ _id: job.data.orderId });\n  await orders.insertOne({ order: job.data.orderId });`),
      errors: [{ messageId: 'unkeyed', line: 8 }],
    },
    {
      name: 'no schema in sight',
      code: worker(pool, `await pool.query('INSERT INTO orders (order_id, total) VALUES ($1, $2)', [job.data.orderId, job.data.total]);`),
      options: [{ preset: 'strict' }],
      errors: [{ messageId: 'unseen' }],
    },
  ],
});
