import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const files = {
  'main.js': `const amqp = require('amqplib');
const { Pool } = require('pg');
const { listen } = require('./listen');
const pool = new Pool();

async function start() {
  const connection = await amqp.connect('amqp://localhost');
  const channel = await connection.createChannel();
  listen(channel, 'parcels', async (message) => {
    await pool.query('DELETE FROM parcels WHERE id = $1', [message.id]);
  });
}
start();
`,
  'listen.js': `exports.listen = function listen(channel, queue, handle) {
  channel.consume(queue, async (message) => {
    channel.ack(message);
    await handle(JSON.parse(message.content));
  });
};
`,
};

it('knows a client that callers give, where it registers and where it acknowledges', async () => {
  const { out } = await call(project(files), ['--format', 'json']);
  const { handlers } = JSON.parse(out) as { handlers: { file: string; client: string; findings: { rule: string; file: string; line: number }[] }[] };
  expect(handlers.map((h) => [h.file, h.client])).toEqual([
    ['listen.js', 'amqplib'],
    ['main.js', 'amqplib'],
  ]);
  const findings = handlers.flatMap((h) => h.findings.map((f) => `${f.rule} ${f.file}:${String(f.line)}`));
  expect(findings).toContain('ack-after-commit listen.js:3');
});

it('takes no parameter for a client of which no caller is in sight', async () => {
  const { out } = await call(project({ 'listen.js': files['listen.js'] }), ['--list']);
  expect(out).toContain('0 handlers');
});
