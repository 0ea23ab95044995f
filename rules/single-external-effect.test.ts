import { testRule } from '../fixtures/rule-tester.js';
import singleExternalEffect from './single-external-effect.js';

testRule(singleExternalEffect, {
  valid: [
    {
      name: 'a POST that asks whether a signature holds, before the effect',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';

        new Worker('payments', async (job) => {
          const answer = await fetch('https://api.pay.test/v1/notifications/verify-webhook-signature', { method: 'POST', body: JSON.stringify(job.data) });
          if (!answer.ok) throw new Error('not theirs');
          await fetch('https://mail.test/receipts', { method: 'POST', body: job.data.receipt });
        });
      `,
    },
    {
      name: 'found rows, each marked once its mail is sent',
      code: `
        import { Worker } from 'bullmq';
        import { and, eq, isNull } from 'drizzle-orm';
        import { drizzle } from 'drizzle-orm/node-postgres';
        import { reminders } from './schema.js';
        const db = drizzle('postgres://localhost/loans');

        new Worker('reminders', async () => {
          const due = await db.select().from(reminders).where(isNull(reminders.sentAt)).limit(100);
          for (const reminder of due) {
            await fetch('https://mail.test/reminders', { method: 'POST', body: JSON.stringify({ to: reminder.address }) });
            await db.update(reminders).set({ sentAt: new Date() }).where(eq(reminders.id, reminder.id));
          }
        });
      `,
    },
    {
      name: 'behind a claim that is committed first, for atomic-inbox to judge',
      code: `
        import { Worker } from 'bullmq';
        import { PrismaClient } from '@prisma/client';
        const prisma = new PrismaClient();

        new Worker('orders', async (job) => {
          const { count } = await prisma.order.updateMany({ where: { id: job.data.id, status: 'paid' }, data: { status: 'packed' } });
          if (count === 0) return;
          await fetch('https://labels.test/labels', { method: 'POST', body: job.data.id });
          await fetch('https://mail.test/notices', { method: 'POST', body: job.data.id });
        });
      `,
    },
    {
      name: 'a second one that no call of the function asks for',
      code: `
        import { Worker } from 'bullmq';

        type Notice = { text: string; alsoByText?: boolean };
        async function send({ text, ...more }: Notice) {
          await fetch('https://mail.test/notices', { method: 'POST', body: text });
          if (more.alsoByText) await fetch('https://sms.test/notices', { method: 'POST', body: text });
        }

        new Worker('notices', async (job) => {
          await send({ text: job.data.text });
        });
      `,
    },
    {
      name: 'a second one that tells of a failure between them',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('notices', async (job) => {
          try {
            await axios.post('https://example.org/notices', job.data);
            await pool.query('UPDATE notices SET sent = true WHERE id = $1', [job.data.id]);
          } catch (error) {
            await axios.post('https://example.org/alerts', { error });
            throw error;
          }
        });
      `,
    },
    {
      name: 'one effect',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          await axios.post('https://example.org/notices', job.data);
        });
      `,
    },
    {
      name: 'one or the other',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          if (job.data.urgent) await axios.post('https://example.org/calls', job.data);
          else await axios.post('https://example.org/notices', job.data);
        });
      `,
    },
    {
      name: 'each with a key of its own',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        const stripe = new Stripe('sk');

        new Worker('orders', async (job) => {
          await stripe.charges.create({ amount: job.data.amount, currency: 'eur' }, { idempotencyKey: \`\${job.data.orderId}:charge\` });
          await stripe.transfers.create({ amount: 1, currency: 'eur', destination: 'acct' }, { idempotencyKey: \`\${job.data.orderId}:transfer\` });
        });
      `,
    },
    {
      name: 'a step that can be done again before the mail',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import nodemailer from 'nodemailer';
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('guests', async (job) => {
          await axios.put(\`https://example.org/guests/\${job.data.guestId}\`, { invited: true });
          await transport.sendMail({ to: job.data.email, subject: 'See you' });
        });
      `,
    },
    {
      name: 'a token, asked for by its type or its grant, before the one effect',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          const { data } = await axios.post(job.data.issuer, new URLSearchParams({ grant_type: 'client_credentials' }));
          const other = await axios.post<AccessTokenResponse>(job.data.other, { user: 'notices' });
          await axios.post('https://example.org/notices', job.data, { headers: { authorization: data.access_token + other.data.token } });
        });
      `,
    },
    {
      name: 'a batch that a schema has parsed',
      code: `
        import type { SQSEvent } from 'aws-lambda';
        import { z } from 'zod';
        import axios from 'axios';
        const Batch = z.object({ Records: z.array(z.object({ body: z.string() })) });

        export const handler = async (event: SQSEvent) => {
          const parsed = Batch.safeParse(event);
          if (!parsed.success) throw parsed.error;
          for (const record of parsed.data.Records) await axios.post('https://example.org/notices', record.body);
        };
      `,
    },
    {
      name: 'a loop over a list of one',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        const send = async (notices) => {
          const wanted = notices.filter((notice) => !notice.silent);
          for (const notice of wanted) await axios.post('https://example.org/notices', notice);
        };

        new Worker('notices', async (job) => {
          const notices = [job.data];
          await send(notices);
        });
      `,
    },
    {
      name: 'one for each message of a batch, by a library that goes through lists',
      code: `
        import type { SQSHandler } from 'aws-lambda';
        import axios from 'axios';
        import pMap from 'p-map';

        export const handler: SQSHandler = async (event) => {
          await pMap(event.Records, async (record) => { await axios.post('https://example.org/notices', record.body); });
        };
      `,
    },
  ],
  invalid: [
    {
      name: 'one function, called twice',
      code: `
        import { Worker } from 'bullmq';

        async function post(text: string) {
          await fetch('https://mail.test/notices', { method: 'POST', body: text });
        }

        new Worker('notices', async (job) => {
          await post(job.data.opening);
          await post(job.data.closing);
        });
      `,
      errors: [{ messageId: 'again', data: { first: 'fetch' } }],
    },
    {
      name: 'found rows that nothing marks',
      code: `
        import { Worker } from 'bullmq';
        import { eq, isNull } from 'drizzle-orm';
        import { drizzle } from 'drizzle-orm/node-postgres';
        import { reminders, runs } from './schema.js';
        const db = drizzle('postgres://localhost/loans');

        new Worker('reminders', async (job) => {
          const due = await db.select().from(reminders).where(isNull(reminders.sentAt)).limit(100);
          for (const reminder of due) await fetch('https://mail.test/reminders', { method: 'POST', body: JSON.stringify({ to: reminder.address }) });
          await db.update(runs).set({ done: true }).where(eq(runs.id, job.data.run));
        });
      `,
      errors: [{ messageId: 'loop' }],
    },
    {
      name: 'a mail, and then something that may fail though it can be done again',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import nodemailer from 'nodemailer';
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('guests', async (job) => {
          await transport.sendMail({ to: job.data.email, subject: 'See you' });
          await axios.put(\`https://example.org/guests/\${job.data.guestId}\`, { invited: true });
        });
      `,
      errors: [{ messageId: 'second', line: 9 }],
    },
    {
      name: 'a charge and a mail',
      code: `
        import { Worker } from 'bullmq';
        import Stripe from 'stripe';
        import nodemailer from 'nodemailer';
        const stripe = new Stripe('sk');
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('orders', async (job) => {
          await stripe.charges.create({ amount: job.data.amount, currency: 'eur' }, { idempotencyKey: job.data.orderId });
          await transport.sendMail({ to: job.data.email, subject: 'Thank you' });
        });
      `,
      errors: [{ messageId: 'second', line: 10, column: 17, endLine: 10, endColumn: 81 }],
    },
    {
      name: 'one for each turn of a loop',
      filename: 'consumer.js',
      code: `
        import { Worker } from 'bullmq';
        import nodemailer from 'nodemailer';
        const transport = nodemailer.createTransport('smtp://localhost');

        new Worker('newsletters', async (job) => {
          for (const to of job.data.subscribers) {
            await transport.sendMail({ to, subject: job.data.subject });
          }
        });
      `,
      errors: [{ messageId: 'loop', line: 8, column: 19, endLine: 8, endColumn: 72 }],
    },
    {
      name: 'a list that begins with one and grows',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';

        new Worker('notices', async (job) => {
          const notices = [job.data];
          if (job.data.copy) notices.push(job.data.copy);
          for (const notice of notices) await axios.post('https://example.org/notices', notice);
        });
      `,
      errors: [{ messageId: 'loop', line: 8, column: 47 }],
    },
    {
      name: 'one for each element of a list in the message, by a library that goes through lists',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import pMap from 'p-map';

        new Worker('notices', async (job) => {
          await pMap(job.data.readers, (reader) => axios.post('https://example.org/notices', reader));
        });
      `,
      errors: [{ messageId: 'loop', line: 7, column: 52 }],
    },
    {
      name: 'the worker of a queue that is waited for',
      code: `
        import { Worker } from 'bullmq';
        import axios from 'axios';
        import fastq from 'fastq';

        new Worker('notices', async (job) => {
          const queue = fastq.promise(async (reader) => { await axios.post('https://example.org/notices', reader); }, 5);
          job.data.readers.forEach((reader) => { queue.push(reader); });
          await queue.drained();
        });
      `,
      errors: [{ messageId: 'loop', line: 7, column: 65 }],
    },
  ],
});
