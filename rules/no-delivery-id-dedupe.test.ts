import { testRule } from '../fixtures/rule-tester.js';
import noDeliveryIdDedupe from './no-delivery-id-dedupe.js';

testRule(noDeliveryIdDedupe, {
  valid: [
    {
      name: 'an id of the payload',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        const stripe = new Stripe('sk');

        new Worker('refunds', async (job) => {
          await stripe.refunds.create({ charge: job.data.charge }, { idempotencyKey: job.data.refundId });
        });
      `,
    },
    {
      name: 'a random id that serves nothing but a log',
      filename: 'consumer.js',
      code: `
        import { randomUUID } from 'node:crypto';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          console.log(randomUUID());
          await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
        });
      `,
    },
    {
      name: 'the times of calls, which nobody asks for a message',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const calls = [];

        new Worker('carts', async (job) => {
          const now = Date.now();
          calls.push(now);
          await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
        });
      `,
    },
    {
      name: 'an id of the row beside the columns by which a repeat is told',
      code: `
        import { randomUUID } from 'node:crypto';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          await pool.query('INSERT INTO processed_carts (id, cart_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [randomUUID(), job.data.id]);
        });
      `,
    },
    {
      name: 'the week that the clock says',
      code: `
        import { Queue, Worker } from 'bullmq';
        import { getISOWeek, startOfWeek, subWeeks } from 'date-fns';
        const reports = new Queue('reports');

        new Worker('shops', async (job) => {
          const last = startOfWeek(subWeeks(new Date(), 1));
          await reports.add('weekly', { shop: job.data.shop }, { jobId: \`report-\${job.data.shop}-\${last.getFullYear()}-\${getISOWeek(last)}\` });
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'the moment that the clock says',
      code: `
        import { Queue, Worker } from 'bullmq';
        const reports = new Queue('reports');

        new Worker('shops', async (job) => {
          await reports.add('weekly', { shop: job.data.shop }, { jobId: \`report-\${job.data.shop}-\${new Date().getTime()}\` });
        });
      `,
      errors: [{ messageId: 'minted', line: 6, column: 73, endLine: 6, endColumn: 122 }],
    },
    {
      name: 'a key made in the handler',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        import { v4 as uuid } from 'uuid';
        const stripe = new Stripe('sk');

        new Worker('refunds', async (job) => {
          await stripe.refunds.create({ charge: job.data.charge }, { idempotencyKey: uuid() });
        });
      `,
      errors: [{ messageId: 'minted', line: 8, column: 86, endLine: 8, endColumn: 92 }],
    },
    {
      name: 'the delivery tag',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          await channel.consume('returns', async (msg) => {
            await pool.query('INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING', [msg.fields.deliveryTag]);
            channel.ack(msg);
          });
        }
      `,
      errors: [{ messageId: 'delivery', line: 10, column: 92, endLine: 10, endColumn: 114 }],
    },
  ],
});
