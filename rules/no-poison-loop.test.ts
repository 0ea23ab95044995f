import { testRule } from '../fixtures/rule-tester.js';
import noPoisonLoop from './no-poison-loop.js';

/** A handler of amqplib around these lines. */
function amqp(...lines: string[]): string {
  return [
    `const amqp = require('amqplib');`,
    `const { Pool } = require('pg');`,
    `const pool = new Pool();`,
    `async function start() {`,
    `  const connection = await amqp.connect('amqp://localhost');`,
    `  const channel = await connection.createChannel();`,
    `  channel.consume('carts', async (msg) => {`,
    ...lines.map((l) => `    ${l}`),
    `  });`,
    `}`,
  ].join('\n');
}

const WORK = [`try {`, `  await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]);`, `  channel.ack(msg);`, `} catch (error) {`];

testRule(noPoisonLoop, {
  valid: [
    { name: 'dead-lettered', filename: 'consumer.js', code: amqp(...WORK, `  channel.nack(msg, false, false);`, `}`) },
    { name: 'once more', filename: 'consumer.js', code: amqp(...WORK, `  channel.reject(msg, !msg.fields.redelivered);`, `}`) },
    { name: 'a count of its own', filename: 'consumer.js', code: amqp(...WORK, `  if ((await attemptsOf(msg.properties.messageId)) > 5) return channel.nack(msg, false, false);`, `  channel.nack(msg);`, `}`) },
    { name: 'later', filename: 'consumer.js', code: amqp(...WORK, `  setTimeout(() => channel.nack(msg), 5000);`, `}`) },
    { name: 'a queue that bounds deliveries', filename: 'consumer.js', code: amqp(...WORK, `  channel.nack(msg);`, `}`).replace('  channel.consume', `  await channel.assertQueue('carts', { arguments: { 'x-queue-type': 'quorum' } });\n  channel.consume`) },
    { name: 'no failure, only not now', filename: 'consumer.js', code: amqp(`if (!(await free())) return channel.nack(msg);`, `channel.ack(msg);`) },
    {
      name: 'bounds that stand where the consumer is made',
      code: `
        import { connect } from 'nats';
        import { Pool } from 'pg';
        const pool = new Pool();
        export async function consume() {
          const consumer = await (await connect()).jetstream().consumers.get('CARTS', 'cleaner');
          for await (const m of await consumer.consume()) {
            try {
              await pool.query('DELETE FROM carts WHERE id = $1', [m.string()]);
              m.ack();
            } catch {
              m.nak();
            }
          }
        }
      `,
    },
  ],
  invalid: [
    { name: 'requeued by default', filename: 'consumer.js', code: amqp(...WORK, `  channel.nack(msg);`, `}`), errors: [{ messageId: 'requeue', line: 12, column: 7, endLine: 12, endColumn: 24 }] },
    { name: 'requeued on purpose', filename: 'consumer.js', code: amqp(...WORK, `  channel.reject(msg, true);`, `}`), errors: [{ messageId: 'requeue', line: 12 }] },
    { name: 'bad input', filename: 'consumer.js', code: amqp(`if (!JSON.parse(msg.content).id) return channel.nack(msg);`, `channel.ack(msg);`), errors: [{ messageId: 'requeue', line: 8 }] },
    {
      name: 'thrown where that requeues',
      code: `
        import { Connection } from 'rabbitmq-client';
        import { Pool } from 'pg';
        const pool = new Pool();
        new Connection('amqp://localhost').createConsumer({ queue: 'carts' }, async (msg) => {
          await pool.query('DELETE FROM carts WHERE id = $1', [msg.body.id]);
        });
      `,
      errors: [{ messageId: 'thrown', line: 5, column: 59, endLine: 5, endColumn: 77 }],
    },
  ],
});
