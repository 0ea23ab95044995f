import { testRule } from '../fixtures/rule-tester.js';
import atomicInbox from './atomic-inbox.js';

testRule(atomicInbox, {
  valid: [
    {
      name: 'a value that must be there, and is set anew',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('trades', async (job) => {
          const day = await prisma.day.findUnique({ where: { id: job.data.day } });
          if (!day?.close) return;
          await fetch('https://board.test/trades', { method: 'POST', body: job.data.id });
          await prisma.day.update({ where: { id: job.data.day }, data: { close: job.data.price } });
        });
      `,
    },
    {
      name: 'a lock that is given back once the work is done',
      code: `
        import { Worker } from 'bullmq';
        import { Redis } from 'ioredis';
        import { Pool } from 'pg';
        const redis = new Redis();
        const pool = new Pool();

        new Worker('stock', async (job) => {
          const lock = \`lock:\${job.data.sku}\`;
          if (!(await redis.set(lock, '1', 'EX', 30, 'NX'))) return;
          try {
            await pool.query('UPDATE stock SET counted = $1 WHERE sku = $2', [job.data.counted, job.data.sku]);
          } finally {
            await redis.del(lock);
          }
        });
      `,
    },
    {
      name: 'check and effect commit together',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('points', async (job) => {
          await prisma.$transaction(async (tx) => {
            const { count } = await tx.inbox.createMany({ data: [{ id: job.data.eventId }], skipDuplicates: true });
            if (count === 0) return;
            await tx.member.update({ where: { id: job.data.member }, data: { points: { increment: job.data.points } } });
          });
        });
      `,
    },
    {
      name: 'no check',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('points', async (job) => {
          await prisma.member.update({ where: { id: job.data.member }, data: { points: job.data.points } });
        });
      `,
    },
    {
      name: 'a cache that spares a question',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const yearsCache = new Set();

        new Worker('postings', async (job) => {
          if (!yearsCache.has(job.data.year)) {
            await pool.query('INSERT INTO years (year) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.year]);
            yearsCache.add(job.data.year);
          }
        });
      `,
    },
    {
      name: 'a set of names that nobody adds to',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const skipped = new Set(['draft', 'hidden']);

        new Worker('posts', async (job) => {
          if (skipped.has(job.data.type)) return;
          await pool.query('UPDATE posts SET seen = true WHERE id = $1', [job.data.id]);
        });
      `,
    },
    {
      name: 'a list in memory of schedulers that a queue keeps by name',
      code: `
        import { Queue, Worker } from 'bullmq';
        const digests = new Queue('digests');
        const planned = new Set<string>();

        new Worker('members', async (job) => {
          if (planned.has(job.data.member)) return;
          await digests.upsertJobScheduler(\`digest:\${job.data.member}\`, { pattern: '0 7 * * *' });
          planned.add(job.data.member);
        });
      `,
    },
    {
      name: 'a row behind the check that falls with the keyed one',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const schema = 'CREATE TABLE bookings (id uuid PRIMARY KEY, event_id text UNIQUE); CREATE TABLE seats (id serial PRIMARY KEY, booking uuid);';
        await pool.query(schema);

        new Worker('bookings', async (job) => {
          const client = await pool.connect();
          await client.query('BEGIN');
          const { rows } = await client.query('SELECT id FROM bookings WHERE event_id = $1', [job.data.eventId]);
          if (rows.length === 0) {
            await client.query('INSERT INTO bookings (id, event_id) VALUES ($1, $2)', [job.data.booking, job.data.eventId]);
            await client.query('INSERT INTO seats (booking) VALUES ($1)', [job.data.booking]);
          }
          await client.query('COMMIT');
        });
      `,
    },
    {
      name: 'check, record and work in one transaction',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('parcels', async (job) => {
          await prisma.$transaction(async (tx) => {
            const known = await tx.parcel.findFirst({ where: { label: job.data.label } });
            if (known) return;
            await tx.parcel.create({ data: { label: job.data.label } });
            await tx.depot.update({ where: { id: job.data.depot }, data: { parcels: { increment: 1 } } });
          });
        });
      `,
    },
    {
      name: 'a copy of the row that was read, written back',
      code: `
        import { Worker } from 'bullmq';
        import { DataSource } from 'typeorm';
        import { Claim } from './claim.js';
        const source = new DataSource({ type: 'postgres' });

        new Worker('claims', async (job) => {
          const claims = source.getRepository(Claim);
          const claim = await claims.findOneBy({ id: job.data.claim });
          if (claim?.status === 'open') await claims.save({ ...claim, status: 'refused' });
        });
      `,
    },
    {
      name: 'a switch that the work turns off in one case only',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('replies', async (job) => {
          const shop = await prisma.shop.findUnique({ where: { id: job.data.shop } });
          if (!shop.repliesEnabled) return;
          await prisma.usage.create({ data: { id: job.data.id, shop: job.data.shop } });
          const { balance } = await prisma.shop.update({ where: { id: job.data.shop }, data: { balance: { decrement: 1 } } });
          if (balance === 0) await prisma.shop.update({ where: { id: job.data.shop }, data: { repliesEnabled: false } });
        });
      `,
    },
    {
      name: 'a question whether a text is empty',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('profiles', async (job) => {
          const member = await prisma.member.findUnique({ where: { id: job.data.id } });
          if (member.photo === '') return;
          await prisma.member.update({ where: { id: job.data.id }, data: { ...job.data.changes, points: { increment: 5 } } });
        });
      `,
    },
    {
      name: 'a kind of account that the work does not set',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('notes', async (job) => {
          const account = await prisma.account.findUnique({ where: { id: job.data.id } });
          if (account.kind === 'mail') await fetch('https://mail.test/notes', { method: 'POST', body: account.name });
          else await prisma.account.update({ where: { id: job.data.id }, data: { noted: job.data.at } });
        });
      `,
    },
    {
      name: 'a cache behind the claim',
      code: `
        import { Worker } from 'bullmq';
        import { Redis } from 'ioredis';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();
        const redis = new Redis();

        new Worker('prices', async (job) => {
          const { count } = await prisma.price.updateMany({ where: { id: job.data.id, status: 'draft' }, data: { status: 'live' } });
          if (count === 0) return;
          await redis.del(\`price:\${job.data.id}\`);
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'work for the rows that were not there yet',
      code: `
        import { Worker } from 'bullmq';
        import { createClient } from '@supabase/supabase-js';
        const supabase = createClient('https://db.test', 'key');

        new Worker('bookings', async (job) => {
          const { data: added } = await supabase.from('bookings').upsert(job.data.rows, { onConflict: 'bank_id', ignoreDuplicates: true }).select('id').throwOnError();
          const ids = added?.map((row) => row.id) || [];
          if (ids.length > 0) await fetch('https://mail.test/notices', { method: 'POST', body: JSON.stringify({ ids }) });
        });
      `,
      errors: [{ messageId: 'recordFirst', line: 7 }],
    },
    {
      name: 'a field of the first row, which the work sets',
      code: `
        import { Worker } from 'bullmq';
        import { eq } from 'drizzle-orm';
        import { drizzle } from 'drizzle-orm/node-postgres';
        import { shops } from './schema.js';
        const db = drizzle('postgres://localhost/shops');

        new Worker('shops', async (job) => {
          const shop = await db.select().from(shops).where(eq(shops.id, job.data.shop)).execute().then((rows) => rows.at(0));
          if (shop?.accountId) return;
          const account = await fetch('https://bank.test/accounts', { method: 'POST', body: job.data.shop });
          await db.update(shops).set({ accountId: account.headers.get('location') }).where(eq(shops.id, job.data.shop));
        });
      `,
      errors: [{ messageId: 'checkThenAct', line: 9 }],
    },
    {
      name: 'two checks for one record: the first one is named',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('schools', async (job) => {
          const byCode = await prisma.school.findFirst({ where: { code: job.data.code } });
          if (byCode) return;
          const byName = await prisma.school.findFirst({ where: { name: job.data.name } });
          if (byName) return;
          await prisma.school.create({ data: { code: job.data.code, name: job.data.name } });
        });
      `,
      errors: [{ messageId: 'checkThenAct', line: 7 }],
    },
    {
      name: 'a record that is taken back after a failure: what a crash loses is the mail',
      code: `
        import { Worker } from 'bullmq';
        import { Redis } from 'ioredis';
        import nodemailer from 'nodemailer';
        const redis = new Redis();
        const mailer = nodemailer.createTransport('smtp://localhost');

        new Worker('mails', async (job) => {
          const seen = \`mail:\${job.data.orderId}\`;
          if (!(await redis.set(seen, '1', 'EX', 3600, 'NX'))) return;
          try {
            await mailer.sendMail({ to: job.data.to, subject: 'Paid' });
          } catch (error) {
            await redis.del(seen);
            throw error;
          }
        });
      `,
      errors: [{ messageId: 'recordFirst', data: { record: 'redis.set', effect: 'mailer.sendMail', where: 'line 12' }, line: 10, column: 23 }],
    },
    {
      name: 'a set in memory',
      code: `
        import { Kafka } from 'kafkajs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'vans' });
        const seen = new Set<string>();

        await consumer.run({
          eachMessage: async ({ message }) => {
            const trip = JSON.parse(String(message.value));
            if (seen.has(trip.id)) return;
            seen.add(trip.id);
            await pool.query('UPDATE vans SET km = km + $1 WHERE plate = $2', [trip.km, trip.plate]);
          },
        });
      `,
      errors: [{ messageId: 'memory', line: 11, column: 17, endLine: 11, endColumn: 34 }],
    },
    {
      name: 'a mark in redis',
      filename: 'consumer.js',
      code: `
        const { Worker } = require('bullmq');
        const Redis = require('ioredis');
        const { Pool } = require('pg');
        const pool = new Pool();
        const redis = new Redis();

        new Worker('points', async (job) => {
          const fresh = await redis.set(\`seen:\${job.data.eventId}\`, '1', 'EX', 86400, 'NX');
          if (!fresh) return;
          await pool.query('UPDATE members SET points = points + $1 WHERE id = $2', [job.data.points, job.data.member]);
        });
      `,
      errors: [{ messageId: 'recordFirst', line: 9, column: 31, endLine: 9, endColumn: 92 }],
    },
    {
      name: 'the record on another connection',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('points', async (job) => {
          const client = await pool.connect();
          await client.query('BEGIN');
          const { rowCount } = await pool.query('INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.eventId]);
          if (rowCount === 1) await client.query('UPDATE members SET points = points + $1 WHERE id = $2', [job.data.points, job.data.member]);
          await client.query('COMMIT');
        });
      `,
      errors: [{ messageId: 'outside', line: 9, column: 38, endLine: 9, endColumn: 129 }],
    },
  ],
});
