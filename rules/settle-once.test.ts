import { testRule } from '../fixtures/rule-tester.js';
import settleOnce from './settle-once.js';

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

const STORE = `await pool.query('DELETE FROM carts WHERE id = $1', [cart.id]);`;

testRule(settleOnce, {
  valid: [
    {
      name: 'what throws only where the channel is closed',
      filename: 'consumer.js',
      options: [{ preset: 'strict' }],
      code: `
        const amqp = require('amqplib');
        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          channel.consume('carts', async (msg) => {
            channel.publish('later', 'carts', msg.content);
            channel.ack(msg);
          });
        }
        start();
      `,
    },
    {
      name: 'settled on each way',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, `if (!cart.id) return channel.nack(msg, false, false);`, `try {`, `  ${STORE}`, `  channel.ack(msg);`, `} catch (error) {`, `  channel.nack(msg, false, false);`, `}`),
    },
    {
      name: 'a channel that is not there yet settles nothing',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { Pool } = require('pg');
        const pool = new Pool();
        let channel;
        async function onCart(msg) {
          if (!channel) return;
          try {
            await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]);
            channel.ack(msg);
          } catch {
            channel.nack(msg, false, false);
          }
        }
        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          channel = await connection.createChannel();
          channel.consume('carts', onCart);
        }
      `,
    },
    {
      name: 'the message is kept for later',
      filename: 'consumer.js',
      code: amqp(`waiting.push(msg);`, `if (waiting.length < 100) return;`, `await pool.query('DELETE FROM carts WHERE id = ANY($1)', [waiting.map((m) => m.content.toString())]);`, `for (const m of waiting.splice(0)) channel.ack(m);`).replace('const pool', 'const waiting = [];\nconst pool'),
    },
    {
      name: 'a wrapper that cannot be seen',
      filename: 'consumer.js',
      code: `
        const amqp = require('amqplib');
        const { acknowledging } = require('./not-here');
        const { Pool } = require('pg');
        const pool = new Pool();
        async function start() {
          const connection = await amqp.connect('amqp://localhost');
          const channel = await connection.createChannel();
          channel.consume('carts', acknowledging(channel, async (msg) => {
            await pool.query('DELETE FROM carts WHERE id = $1', [msg.content.toString()]).catch(console.error);
          }));
        }
      `,
    },
    {
      name: 'a callback may or may not run',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const job = outside(msg.content);`, `job.on('done', () => channel.ack(msg));`, `job.on('failed', () => channel.nack(msg, false, false));`).replace('const pool', `const outside = require('outside');\nconst pool`),
    },
    {
      name: 'a watchdog and the work settle at different times',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, `const watchdog = setTimeout(() => channel.nack(msg, false, false), 60000);`, `await pool.query('DELETE FROM carts WHERE id = $1', [cart.id]).catch(console.error);`, `clearTimeout(watchdog);`, `channel.ack(msg);`),
    },
    {
      name: 'callbacks of something unknown go on with the message',
      filename: 'consumer.js',
      code: `
        import amqp from 'amqplib';
        import { spawn } from 'our-threads';

        const channel = await (await amqp.connect('amqp://localhost')).createChannel();
        channel.consume('prints', (message) => {
          const thread = spawn('./print.js');
          thread
            .send(message.content)
            .on('message', (answer) => {
              if (answer.retry) return;
              channel.ack(message);
            })
            .on('error', () => channel.nack(message, false, false))
            .on('exit', () => console.log('over'));
        });
      `,
    },
  ],
  invalid: [
    {
      name: 'a way out without settlement',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, `if (!cart.id) return;`, `try {`, `  ${STORE}`, `  channel.ack(msg);`, `} catch (error) {`, `  channel.nack(msg, false, false);`, `}`),
      errors: [{ messageId: 'exit', line: 10, column: 19, endLine: 10, endColumn: 26 }],
    },
    {
      name: 'a caught failure',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `try {`, `  const cart = JSON.parse(msg.content);`, `  ${STORE}`, `  channel.ack(msg);`, `} catch (error) {`, `  console.error(error);`, `}`),
      errors: [{ messageId: 'caught', line: 13, column: 7, endLine: 13, endColumn: 22 }],
    },
    {
      name: 'a failure that nobody catches, in strict',
      filename: 'consumer.js',
      options: [{ preset: 'strict' }],
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, STORE, `channel.ack(msg);`),
      errors: [{ messageId: 'thrown', line: 10, column: 11 }],
    },
    {
      name: 'refused and acknowledged',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, `if (!cart.id) {`, `  channel.nack(msg, false, false);`, `}`, `await pool.query('DELETE FROM carts WHERE id = $1', [cart.id]).catch(console.error);`, `channel.ack(msg);`),
      errors: [{ messageId: 'twice', line: 14, column: 5, endLine: 14, endColumn: 21 }],
    },
    {
      name: 'acknowledged in each turn of a loop',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `for (const line of JSON.parse(msg.content)) {`, `  await pool.query('DELETE FROM carts WHERE id = $1', [line]).catch(console.error);`, `  channel.ack(msg);`, `}`),
      errors: [{ messageId: 'twice', line: 11 }],
    },
    {
      name: 'acknowledged on delivery, and by hand',
      filename: 'consumer.js',
      code: amqp(`channel.ack(msg);`).replace('  });\n}', '  }, { noAck: true });\n}'),
      errors: [{ messageId: 'onDelivery', line: 8 }],
    },
    {
      name: 'never',
      filename: 'consumer.js',
      code: amqp(`if (!msg) return;`, `const cart = JSON.parse(msg.content);`, STORE),
      errors: [{ messageId: 'never', line: 7 }],
    },
    {
      name: 'a job whose callback is not called',
      filename: 'consumer.js',
      code: `
        const Queue = require('bull');
        new Queue('carts').process((job, done) => {
          if (!job.data.id) return;
          done();
        });
      `,
      errors: [{ messageId: 'exit', line: 4 }],
    },
  ],
});
