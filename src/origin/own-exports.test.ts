import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it.each(['module.exports', 'exports'])('follows a call through %s to the function of the same file', async (own) => {
  const text = `const { Kafka } = require('kafkajs');
const { Pool } = require('pg');
const pool = new Pool();
async function credit(id, amount) { await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, id]); }
exports.credit = credit;
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
consumer.run({ eachMessage: async ({ message }) => { await ${own}.credit(message.key, message.value); } });
`;
  const { out } = await call(project({ 'main.js': text }), []);
  expect(out).toContain('no-delta-write');
});

it('follows a call through module.exports to a function of an object that is exported', async () => {
  const text = `const { Kafka } = require('kafkajs');
const { Pool } = require('pg');
const pool = new Pool();
async function credit(id, amount) { await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, id]); }
async function onCredit({ message }) { await module.exports.credit(message.key, message.value); }
new Kafka({ brokers: [] }).consumer({ groupId: 'bank' }).run({ eachMessage: onCredit });
module.exports = { credit, onCredit };
`;
  const { out } = await call(project({ 'main.js': text }), []);
  expect(out).toContain('no-delta-write');
});
