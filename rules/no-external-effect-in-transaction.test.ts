import { testRule } from '../fixtures/rule-tester.js';
import noExternalEffectInTransaction from './no-external-effect-in-transaction.js';

testRule(noExternalEffectInTransaction, {
  valid: [
    {
      name: 'behind the callback',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        import axios from 'axios';
        const prisma = new PrismaClient();

        new Worker('orders', async (job) => {
          await prisma.$transaction(async (tx) => {
            await tx.order.update({ where: { id: job.data.id }, data: { status: 'paid' } });
          });
          await axios.post('https://example.org/labels', { order: job.data.id });
        });
      `,
    },
    {
      name: 'an outbox row',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('orders', async (job) => {
          await prisma.$transaction(async (tx) => {
            await tx.order.update({ where: { id: job.data.id }, data: { status: 'paid' } });
            await tx.outbox.upsert({ where: { id: job.data.id }, create: { id: job.data.id }, update: {} });
          });
        });
      `,
    },
    {
      name: 'after the rollback',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import pg from 'pg';
        const pool = new pg.Pool();

        new Worker('orders', async (job) => {
          const client = await pool.connect();
          try {
            await client.query('BEGIN');
            await client.query("UPDATE orders SET status = 'paid' WHERE id = $1", [job.data.id]);
            await client.query('COMMIT');
          } catch (error) {
            await client.query('ROLLBACK');
            await axios.post('https://example.org/failures', { order: job.data.id });
            throw error;
          } finally {
            client.release();
          }
        });
      `,
    },
    {
      name: 'a transaction that is ended where nobody can see it',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import pg from 'pg';
        import { finish } from 'somewhere';
        const pool = new pg.Pool();

        new Worker('orders', async (job) => {
          const client = await pool.connect();
          await client.query('BEGIN');
          await client.query("UPDATE orders SET status = 'paid' WHERE id = $1", [job.data.id]);
          await finish(client);
          await axios.post('https://example.org/labels', { order: job.data.id });
        });
      `,
    },
    {
      name: 'a cache and a log inside',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import { Redis } from 'ioredis';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();
        const redis = new Redis();

        new Worker('orders', async (job) => {
          await prisma.$transaction(async (tx) => {
            await tx.order.update({ where: { id: job.data.id }, data: { status: 'paid' } });
            await redis.del('order:' + job.data.id);
            console.log('paid', job.data.id);
          });
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'a helper that is called before the transaction, and in it',
      code: `
        import { Worker } from 'bullmq';
        import { DataSource } from 'typeorm';
        import nodemailer from 'nodemailer';
        import { Order } from './order';
        const dataSource = new DataSource({ type: 'postgres' });
        const transport = nodemailer.createTransport('smtp://localhost');
        const tell = (to, subject) => transport.sendMail({ to, subject });

        new Worker('orders', async (job) => {
          await tell(job.data.email, 'Received');
          await dataSource.transaction(async (manager) => {
            await manager.update(Order, { id: job.data.id }, { status: 'paid' });
            await tell(job.data.email, 'Paid');
          });
        });
      `,
      errors: [{ messageId: 'effect', line: 8, column: 39 }],
    },
    {
      name: 'a mail in the callback',
      code: `
        import { Worker } from 'bullmq';
        import { DataSource } from 'typeorm';
        import nodemailer from 'nodemailer';
        import { Order } from './order';
        const dataSource = new DataSource({ type: 'postgres' });
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('orders', async (job) => {
          await dataSource.transaction(async (manager) => {
            await manager.update(Order, { id: job.data.id }, { status: 'paid' });
            await transport.sendMail({ to: job.data.email, subject: 'Paid' });
          });
        });
      `,
      errors: [{ messageId: 'effect', line: 12, column: 19, endLine: 12, endColumn: 78 }],
    },
    {
      name: 'between BEGIN and COMMIT',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import pg from 'pg';
        const pool = new pg.Pool();

        new Worker('orders', async (job) => {
          const client = await pool.connect();
          try {
            await client.query('BEGIN');
            await axios.post('https://example.org/labels', { order: job.data.id });
            await client.query("UPDATE orders SET status = 'paid' WHERE id = $1", [job.data.id]);
            await client.query('COMMIT');
          } catch (error) {
            await client.query('ROLLBACK');
            throw error;
          }
        });
      `,
      errors: [{ messageId: 'effect', line: 11, column: 19, endLine: 11, endColumn: 83 }],
    },
    {
      name: 'a question that holds the lock',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('orders', async (job) => {
          await prisma.$transaction(async (tx) => {
            const { data } = await axios.get('https://example.org/rates/' + job.data.currency);
            await tx.order.update({ where: { id: job.data.id }, data: { rate: data.rate } });
          });
        });
      `,
      errors: [{ messageId: 'read', line: 9, column: 36, endLine: 9, endColumn: 95 }],
    },
    {
      name: 'in a helper of the callback',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        import Stripe from 'stripe';
        const prisma = new PrismaClient();
        const stripe = new Stripe('sk');

        const customerOf = (id) => stripe.customers.retrieve(id);

        new Worker('orders', async (job) => {
          await prisma.$transaction(async (tx) => {
            const customer = await customerOf(job.data.customer);
            await tx.order.update({ where: { id: job.data.id }, data: { email: customer.email } });
          });
        });
      `,
      errors: [{ messageId: 'read', line: 8, column: 36, endLine: 8, endColumn: 65 }],
    },
  ],
});
