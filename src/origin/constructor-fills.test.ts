import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it('knows what a constructor put into a table of its object, in a loop over its own arguments', async () => {
  const text = `const amqp = require('amqplib');
const { Pool } = require('pg');
const pool = new Pool();
class UserAction {
  getType() { return 'user'; }
  async exec(content) { await pool.query('UPDATE users SET visits = visits + 1 WHERE id = $1', [content.id]); }
}
class Consumer {
  constructor(...actions) {
    this.actions = {};
    actions.forEach((action) => { this.actions[action.getType()] = action; });
  }
  async handle(m) {
    const content = JSON.parse(m.content.toString());
    if (this.actions[content.action]) await this.actions[content.action].exec(content);
  }
}
module.exports = async () => {
  const ch = await (await amqp.connect('')).createChannel();
  const consumer = new Consumer(new UserAction());
  await ch.consume('q', async (m) => { await consumer.handle(m); ch.ack(m); });
};
`;
  const { out } = await call(project({ 'main.js': text }), ['--format', 'json']);
  const { handlers } = JSON.parse(out) as { handlers: { findings: { rule: string; line: number }[] }[] };
  expect(handlers.flatMap((h) => h.findings.map((f) => `${f.rule}:${String(f.line)}`))).toContain('no-delta-write:6');
});
