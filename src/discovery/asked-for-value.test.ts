import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const files = (use: string): Record<string, string> => ({
  'main.js': `const { Worker } = require('bullmq');
const { paid } = require('./paid');
const { late } = require('./late');
const { send } = require('./send');
const kinds = { paid, late };
new Worker('notices', async (job) => {
  const kind = kinds[job.name];
  ${use}
});
`,
  'paid.js': "exports.paid = { mail: (data) => ({ to: data.customer, subject: 'Paid' }) };\n",
  'late.js': "exports.late = { mail: (data) => ({ to: data.customer, subject: 'Late' }) };\n",
  'send.js': 'exports.send = (mail) => mail;\n',
});

it.each([
  ['read', 'const mail = kind.mail(job);\n  if (mail.subject === "Late") console.log(mail);'],
  ['spread', 'const mail = await kind.mail(job);\n  const copy = { id: 1, ...mail };'],
])('takes no function for a handler whose result is %s', async (_, use) => {
  const { out } = await call(project(files(use)), ['--list']);
  expect(out).not.toContain('paid.js');
});

it('takes functions of a table for handlers where nothing is asked of them', async () => {
  const { out } = await call(project(files('await kind.mail(job);')), ['--list']);
  expect(out).toContain('paid.js');
});

it('takes no function for a handler that is asked whether the message is wanted', async () => {
  const text = `const { Worker } = require('bullmq');
const { rules } = require('./rules');
const { Pool } = require('pg');
const pool = new Pool();
class Index {
  constructor(rules) { this.rules = rules; }
  wants(job) { return this.rules.filter(job); }
  async update(job) { if (this.wants(job)) await pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]); }
}
const listen = (rules) => new Worker('carts', (job) => new Index(rules).update(job));
listen(rules);
`;
  const { out } = await call(project({ 'main.js': text, 'rules.js': 'exports.rules = { filter: (job) => job.data.open };\n' }), ['--list']);
  expect(out).toContain('main.js:10');
  expect(out).not.toContain('rules.js');
});
