import { expect, it } from 'vitest';
import { call, json, project } from '../../fixtures/command-runner.js';

const head = `const { Kafka } = require('kafkajs');
const { Pool } = require('pg');
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
`;
const update = "'UPDATE accounts SET balance = balance + $1 WHERE id = $2', [message.value, message.key]";

const rulesOf = async (text: string, more: Record<string, string> = {}): Promise<string[]> => {
  const { handlers } = await json(project({ 'main.js': head + text, ...more }));
  return handlers.flatMap((h) => h.findings.map((f) => `${h.name} ${f.rule}`));
};

it('finds a handler that is a method on the prototype of a constructor function', async () => {
  const ways = [
    "function Bank(pool) { this.pool = pool; }\nBank.prototype.onCredit = async function ({ message }) { await this.pool.query(UPDATE); };\nBank.prototype.start = function () { return consumer.run({ eachMessage: this.onCredit.bind(this) }); };",
    "const Bank = function (pool) { this.pool = pool; };\nBank.prototype = { onCredit: async function ({ message }) { await this.pool.query(UPDATE); }, start() { const self = this; return consumer.run({ eachMessage: (m) => self.onCredit(m) }); } };",
    "function Bank(pool) { const self = this; self.pool = pool; }\nObject.assign(Bank.prototype, { async onCredit({ message }) { await this.pool.query(UPDATE); }, start() { return consumer.run({ eachMessage: (m) => this.onCredit(m) }); } });",
  ];
  for (const way of ways) {
    const { out } = await call(project({ 'main.js': `${head}${way.replace('UPDATE', update)}\nnew Bank(new Pool()).start();\n` }), ['--list']);
    expect(out.replace(/ {2,}/g, ' | ').trim().split('\n').at(-1)).toBe('1 handler');
    expect(out).toContain('onCredit');
  }
});

it('follows a call to a method of an object that a constructor function made', async () => {
  const bank = `function Bank(pool) { this.pool = pool; }
Bank.prototype.credit = async function (message) { await this.pool.query(${update}); };
`;
  expect(await rulesOf(`${bank}const bank = new Bank(new Pool());\nconsumer.run({ eachMessage: async ({ message }) => { await bank.credit(message); } });`)).toEqual(['eachMessage no-delta-write']);
  const module = { 'bank.js': `${bank}module.exports = Bank;` };
  expect(await rulesOf("const Bank = require('./bank');\nconst bank = new Bank(new Pool());\nconsumer.run({ eachMessage: async ({ message }) => { await bank.credit(message); } });", module)).toEqual(['eachMessage no-delta-write']);
});

it('keeps two objects of one constructor function apart', async () => {
  const bank = 'function Job(work) { this.work = work; }\nJob.prototype.run = function (message) { return this.work(message); };\nconst pool = new Pool();\n';
  const jobs = `const credit = new Job(async (message) => { await pool.query(${update}); });\nconst log = new Job(async (message) => { console.log(message.key); });\n`;
  expect(await rulesOf(`${bank}${jobs}consumer.run({ eachMessage: async ({ message }) => { await log.run(message); } });`)).toEqual([]);
  expect(await rulesOf(`${bank}${jobs}consumer.run({ eachMessage: async ({ message }) => { await credit.run(message); } });`)).toEqual(['eachMessage no-delta-write']);
});

it('takes what a constructor function returns for the object', async () => {
  const bank = `class Bank { constructor(pool) { this.pool = pool; } async credit(message) { await this.pool.query(${update}); } }
function makeBank(pool) { if (!(this instanceof Bank)) return new Bank(pool); }
const bank = new makeBank(new Pool());
`;
  expect(await rulesOf(`${bank}consumer.run({ eachMessage: async ({ message }) => { await bank.credit(message); } });`)).toEqual(['eachMessage no-delta-write']);
});

it('makes the object where a constructor function calls itself without new', async () => {
  const bank = `function Bank(pool) { if (!(this instanceof Bank)) return new Bank(pool); this.pool = pool; }
Bank.prototype.credit = async function (message) { await this.pool.query(${update}); };
`;
  for (const made of ['new Bank(new Pool())', 'Bank(new Pool())']) {
    expect(await rulesOf(`${bank}const bank = ${made};\nconsumer.run({ eachMessage: async ({ message }) => { await bank.credit(message); } });`)).toEqual(['eachMessage no-delta-write']);
  }
});
