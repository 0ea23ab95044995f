import { describe, expect, it } from 'vitest';
import { call, project, violating } from '../../fixtures/command-runner.js';

const wrapped = {
  'src/bus.ts': `import { Kafka } from 'kafkajs';
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
export async function subscribe(handler: (m: any) => Promise<void>): Promise<void> {
  await consumer.run({ eachMessage: async ({ message }) => handler(message) });
}
`,
  'src/main.ts': `import { subscribe } from './bus.js';
import { save } from './save.js';
import { audit } from 'acme-audit';
await subscribe(async (m) => {
  audit(m);
  await save(m);
});
await subscribe(onRefund);
async function onRefund(m: any): Promise<void> {
  await save(m);
}
`,
  'src/save.ts': `import { Pool } from 'pg';
const pool = new Pool();
export async function save(m: any): Promise<void> {
  await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [m.value, m.key]);
}
`,
};

const guarded = `import { Kafka } from 'kafkajs';
import { Pool } from 'pg';
const pool = new Pool();
const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'bank' });
await consumer.run({
  eachMessage: async ({ message }) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rowCount } = await client.query('INSERT INTO processed (id) VALUES ($1) ON CONFLICT DO NOTHING', [message.key]);
      if (rowCount === 1) {
        await client.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [message.value, message.key]);
      }
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  },
});
`;

const explain = async (files: Record<string, string>, line: string, ...args: string[]): Promise<string> => {
  const { code, out, err } = await call(project(files), ['--explain', line, ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.replace(/ +/g, ' ');
};

describe('--list', () => {
  it('shows each handler with its place, client, acknowledgement and registration, and exits with 0', async () => {
    const { code, out } = await call(project(wrapped), ['--list']);
    expect(code).toBe(0);
    expect(out.split('\n').map((l) => l.replace(/ {2,}/g, ' | '))).toEqual([
      'src/main.ts:4 | (anonymous) | kafkajs | acknowledged when it returns | registered at src/bus.ts:4',
      'src/main.ts:9 | onRefund | kafkajs | acknowledged when it returns | registered at src/bus.ts:4',
      '2 handlers',
      '',
    ]);
  });
});

describe('--explain', () => {
  it('tells how a handler behind a wrapper was found, and what was followed', async () => {
    const out = await explain(wrapped, 'src/main.ts:10');
    expect(out).toMatch(/^onRefund \(kafkajs\) src\/main\.ts:9 unsafe, acknowledged when it returns\n/);
    expect(out).toMatch(/How it was found\n src\/bus\.ts:4 consumer\.run registers the handler with kafkajs\n(.*\n)* src\/main\.ts:9 onRefund is the handler\n/);
    expect(out).toMatch(/Functions that it runs through\n(.*\n)* src\/save\.ts:3 save\n/);
    expect(out).not.toContain('src/main.ts:4');
  });

  it('tells what each call was taken for, and why one was not resolved', async () => {
    const out = await explain(wrapped, 'src/main.ts:5');
    expect(out).toContain(' src/main.ts:5 audit not resolved: the package acme-audit is not known\n');
    expect(out).toMatch(/ src\/save\.ts:4 pool\.query write \(delta\) of accounts, pg; by id = m\.key \(producer-stable\)\n/);
  });

  it('tells of each rule that it reports, or that there is nothing to judge, or that it is not in the preset', async () => {
    const out = await explain({ 'a.ts': violating }, 'a.ts:8');
    expect(out).toMatch(/✗ no-delta-write: reports\n line 8: `pool\.query` changes `balance` relative to what is stored/);
    expect(out).toContain('✓ single-external-effect: nothing to judge, no external effects\n');
    expect(out).toContain('✓ no-ack-on-failure: nothing to report about effects that can fail\n line 8, pool.query: delta; waited for; a failure leaves the handler\n');
  });

  it('names the guard that keeps a rule silent', async () => {
    const out = (await explain({ 'a.ts': guarded }, 'a.ts:12')).replace(/\s+/g, ' ');
    expect(out).toContain('✓ no-delta-write: nothing to report about relative changes of stored state line 12, client.query: delta; guarded by `client.query` on line 10;');
    expect(out).toContain('inside the transaction of line 9');
    expect(out).toContain('a failure is caught on line 15');
  });

  it('names, for a line of a helper, the handlers that reach it', async () => {
    const out = await explain(wrapped, 'src/save.ts:4');
    expect(out).toMatch(/^save src\/save\.ts:3 is no handler; 2 handlers reach it\n/);
    expect(out).toMatch(/Reached by\n src\/main\.ts:4 \(anonymous\) \(kafkajs\)\n src\/main\.ts:9 onRefund \(kafkajs\)\n/);
    expect(out).toContain(' src/save.ts:4 pool.query write (delta) of accounts, pg');
    expect(out).not.toContain('audit');
  });

  it('draws the timeline of a handler without findings too', async () => {
    expect(await explain({ 'a.ts': guarded }, 'a.ts:6')).toMatch(/What happens, on one path\n 9 begin client\.query\n 10 write client\.query \(insert-or-ignore\)\n 12 write client\.query \(delta\)\n 14 commit client\.query\n/);
  });
});
