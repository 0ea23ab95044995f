import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const handler = (loop: string): string => `import { PubSub } from '@google-cloud/pubsub';
import { Pool } from 'pg';
const pool = new Pool();
new PubSub().subscription('loans').on('message', async (message) => {
  ${loop}
  message.ack();
  await pool.query('UPDATE loans SET returned = $1 WHERE id = $2', [message.data, message.id]);
});
`;

// A counter begins with a constant, and a loop that asks for that alone would never end.
it.each([
  ['for', "for (let i = 0; i < 3; i++) await pool.query('SELECT 1');"],
  ['while', "let i = 3; while (i > 0) { await pool.query('SELECT 1'); i -= 1; }"],
  ['do', "let i = 0; do { await pool.query('SELECT 1'); } while (++i < 3);"],
  ['attempts', "for (let i = 1; i <= 3; i++) { try { await pool.query('SELECT 1'); break; } catch { continue; } }"],
])('goes on behind a loop that counts: %s', async (_, loop) => {
  const { out } = await call(project({ 'main.js': handler(loop) }), ['--format', 'json']);
  const { handlers } = JSON.parse(out) as { handlers: { findings: { rule: string; line: number }[] }[] };
  expect(handlers.flatMap((h) => h.findings.map((f) => `${f.rule}:${String(f.line)}`))).toEqual(['ack-after-commit:6']);
});
