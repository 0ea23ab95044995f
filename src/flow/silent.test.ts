import { describe, expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

// What formats an entry of the log asks for much, and each line of the handler logs.
const LOGGING = `const SECRETS = new Set(['token', 'password']);
function isPlain(value) { if (typeof value !== 'object' || value === null) return false; return Object.getPrototypeOf(value) === Object.prototype; }
function hidden(value, depth = 0) {
  if (depth > 8) return value;
  if (Array.isArray(value)) return value.map((v) => hidden(v, depth + 1));
  if (!isPlain(value)) return value;
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (SECRETS.has(key)) out[key] = '***';
    else if (typeof inner === 'object') out[key] = hidden(inner, depth + 1);
    else out[key] = inner;
  }
  return out;
}
function line(level, text, fields) { return [level, text, fields ? JSON.stringify(hidden(fields)) : ''].filter(Boolean).join(' '); }
export const report = { info: (text, fields) => write(line('info', text, hidden(fields))), fault: (text, fields) => write(line('fault', text, hidden(fields))) };
function write(text) { process.stdout.write(text); }
`;

const handler = (lines: string): string => `import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
import { report } from './report.js';
const pool = new Pool();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
await consumer.run({
  eachMessage: async ({ message }) => {
${lines}
  },
});
`;

const findingsOf = async (text: string): Promise<string[]> => {
  const dir = project({ 'report.js': LOGGING, 'main.js': text });
  const { out } = await call(dir, ['--format', 'json']);
  const report = JSON.parse(out) as { handlers: { findings: { rule: string; line: number }[] }[]; problems: { message: string }[] };
  return [...report.handlers.flatMap((h) => h.findings.map((f) => `${f.rule}:${String(f.line)}`)), ...report.problems.map((p) => p.message)];
};

describe('code of no consequence', () => {
  it('does not hide what stands among it, however often it runs', async () => {
    const logged = Array.from({ length: 400 }, (_, i) => `    report.info('step ${String(i)}', { key: String(message.key), nested: { i: ${String(i)} } });`);
    logged.splice(200, 0, "    await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [message.value, message.key]);");
    expect(await findingsOf(handler(logged.join('\n')))).toEqual(['no-delta-write:208']);
  });

  it('still decides where its result is asked for', async () => {
    const text = (condition: string): string => handler(`    const known = isKnown(message.key);
    try {
      await pool.query('INSERT INTO seen (id) VALUES ($1) ON CONFLICT DO NOTHING', [message.key]);
    } catch (error) {
      if (${condition}) throw error;
    }
  },
});
function isKnown(key) { if (key) return true; return true; }
function never() { if (process.env.A) return false; return false; }
void ({
  rest() {`);
    expect(await findingsOf(text('known'))).toEqual([]);
    expect(await findingsOf(text('never()'))).toEqual(['no-ack-on-failure:11']);
  });

  it('is listed where a call in it could not be told', async () => {
    const dir = project({ 'report.js': LOGGING, 'main.js': handler("    measure(message);\n    await pool.query('SELECT 1');\n  },\n});\nfunction measure(m) { if (m.size > 3) gauge.set(m.size); }\nvoid ({\n  rest() {") });
    const { out } = await call(dir, ['--explain', 'main.js:7']);
    expect(out).toMatch(/main\.js:12 {2}gauge\.set not resolved/);
  });
});
