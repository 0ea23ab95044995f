import { testRule } from '../fixtures/rule-tester.js';
import noDeltaWrite from './no-delta-write.js';

testRule(noDeltaWrite, {
  valid: [
    {
      name: 'a number that another system counted',
      code: `
        import { Worker } from 'bullmq';
        import { Redis } from 'ioredis';
        import { Pool } from 'pg';
        const redis = new Redis();
        const pool = new Pool();

        new Worker('seats', async (job) => {
          const { rows } = await pool.query('SELECT count(*) AS taken FROM seats WHERE hall = $1', [job.data.hall]);
          await redis.set(\`last:\${job.data.hall}\`, rows[0].taken - 1);
        });
      `,
    },
    {
      name: 'a count whose key expires',
      code: `
        import { Worker } from 'bullmq';
        import Redis from 'ioredis';
        const redis = new Redis();

        new Worker('calls', async (job) => {
          const window = \`calls:\${job.data.caller}\`;
          const seen = await redis.incr(window);
          await redis.expire(window, 60);
          if (seen > 100) throw new Error('too many calls');
        });
      `,
    },
    {
      name: 'keys of a JSON document, set by raw SQL',
      code: `
        import { Worker } from 'bullmq';
        import { DataSource } from 'typeorm';
        import { Product } from './product.js';
        declare const source: DataSource;

        new Worker('texts', async (job) => {
          await source.getRepository(Product).createQueryBuilder().update(Product)
            .set({ texts: () => "jsonb_set(texts, ARRAY[:lang], COALESCE(texts->:lang, '{}'::jsonb) || :added::jsonb, true)" })
            .setParameters({ lang: job.data.lang, added: job.data.added })
            .where('id = :id', { id: job.data.productId })
            .execute();
        });
      `,
    },
    {
      name: 'an absolute value',
      code: `
        import { Kafka } from 'kafkajs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'accounts' });

        await consumer.run({
          eachMessage: async ({ message }) => {
            const account = JSON.parse(String(message.value));
            await pool.query('UPDATE accounts SET balance = $1 WHERE id = $2', [account.balance, account.id]);
          },
        });
      `,
    },
    {
      name: 'recorded in the same transaction',
      code: `
        import { Kafka } from 'kafkajs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'accounts' });

        await consumer.run({
          eachMessage: async ({ message }) => {
            const payment = JSON.parse(String(message.value));
            const client = await pool.connect();
            try {
              await client.query('BEGIN');
              const { rowCount } = await client.query('INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING', [payment.id]);
              if (rowCount === 1) await client.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [payment.amount, payment.account]);
              await client.query('COMMIT');
            } catch (error) {
              await client.query('ROLLBACK');
              throw error;
            }
          },
        });
      `,
    },
    {
      name: 'no handler',
      code: `
        import { Pool } from 'pg';
        const pool = new Pool();

        export async function add(id: string, amount: number) {
          await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, id]);
        }
      `,
    },
  ],
  invalid: [
    {
      name: 'a delegate of the client that the framework made',
      code: `
        import { Worker } from 'bullmq';
        import { type PrismaClient } from 'wasp/server';

        async function credit(user: PrismaClient['user'], id: string) {
          await user.update({ where: { id }, data: { credits: { increment: 10 } } });
        }
        export const start = (context) => new Worker('credits', async (job) => credit(context.entities.User, job.data.userId));
      `,
      errors: [{ messageId: 'delta', line: 6 }],
    },
    {
      name: 'SQL in a string',
      code: `
        import { Kafka } from 'kafkajs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'accounts' });

        await consumer.run({
          eachMessage: async ({ message }) => {
            const payment = JSON.parse(String(message.value));
            await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [payment.amount, payment.account]);
          },
        });
      `,
      errors: [{ messageId: 'delta', line: 10, column: 19, endLine: 10, endColumn: 124 }],
    },
    {
      name: 'an ORM, behind an injected service',
      code: `
        import { Processor, WorkerHost } from '@nestjs/bullmq';
        import type { Job } from 'bullmq';
        import { PrismaClient } from '@prisma/client';

        class Accounts {
          constructor(private readonly prisma: PrismaClient) {}

          add(id: string, amount: number) {
            return this.prisma.account.update({ where: { id }, data: { balance: { increment: amount } } });
          }
        }

        @Processor('payments')
        export class Payments extends WorkerHost {
          constructor(private readonly accounts: Accounts) {
            super();
          }

          async process(job: Job) {
            await this.accounts.add(job.data.account, job.data.amount);
          }
        }
      `,
      errors: [{ messageId: 'delta', line: 10, column: 20, endLine: 10, endColumn: 107 }],
    },
    {
      name: 'read, changed, written back',
      filename: 'consumer.js',
      code: `
        const { Worker } = require('bullmq');
        const mongoose = require('mongoose');
        const Account = mongoose.model('Account', new mongoose.Schema({ balance: Number }));

        new Worker('payments', async (job) => {
          const account = await Account.findById(job.data.account);
          account.balance += job.data.amount;
          await account.save();
        });
      `,
      errors: [{ messageId: 'readModifyWrite', line: 9, column: 17, endLine: 9, endColumn: 31 }],
    },
  ],
});
