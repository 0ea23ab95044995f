import { testRule } from '../fixtures/rule-tester.js';
import noAckOnFailure from './no-ack-on-failure.js';

testRule(noAckOnFailure, {
  valid: [
    {
      name: 'what may be gone already, deleted without a word',
      code: `
        import { Worker } from 'bullmq';
        import { DeleteRoleCommand, IAMClient } from '@aws-sdk/client-iam';
        import { Pool } from 'pg';
        const iam = new IAMClient({});
        const pool = new Pool();

        new Worker('accounts', async (job) => {
          await iam.send(new DeleteRoleCommand({ RoleName: job.data.role })).catch(() => {});
          await pool.query('UPDATE accounts SET closed = true WHERE id = $1', [job.data.id]);
        });
      `,
    },
    {
      name: 'a part of a text that a row holds, which is no statement',
      code: `
        import { Worker } from 'bullmq';
        import { eq } from 'drizzle-orm';
        import { drizzle } from 'drizzle-orm/node-postgres';
        import { parcels } from './schema.js';
        const db = drizzle('postgres://localhost/parcels');

        new Worker('parcels', async (job) => {
          const [parcel] = await db.select().from(parcels).where(eq(parcels.id, job.data.id));
          try {
            if (parcel.label.slice(0, 2) === 'X:') return;
          } catch {
            return;
          }
          await db.update(parcels).set({ status: 'sent' }).where(eq(parcels.id, job.data.id));
        });
      `,
    },
    {
      name: 'an answer that refuses, behind a wrapper that hands it on',
      filename: 'app/api/stripe/route.ts',
      code: `
        import Stripe from 'stripe';
        import { Pool } from 'pg';
        const stripe = new Stripe('sk');
        const pool = new Pool();

        const withLog = (handle: (request: Request) => Promise<Response>) => async (request: Request) => {
          const response = await handle(request);
          console.log(response.status);
          return response;
        };

        export const POST = withLog(async (request) => {
          const event = stripe.webhooks.constructEvent(await request.text(), request.headers.get('stripe-signature')!, 'whsec');
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [event.id]);
            return new Response(null, { status: 200 });
          } catch (error) {
            console.error(error);
            return new Response(null, { status: 500 });
          }
        });
      `,
    },
    {
      name: 'a function that runs later answers nothing',
      code: `
        import { Worker } from 'bullmq';
        import { LambdaClient, InvokeCommand } from '@aws-sdk/client-lambda';
        const lambda = new LambdaClient({});

        new Worker('runs', async (job) => {
          await lambda.send(new InvokeCommand({ FunctionName: 'run', InvocationType: 'Event', Payload: JSON.stringify(job.data) }));
        });
      `,
    },
    {
      name: 'one thing is started aside, with a handler of its own for what fails',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          pool.query('DELETE FROM visits WHERE cart = $1', [job.data.id]).catch((error) => { console.error(error); });
          await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
        });
      `,
    },
    {
      name: 'what is kept in memory does not fail',
      code: `
        import NodeCache from 'node-cache';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const seen = new NodeCache();

        const country = (ip) => {
          try {
            return seen.get(ip);
          } catch {
            return undefined;
          }
        };

        new Worker('visits', async (job) => {
          await pool.query('UPDATE visits SET country = $2 WHERE id = $1', [job.data.id, country(job.data.ip)]);
        });
      `,
    },
    {
      name: 'the error is thrown on',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            console.error(error);
            throw error;
          }
        });
      `,
    },
    {
      name: 'two kinds of error that are known to last end the work, every other one is thrown on',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            if (error.code === '22P02') return;
            if (error.code === '42P01') return;
            throw error;
          }
        });
      `,
    },
    {
      name: 'the failed message is given back',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          channel.consume('carts', async (msg) => {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]);
              channel.ack(msg);
            } catch {
              channel.nack(msg, false, true);
            }
          });
        }
      `,
    },
    {
      name: 'failures of a batch are named in the answer',
      code: `
        import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
        import { Pool } from 'pg';
        const pool = new Pool();

        export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
          const batchItemFailures = [];
          for (const record of event.Records) {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [record.body]);
            } catch {
              batchItemFailures.push({ itemIdentifier: record.messageId });
            }
          }
          return { batchItemFailures };
        }
      `,
    },
    {
      name: 'each failure is stored by a loop in the clause',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('exports', async (job) => {
          try {
            await pool.query('DELETE FROM exports WHERE id = $1', [job.data.id]);
          } catch (error) {
            for (const line of job.data.lines) {
              await pool.query("UPDATE lines SET state = 'failed' WHERE id = $1", [line]);
            }
          }
        });
      `,
    },
    {
      name: 'a job that takes nothing from its message finds what failed again on its next run',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('cleanup', async (job) => {
          const { rows } = await pool.query('SELECT id FROM carts WHERE expired');
          for (const row of rows) {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [row.id]);
            } catch (error) {
              job.log(String(error));
            }
          }
        });
      `,
    },
    {
      name: 'the same where a call in the function tells that it receives webhooks',
      code: `
        import Stripe from 'stripe';
        import { Pool } from 'pg';
        const stripe = new Stripe('sk');
        const pool = new Pool();
        class UnknownEvent extends Error {}

        export const webhook = async (request, response) => {
          try {
            const event = stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], 'whsec');
            if (event.type !== 'invoice.paid') throw new UnknownEvent();
            await pool.query('UPDATE invoices SET paid = true WHERE id = $1', [event.data.object.id]);
            return response.status(204).send();
          } catch (error) {
            if (error instanceof UnknownEvent) return response.status(204).send();
            return response.status(500).json({ error: 'failed' });
          }
        };
      `,
    },
    {
      name: 'a webhook whose untyped response answers with the status of a failure',
      code: `
        import { Pool } from 'pg';
        const pool = new Pool();

        export const hook: Webhook = async (request, response) => {
          try {
            if (request.headers['x-github-event'] !== 'push') return response.status(204).send();
            await pool.query('DELETE FROM carts WHERE id = $1', [request.body.id]);
            return response.status(204).send();
          } catch (error) {
            return response.status(400).json({ error: String(error) });
          }
        };
      `,
    },
    {
      name: 'the context of the framework answers with the status of a failure',
      code: `
        import { app } from './app.js';
        import Stripe from 'stripe';
        import { Hono } from 'hono';
        import { Pool } from 'pg';
        const stripe = new Stripe('sk');
        const pool = new Pool();

        new Hono().post('/stripe', async (c) => {
          const event = stripe.webhooks.constructEvent(await c.req.text(), c.req.header('stripe-signature'), 'whsec');
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [event.id]);
          } catch (error) {
            return c.json({ error: 'not now' }, 500);
          }
          return c.json({ received: true });
        });

        app.openapi(route, async (c) => {
          const event = stripe.webhooks.constructEvent(await c.req.text(), c.req.header('stripe-signature'), 'whsec');
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [event.id]);
          } catch (error) {
            return c.json({ error: 'not now' }, 500);
          }
          return c.json({ received: true });
        });

        new Hono().post('/stripe-too', async (c) => {
          const event = stripe.webhooks.constructEvent(await c.req.text(), c.req.header('stripe-signature'), 'whsec');
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [event.id]);
          } catch (error) {
            c.status(500);
          }
          return c.json({ received: true });
        });
      `,
    },
    {
      name: 'what is written later may tell of the failure',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        import { report, runs } from './runs.js';
        const pool = new Pool();
        const print = (url, body) => fetch(url, { method: 'POST', body }).then((response) => { if (!response.ok) throw new Error(); });

        new Worker('labels', async (job) => {
          let failed = false;
          try {
            await print('https://printer.test', job.data.label);
          } catch (error) {
            failed = true;
          }
          await pool.query('UPDATE labels SET failed = $1 WHERE id = $2', [failed, job.data.id]);
        });

        new Worker('invoices', async (job) => {
          let state = 'open';
          try {
            await print('https://printer.test', job.data.invoice);
            state = 'printed';
          } catch (error) {
            console.error(error);
          }
          await pool.query('UPDATE invoices SET state = $1 WHERE id = $2', [state, job.data.id]);
        });

        new Worker('parcels', async (job) => {
          try {
            await print('https://printer.test', job.data.parcel);
            return;
          } catch (error) {
            console.error(error);
          }
          await pool.query('INSERT INTO unprinted (id) VALUES ($1) ON CONFLICT DO NOTHING', [job.data.id]);
        });

        new Worker('runs', async (job) => {
          const outcome = await print('https://printer.test', job.data.run).then(() => ({ state: 'done' })).catch((error) => ({ state: 'failed', error }));
          await runs.end(job.data.id, outcome);
        });
      `,
    },
    {
      name: 'an error that is known by its code, whatever its class',
      code: `
        import { Worker } from 'bullmq';
        import { DatabaseError, Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            if (error instanceof DatabaseError && error.code === '42P01') return;
            throw error;
          }
        });
      `,
    },
    {
      name: 'errors of the library that fails are all thrown on',
      code: `
        import { Worker } from 'bullmq';
        import { DatabaseError, Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            if (error instanceof Error) throw error;
            console.error(error);
          }
        });
      `,
    },
    {
      name: 'a client that nobody knows asks, and another one is told of a route',
      code: `
        import { Worker } from 'bullmq';
        import request from 'our-request';
        import { server } from './server.js';

        new Worker('notices', async (job) => {
          try {
            await request({ method: 'GET', url: 'https://example.org/notices' });
            server.request({ method: 'POST', url: '/notices', handler: () => 'ok' });
          } catch (error) {
            console.error(error);
          }
        });
      `,
    },
    {
      name: 'what could not be read counts as nothing',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const totals = { carts: 0 };
          const results = await Promise.allSettled(job.data.shops.map((shop) => pool.query('SELECT 1 FROM carts WHERE shop = $1', [shop])));
          totals.carts = results.filter((result) => result.status === 'fulfilled').length;
          await pool.query('UPDATE totals SET carts = $1 WHERE day = $2', [totals.carts, job.data.day]);
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'a deletion whose failure is logged',
      code: `
        import { Worker } from 'bullmq';
        import { DeleteRoleCommand, IAMClient } from '@aws-sdk/client-iam';
        const iam = new IAMClient({});

        new Worker('accounts', async (job) => {
          await iam.send(new DeleteRoleCommand({ RoleName: job.data.role })).catch((error) => console.error(error));
        });
      `,
      errors: [{ messageId: 'caught', line: 7 }],
    },
    {
      name: 'a function that failed answers so',
      code: `
        import { Worker } from 'bullmq';
        import { LambdaClient, InvokeCommand } from '@aws-sdk/client-lambda';
        const lambda = new LambdaClient({});

        new Worker('runs', async (job) => {
          await lambda.send(new InvokeCommand({ FunctionName: 'run', Payload: JSON.stringify(job.data) }));
        });
      `,
      errors: [{ messageId: 'value', line: 7, column: 17 }],
    },
    {
      name: 'the clause that throws most errors on is not the one that ends them',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        const remove = (id) =>
          pool.query('DELETE FROM carts WHERE id = $1', [id]).catch((error) => {
            if (error.code !== '42P01') {
              throw error;
            }
            return undefined;
          });

        new Worker('carts', async (job) => {
          try {
            await remove(job.data.id);
          } catch (error) {
            console.error(error);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 17, column: 13 }],
    },
    {
      name: 'the clause that ends the failure is named, not one inside of it for something else',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            let reason = error.message;
            try {
              reason = JSON.parse(error.message).reason;
            } catch {
              // It is no JSON.
            }
            console.error(reason);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 9, column: 13 }],
    },
    {
      name: 'a call without a promise fails at once, awaited or not',
      code: `
        import Database from 'better-sqlite3';
        import { Worker } from 'bullmq';
        const db = new Database('carts.db');

        new Worker('carts', async (job) => {
          try {
            db.prepare('DELETE FROM carts WHERE id = ?').run(job.data.id);
          } catch (error) {
            console.error(error);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 9, column: 13 }],
    },
    {
      name: 'nothing is waited for, and whoever waited would not be told of a failure',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          const remove = async (id) => {
            await pool.query('DELETE FROM carts WHERE id = $1', [id]);
          };
          const handle = (id) => {
            remove(id)
              .catch((error) => { console.error(error); })
              .then(() => { console.log('done'); });
          };
          channel.consume('carts', async (msg) => {
            try {
              await handle(msg.content.toString());
            } catch {
              channel.nack(msg, false, false);
              return;
            }
            channel.ack(msg);
          });
        }
        start();
      `,
      errors: [{ messageId: 'caught', line: 14, column: 22 }],
    },
    {
      name: 'the workers of a queue that is waited for swallow their failures',
      code: `
        import fastq from 'fastq';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const queue = fastq.promise(async (id) => {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [id]);
            } catch (error) {
              console.error(error);
            }
          }, 2);
          for (const id of job.data.ids) queue.push(id);
          await queue.drained();
        });
      `,
      errors: [{ messageId: 'caught', line: 11, column: 15 }],
    },
    {
      name: 'a failure in a result becomes an error that nobody looks at',
      code: `
        import { Worker } from 'bullmq';
        import { Resend } from 'resend';
        const resend = new Resend('key');

        async function mail(to) {
          const { error } = await resend.emails.send({ to, from: 'us@example.com', subject: 'Paid', text: 'Paid' });
          if (error) throw new Error(error.message);
        }

        new Worker('mails', async (job) => {
          await Promise.allSettled([mail(job.data.to)]);
        });
      `,
      errors: [{ messageId: 'settled', line: 12, column: 17 }],
    },
    {
      name: 'a failure of one of the things that the message names is forgotten',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          for (const id of job.data.ids) {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [id]);
            } catch (error) {
              console.error(error);
            }
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 10, column: 15, endLine: 10, endColumn: 30 }],
    },
    {
      name: 'the error is logged and forgotten',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            console.error(error);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 9, column: 13, endLine: 9, endColumn: 28 }],
    },
    {
      name: 'the same in a helper',
      filename: 'consumer.js',
      code: `
        import { Kafka } from 'kafkajs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'carts' });

        await consumer.run({ eachMessage: ({ message }) => remove(message.value.toString()) });

        async function remove(id) {
          await pool.query('DELETE FROM carts WHERE id = $1', [id]).catch((error) => console.error(error));
        }
      `,
      errors: [{ messageId: 'caught', line: 10, column: 75, endLine: 10, endColumn: 106 }],
    },
    {
      name: 'acknowledged in finally',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          channel.consume('carts', async (msg) => {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]);
            } finally {
              channel.ack(msg);
            }
          });
        }
      `,
      errors: [{ messageId: 'finallyAck', line: 13, column: 15, endLine: 13, endColumn: 31 }],
    },
    {
      name: 'the context of the framework answers with success',
      code: `
        import Stripe from 'stripe';
        import { app } from './app.js';
        import { Pool } from 'pg';
        const stripe = new Stripe('sk');
        const pool = new Pool();

        app.openapi(route, async (c) => {
          const event = stripe.webhooks.constructEvent(await c.req.text(), c.req.header('stripe-signature'), 'whsec');
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [event.id]);
          } catch (error) {
            console.error(error);
          }
          return c.json({ received: true });
        });
      `,
      errors: [{ messageId: 'caught', line: 12, column: 13 }],
    },
    {
      name: 'a clause that only logs forgets the failure, whatever is written afterwards',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();
        const describe = (error) => String(error);

        const archive = async (id) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [id]);
          } catch (error) {
            const text = describe(error);
            console.error('not archived', { id, text });
            return;
          }
          console.log('archived', id);
        };

        new Worker('carts', async (job) => {
          await archive(job.data.id);
          await pool.query('DELETE FROM visits WHERE cart = $1', [job.data.id]).catch((error) => console.error(error));
          await pool.query('UPDATE customers SET seen = $1 WHERE id = $2', [job.data.at, job.data.customer]);
        });
      `,
      errors: [
        { messageId: 'caught', line: 10, column: 13 },
        { messageId: 'caught', line: 20, column: 87 },
      ],
    },
    {
      name: 'an error of a class that the driver throws whatever the cause',
      code: `
        import { Worker } from 'bullmq';
        import { DatabaseError, Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);
          } catch (error) {
            if (error instanceof DatabaseError) return;
            throw error;
          }
        });

        new Worker('visits', async (job) => {
          try {
            await pool.query('DELETE FROM visits WHERE id = $1', [job.data.id]);
          } catch (error) {
            if (error.name === 'DatabaseError') {
              console.error(error);
              return;
            }
            throw error;
          }
        });
      `,
      errors: [
        { messageId: 'caught', line: 9, column: 13 },
        { messageId: 'caught', line: 18, column: 13 },
      ],
    },
    {
      name: 'a request whose address stands before its options',
      code: `
        import { request } from 'node:https';
        import { Worker } from 'bullmq';

        const post = (url, body) =>
          new Promise((resolve, reject) => {
            const sent = request(url, { method: 'POST' }, resolve);
            sent.on('error', reject);
            sent.end(body);
          });

        new Worker('notices', async (job) => {
          try {
            await post('https://example.org/notices', job.data.text);
          } catch (error) {
            console.error(error);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 15, column: 13 }],
    },
    {
      name: 'a request by a client that nobody knows',
      code: `
        import { Worker } from 'bullmq';
        import request from 'our-request';

        new Worker('notices', async (job) => {
          try {
            await request({ method: 'PUT', url: 'https://example.org/notices', json: job.data });
          } catch (error) {
            console.error(error);
          }
        });
      `,
      errors: [{ messageId: 'caught', line: 8, column: 13 }],
    },
    {
      name: 'a callback of something unknown goes on with the message, and acknowledges it',
      filename: 'consumer.js',
      code: `
        import amqp from 'amqplib';
        import { Pool } from 'pg';
        import { spawn } from 'our-threads';
        const pool = new Pool();

        const channel = await (await amqp.connect('amqp://localhost')).createChannel();
        channel.consume('prints', (message) => {
          const { id } = JSON.parse(message.content);
          const thread = spawn('./print.js');
          thread
            .send(id)
            .on('message', async () => {
              try {
                await pool.query('DELETE FROM prints WHERE id = $1', [id]);
              } catch (error) {
                console.error(error);
              }
              channel.ack(message);
            })
            .on('error', () => channel.nack(message, false, false));
        });
      `,
      errors: [{ messageId: 'caught', line: 16, column: 17 }],
    },
    {
      name: 'what was found is only written to a log',
      code: `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const results = await Promise.allSettled(job.data.ids.map((id) => pool.query('DELETE FROM carts WHERE id = $1', [id])));
          console.log(results.length);
        });
      `,
      errors: [{ messageId: 'settled', line: 7, column: 33 }],
    },
  ],
});
