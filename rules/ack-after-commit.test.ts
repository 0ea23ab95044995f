import { testRule } from '../fixtures/rule-tester.js';
import ackAfterCommit from './ack-after-commit.js';

/** A processor that calls a function which writes a row and waits for nothing. */
function logging(name: string, caught: string): string {
  return `
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('loans', async (job) => {
          await pool.query('UPDATE loans SET returned = true WHERE id = $1', [job.data.loan]);
          ${name}(job.data.loan);
        });

        function ${name}(loan: string) {
          pool.query('INSERT INTO loan_log (loan) VALUES ($1)', [loan])${caught};
        }
      `;
}

testRule(ackAfterCommit, {
  valid: [
    {
      name: 'points in a buffer that is written out',
      code: `
        import { InfluxDB, Point } from '@influxdata/influxdb-client';
        import { Worker } from 'bullmq';
        const writeApi = new InfluxDB({ url: 'http://localhost:8086' }).getWriteApi('org', 'bucket');

        new Worker('readings', async (job) => {
          writeApi.writePoint(new Point('heat').tag('sensor', job.data.sensor).floatField('value', job.data.value));
          await writeApi.flush();
        });
      `,
    },
    {
      name: 'a queue is waited for instead of each thing that it runs: fastq',
      code: `
        import fastq from 'fastq';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const queue = fastq.promise(async (id) => {
            await pool.query('DELETE FROM carts WHERE id = $1', [id]);
          }, 2);
          for (const id of job.data.ids) queue.push(id);
          await queue.drained();
        });
      `,
    },
    {
      name: 'a queue is waited for instead of each thing that it runs: p-queue',
      code: `
        import PQueue from 'p-queue';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const queue = new PQueue({ concurrency: 2 });
          for (const id of job.data.ids) void queue.add(() => pool.query('DELETE FROM carts WHERE id = $1', [id]));
          await queue.onIdle();
        });
      `,
    },
    {
      name: 'the commit comes first',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          await channel.consume('loans', async (msg) => {
            const client = await pool.connect();
            try {
              await client.query('BEGIN');
              await client.query('INSERT INTO returns (loan_id) VALUES ($1) ON CONFLICT DO NOTHING', [msg.properties.messageId]);
              await client.query('COMMIT');
            } catch (error) {
              await client.query('ROLLBACK');
              channel.nack(msg);
              return;
            }
            channel.ack(msg);
          });
        }
      `,
    },
    {
      name: 'what follows the deletion is the work of the next poll, whose receive call stands in a helper',
      code: `
        import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const sqs = new SQSClient({});
        let stopped = false;

        async function fetchLoans() {
          const answer = await sqs.send(new ReceiveMessageCommand({ QueueUrl: process.env.LOANS }));
          return answer.Messages ?? [];
        }

        async function remove(handle: string | undefined) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl: process.env.LOANS, ReceiptHandle: handle }));
        }

        export async function main() {
          while (stopped === false) {
            const loans = await fetchLoans();
            await Promise.all(loans.map(async (loan) => {
              await pool.query('UPDATE loans SET returned = true WHERE id = $1', [loan.Body]);
              await remove(loan.ReceiptHandle);
            }));
          }
        }
      `,
    },
    {
      name: 'work that is awaited in parallel',
      code: `
        import type { SQSHandler } from 'aws-lambda';
        import { Pool } from 'pg';
        const pool = new Pool();

        export const handler: SQSHandler = async (event) => {
          await Promise.all(event.Records.map((record) => pool.query('DELETE FROM carts WHERE id = $1', [record.body])));
        };
      `,
    },
    {
      name: 'a log that lets its own failure go',
      code: logging('logLoan', '.catch((error) => console.warn(error))'),
    },
    {
      name: 'a log that lets its own failure go, by a query builder',
      code: `
        import { Worker } from 'bullmq';
        import knex from 'knex';
        const db = knex({ client: 'pg' });

        new Worker('loans', async (job) => {
          await db('loans').where('id', job.data.loan).update({ returned: true });
          logLoan(job.data.loan);
        });

        function logLoan(loan: string) {
          db('loan_log').insert({ loan }).catch((error) => console.warn(error));
        }
      `,
    },
    {
      name: 'no client: a channel of something else',
      filename: 'consumer.js',
      code: `
        import { channel } from './radio.js';

        channel.consume('news', async (msg) => {
          channel.ack(msg);
          await fetch('https://example.org', { method: 'POST', body: msg });
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'points in a buffer that nothing writes out',
      code: `
        import { InfluxDB, Point } from '@influxdata/influxdb-client';
        import { Worker } from 'bullmq';
        const writeApi = new InfluxDB({ url: 'http://localhost:8086' }).getWriteApi('org', 'bucket');

        new Worker('readings', async (job) => {
          writeApi.writePoint(new Point('heat').tag('sensor', job.data.sensor).floatField('value', job.data.value));
        });
      `,
      errors: [{ messageId: 'buffered', line: 7, column: 11 }],
    },
    {
      name: 'what is waited for in one place is not in another',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();

        async function remove(id) {
          await pool.query('DELETE FROM carts WHERE id = $1', [id]);
        }

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          channel.consume('carts', async (msg) => {
            const cart = JSON.parse(msg.content.toString());
            if (cart.old) await remove(cart.id);
            else remove(cart.id);
            channel.ack(msg);
          });
        }
        start();
      `,
      errors: [{ messageId: 'floating', line: 16, column: 18 }],
    },
    {
      name: 'a queue that is waited for only on shutdown',
      code: `
        import PQueue from 'p-queue';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        export function start() {
          const queue = new PQueue({ concurrency: 2 });
          new Worker('carts', async (job) => {
            void queue.add(() => pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]));
          });
          return async () => { await queue.onIdle(); };
        }
      `,
      errors: [{ messageId: 'floating', line: 10, column: 18 }],
    },
    {
      name: 'a queue is filled and not waited for',
      code: `
        import fastq from 'fastq';
        import { Worker } from 'bullmq';
        import { Pool } from 'pg';
        const pool = new Pool();

        new Worker('carts', async (job) => {
          const queue = fastq.promise(async (id) => {
            await pool.query('DELETE FROM carts WHERE id = $1', [id]);
          }, 2);
          for (const id of job.data.ids) queue.push(id);
        });
      `,
      errors: [{ messageId: 'floating', line: 8, column: 25 }],
    },
    {
      name: 'a row for ClickHouse that nobody waits for, by a client whose calls begin with toPromise',
      code: `
        import { Worker } from 'bullmq';
        import { ClickHouse } from 'clickhouse';
        const clickhouse = new ClickHouse({ url: 'http://localhost' });

        new Worker('visits', async (job) => {
          clickhouse.insert('INSERT INTO visits', [job.data]).toPromise().catch(console.error);
        });
      `,
      errors: [{ messageId: 'floating', line: 7, column: 11 }],
    },
    {
      name: 'deleted before its own work, in a poll whose receive call stands in a helper',
      code: `
        import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
        import { Pool } from 'pg';
        const pool = new Pool();
        const sqs = new SQSClient({});
        let stopped = false;

        async function fetchLoans() {
          const answer = await sqs.send(new ReceiveMessageCommand({ QueueUrl: process.env.LOANS }));
          return answer.Messages ?? [];
        }

        export async function main() {
          while (stopped === false) {
            const loans = await fetchLoans();
            await Promise.all(loans.map(async (loan) => {
              await sqs.send(new DeleteMessageCommand({ QueueUrl: process.env.LOANS, ReceiptHandle: loan.ReceiptHandle }));
              await pool.query('UPDATE loans SET returned = true WHERE id = $1', [loan.Body]);
            }));
          }
        }
      `,
      errors: [{ messageId: 'early', line: 17, column: 21, endLine: 17, endColumn: 123 }],
    },
    {
      name: 'a log whose failure is an error',
      code: logging('logLoan', '.catch((error) => { throw error; })'),
      errors: [{ messageId: 'floating', line: 12, column: 11 }],
    },
    {
      name: 'work that is no log, by its name',
      code: logging('login', '.catch((error) => console.warn(error))'),
      errors: [{ messageId: 'floating', line: 12, column: 11 }],
    },
    {
      name: 'the acknowledgement comes first',
      code: `
        import { connect } from 'amqplib';
        import { Pool } from 'pg';
        const pool = new Pool();

        export async function start() {
          const connection = await connect('amqp://localhost');
          const channel = await connection.createChannel();
          await channel.consume('payments', async (msg) => {
            if (!msg) return;
            channel.ack(msg);
            await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]);
          });
        }
      `,
      errors: [{ messageId: 'early', line: 11, column: 13, endLine: 11, endColumn: 29 }],
    },
    {
      name: 'inside of the transaction',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const knex = require('knex')({ client: 'pg' });

        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          await channel.consume('payments', async (msg) => {
            await knex.transaction(async (trx) => {
              await trx('carts').where({ id: msg.content.toString() }).del();
              channel.ack(msg);
            });
          });
        }
      `,
      errors: [{ messageId: 'beforeCommit', line: 11, column: 15, endLine: 11, endColumn: 31 }],
    },
    {
      name: 'nobody waits',
      code: `
        import type { SQSEvent } from 'aws-lambda';
        import { Pool } from 'pg';
        const pool = new Pool();

        export const handler = async (event: SQSEvent) => {
          for (const record of event.Records) {
            pool.query('DELETE FROM carts WHERE id = $1', [record.body]);
          }
        };
      `,
      errors: [{ messageId: 'floating', line: 8, column: 13, endLine: 8, endColumn: 73 }],
    },
    {
      name: 'forEach with an async callback',
      code: `
        import type { SQSHandler } from 'aws-lambda';
        import { Pool } from 'pg';
        const pool = new Pool();

        export const handler: SQSHandler = async (event) => {
          event.Records.forEach(async (record) => {
            await pool.query('DELETE FROM carts WHERE id = $1', [record.body]);
          });
        };
      `,
      errors: [{ messageId: 'forEach', line: 7, column: 11, endLine: 7, endColumn: 52 }],
    },
    {
      name: 'noAck',
      filename: 'consumer.js',
      code: `
        import amqp from 'amqplib';
        import { Pool } from 'pg';
        const pool = new Pool();
        const connection = await amqp.connect('amqp://localhost');
        const channel = await connection.createChannel();

        await channel.consume('carts', (msg) => remove(msg.content.toString()), { noAck: true });

        async function remove(id) {
          await pool.query('DELETE FROM carts WHERE id = $1', [id]);
        }
      `,
      errors: [{ messageId: 'auto', line: 8, column: 90, endLine: 8, endColumn: 94 }],
    },
  ],
});
