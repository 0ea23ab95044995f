import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it('follows calls of private methods and reads of private fields', async () => {
  const text = `const { Kafka } = require('kafkajs');
const { Pool } = require('pg');
class Ledger {
  #pool = new Pool();
  async #credit(id, amount) { await this.#pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, id]); }
  async book(message) { await this.#credit(message.key, message.value); }
}
const ledger = new Ledger();
new Kafka({ brokers: [] }).consumer({ groupId: 'bank' }).run({ eachMessage: async ({ message }) => { await ledger.book(message); } });
`;
  const { out } = await call(project({ 'main.js': text }), []);
  expect(out).toContain('no-delta-write');
});

it('finds the handlers that a private method is given', async () => {
  const text = `const { Kafka } = require('kafkajs');
const { Pool } = require('pg');
const pool = new Pool();
class Consumers {
  #kafka = new Kafka({ brokers: [] });
  start() {
    this.#on('credits', async (message) => { await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [message.value, message.key]); });
  }
  async #on(topic, handle) {
    const consumer = this.#kafka.consumer({ groupId: topic });
    await consumer.run({ eachMessage: ({ message }) => handle(message) });
  }
}
new Consumers().start();
`;
  const { out } = await call(project({ 'main.js': text }), []);
  expect(out).toContain('no-delta-write');
});
