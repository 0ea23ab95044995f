import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

// Each of the twelve assignments spreads the results of all twelve: following each through every other has no end.
it('follows options that are made anew from themselves many times', async () => {
  const names = Array.from('abcdefghijkl');
  const text = `import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
const pool = new Pool();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
let options = { eachMessage: async ({ message }) => { await pool.query('UPDATE accounts SET balance = balance + $1', [message.value]); } };
${names.map((n) => `options = { ...options, ${n}: process.env.${n.toUpperCase()} };`).join('\n')}
await consumer.run(options);
`;
  const { out } = await call(project({ 'main.js': text }), ['--list']);
  expect(out.replace(/ {2,}/g, ' | ').trim().split('\n')).toEqual(['main.js:5 | eachMessage | kafkajs | acknowledged when it returns | registered at main.js:18', '1 handler']);
});
