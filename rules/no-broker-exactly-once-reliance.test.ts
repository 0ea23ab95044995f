import { testRule } from '../fixtures/rule-tester.js';
import noBrokerExactlyOnceReliance from './no-broker-exactly-once-reliance.js';

/** A worker of BullMQ around this body, and the producer of its jobs. */
function bull(body: string, add: string, queue = 'refunds'): string {
  return `
import { Queue, Worker } from 'bullmq';
import { Pool } from 'pg';
import nodemailer from 'nodemailer';
const pool = new Pool();
const mailer = nodemailer.createTransport({});
const queue = new Queue('${queue}');
export async function request(refund) {
  ${add}
}
export const worker = new Worker('refunds', async (job) => {
  ${body}
});
`;
}

const pay = "await pool.query('UPDATE wallets SET cents = cents + $1 WHERE id = $2', [job.data.cents, job.data.walletId]);";
const add = "await queue.add('refund', refund, { jobId: `refund-${refund.id}` });";
const claim = "const { rowCount } = await pool.query('INSERT INTO processed_refunds (id) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.id]);\n  if (rowCount === 0) return;";

/** A consumer of Kafka that works in a transaction of its producer. */
function kafka(...lines: string[]): string {
  return `
import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
const pool = new Pool();
const kafka = new Kafka({ brokers: [] });
const consumer = kafka.consumer({ groupId: 'totals', readUncommitted: false });
const producer = kafka.producer({ idempotent: true, transactionalId: 'totals' });
await consumer.run({
  autoCommit: false,
  eachMessage: async ({ topic, partition, message }) => {
    const sale = JSON.parse(message.value.toString());
    const transaction = await producer.transaction();
    try {
${lines.map((l) => `      ${l}`).join('\n')}
      await transaction.send({ topic: 'totals', messages: [{ key: sale.id, value: message.value }] });
      await transaction.sendOffsets({ consumerGroupId: 'totals', topics: [{ topic, partitions: [{ partition, offset: message.offset }] }] });
      await transaction.commit();
    } catch (error) {
      await transaction.abort();
      throw error;
    }
  },
});
`;
}

testRule(noBrokerExactlyOnceReliance, {
  valid: [
    { name: 'jobs without an id of their own', code: bull(pay, "await queue.add('refund', refund);") },
    { name: 'one id for all jobs', code: bull(pay, "await queue.add('refund', refund, { jobId: 'refund' });") },
    { name: 'an id that is made anew', code: bull(pay, "await queue.add('refund', refund, { jobId: crypto.randomUUID() });") },
    { name: 'ids on another queue', code: bull(pay, add, 'mails') },
    { name: 'ids on one of several queues', code: bull(pay, add).replace("new Worker('refunds', ", "(name) => new Worker(name, ").replace('export const worker = ', "export const workers = ['refunds', 'mails'].map(").replace(/\}\);\n$/, '}));\n') },
    { name: 'a record of its own', code: bull(`${claim}\n  ${pay}`, add) },
    { name: 'work that a repeat leaves as it was', code: bull("await pool.query('UPDATE refunds SET paid = true WHERE id = $1', [job.data.id]);", add) },
    { name: 'an insert whose keys nobody shows', code: bull("await pool.query('INSERT INTO refunds (id, cents) VALUES ($1, $2)', [job.data.id, job.data.cents]);", add) },
    { name: 'a transaction that covers all there is', code: kafka() },
    { name: 'a write beside it that a repeat leaves as it was', code: kafka("await pool.query('INSERT INTO sales (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [sale.id]);") },
    {
      name: 'committed records only, which is no promise',
      code: `
import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
const pool = new Pool();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'totals', readUncommitted: false });
await consumer.run({ eachMessage: async ({ message }) => { await pool.query('UPDATE totals SET cents = cents + $1', [message.value]); } });
`,
    },
    {
      name: 'a subscription where it is off',
      code: `
import { PubSub } from '@google-cloud/pubsub';
import { Pool } from 'pg';
const pool = new Pool();
const pubsub = new PubSub();
await pubsub.createSubscription('sales', 'totals', { enableExactlyOnceDelivery: false });
pubsub.subscription('totals').on('message', async (message) => {
  await pool.query('UPDATE totals SET cents = cents + $1', [JSON.parse(message.data.toString()).cents]);
  await message.ackWithResponse();
});
`,
    },
  ],
  invalid: [
    {
      name: 'an id for the job',
      code: bull(pay, add),
      errors: [{ messageId: 'option', data: { option: 'jobId', at: ' on line 9', covers: 'keeps a job from being added twice, and only while the first one is there', effect: 'pool.query' }, line: 12, column: 9 }],
    },
    { name: 'ids for many jobs', code: bull(pay, "await queue.addBulk([{ name: 'refund', data: refund, opts: { jobId: refund.id } }]);"), errors: [{ messageId: 'option', line: 12 }] },
    { name: 'a mail that no record keeps from going out twice', code: bull("await mailer.sendMail({ to: job.data.email, subject: 'Refund' });", add), errors: [{ messageId: 'option', line: 12 }] },
    {
      name: 'a write beside the transaction of the producer',
      code: kafka("await pool.query('UPDATE totals SET cents = cents + $1 WHERE region = $2', [sale.cents, sale.region]);"),
      errors: [{ messageId: 'transaction', data: { begin: 'producer.transaction', where: 'line 12', effect: 'pool.query' }, line: 14, column: 13 }],
    },
    {
      name: 'a call beside it',
      code: kafka("await fetch('https://ledger.example/entries', { method: 'POST', body: JSON.stringify({ cents: sale.cents }) });"),
      errors: [{ messageId: 'transaction', line: 14 }],
    },
    {
      name: 'a subscription with exactly-once delivery',
      code: `
import { PubSub } from '@google-cloud/pubsub';
import { Pool } from 'pg';
const pool = new Pool();
const pubsub = new PubSub();
await pubsub.createSubscription('sales', 'totals', { enableExactlyOnceDelivery: true });
pubsub.subscription('totals').on('message', async (message) => {
  await pool.query('UPDATE totals SET cents = cents + $1', [JSON.parse(message.data.toString()).cents]);
  await message.ackWithResponse();
});
`,
      errors: [{ messageId: 'option', line: 8 }],
    },
    {
      name: 'a queue of Nest',
      code: `
import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue, Job } from 'bullmq';
import { Pool } from 'pg';
const pool = new Pool();
@Injectable()
export class Refunds {
  constructor(@InjectQueue('refunds') private readonly queue: Queue) {}
  async request(refund) {
    await this.queue.add('refund', refund, { jobId: refund.id });
  }
}
@Processor('refunds')
export class RefundWorker extends WorkerHost {
  async process(job: Job) {
    await pool.query('UPDATE wallets SET cents = cents + $1 WHERE id = $2', [job.data.cents, job.data.walletId]);
  }
}
`,
      errors: [{ messageId: 'option', line: 17 }],
    },
  ],
});
