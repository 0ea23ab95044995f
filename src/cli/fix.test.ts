import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command } from './command.js';

const FORGOTTEN = `import { Worker } from 'bullmq';
import { Pool } from 'pg';

const pool = new Pool();

// Keeps the shelf in step with the orders.
new Worker('orders', async (job) => {
  pool.query("UPDATE shelf SET state = 'sold' WHERE id = $1", [job.data.id]);
});
`;
const SWALLOWED = `import { Worker } from 'bullmq';
import { Pool } from 'pg';

const pool = new Pool();

new Worker('refunds', async (job) => {
  try {
    await pool.query("UPDATE refunds SET state = 'paid' WHERE id = $1", [job.data.id]);
  } catch (error) {
    console.error(error);
  }
});
`;

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fix-')));
  writeFileSync(join(cwd, 'orders.ts'), FORGOTTEN);
  writeFileSync(join(cwd, 'refunds.ts'), SWALLOWED);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const text = (name: string): string => readFileSync(join(cwd, name), 'utf8');

async function fix(args: string[], answers?: string): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const code = await command(['fix', ...args], {
    cwd,
    stdout: { write: (t: string) => (written.out += t) },
    stderr: { write: (t: string) => (written.err += t) },
    env: {},
    ...(answers !== undefined && { stdin: Readable.from([answers]) }),
  });
  return { code, ...written };
}

describe('idempotent-consumers fix', () => {
  it('applies the suggestions of the whole program and shows what they change', async () => {
    const { code, out } = await fix([]);
    expect(text('orders.ts')).toBe(FORGOTTEN.replace('  pool.query', '  await pool.query'));
    expect(text('refunds.ts')).toContain('throw error;');
    expect(out).toContain("+  await pool.query(\"UPDATE shelf");
    expect(out).toContain('--- a/orders.ts');
    expect(out).toMatch(/2 suggestions changed 2 files\..* No finding is left\./);
    expect(code).toBe(0);
  });

  it('writes nothing with --dry-run', async () => {
    const { out, code } = await fix(['--dry-run']);
    expect(text('orders.ts')).toBe(FORGOTTEN);
    expect(text('refunds.ts')).toBe(SWALLOWED);
    expect(out).toContain('2 suggestions would change 2 files. Nothing was written.');
    expect(code).toBe(0);
  });

  it('keeps to one rule with --rule, and tells what is left', async () => {
    const { out, code } = await fix(['--rule', 'ack-after-commit']);
    expect(text('orders.ts')).toContain('await pool.query');
    expect(text('refunds.ts')).toBe(SWALLOWED);
    expect(out).toMatch(/1 finding left:\n {2}refunds\.ts:\d+ {2}no-ack-on-failure {2}\(has a suggestion\)/);
    expect(code).toBe(1);
  });

  it('keeps to the given paths', async () => {
    await fix(['refunds.ts']);
    expect(text('orders.ts')).toBe(FORGOTTEN);
    expect(text('refunds.ts')).not.toBe(SWALLOWED);
  });

  it('asks before each change with --interactive', async () => {
    const { out } = await fix(['--interactive'], 'n\nmaybe\nyes\n');
    expect(text('orders.ts')).toBe(FORGOTTEN);
    expect(text('refunds.ts')).toContain('throw error;');
    expect(out.match(/Apply this\?/g)).toHaveLength(3);
    expect(out).toContain('1 suggestion changed 1 file.');
  });

  it('keeps what was taken before the questions end', async () => {
    await fix(['--interactive'], 'y\n');
    expect(text('orders.ts')).not.toBe(FORGOTTEN);
    expect(text('refunds.ts')).toBe(SWALLOWED);
  });

  it('leaves alone what a comment switches off', async () => {
    const accepted = FORGOTTEN.replace('  pool.query', '  // eslint-disable-next-line idempotent-consumers/ack-after-commit -- a shelf can wait\n  pool.query');
    writeFileSync(join(cwd, 'orders.ts'), accepted);
    const { out, code } = await fix(['orders.ts']);
    expect(text('orders.ts')).toBe(accepted);
    expect(out).toBe('No suggestion was applied. No finding is left.\n');
    expect(code).toBe(0);
    await fix(['orders.ts', '--no-inline-config']);
    expect(text('orders.ts')).toBe(accepted.replace('  pool.query', '  await pool.query'));
  });

  it('leaves alone what the baseline holds', async () => {
    const around = { cwd, stdout: { write: () => true }, stderr: { write: () => true }, env: {} };
    await command(['orders.ts', '--baseline', 'old.json', '--update-baseline'], around);
    const { out, code } = await fix(['--baseline', 'old.json']);
    expect(text('orders.ts')).toBe(FORGOTTEN);
    expect(text('refunds.ts')).toContain('throw error;');
    expect(out).toContain('1 suggestion changed 1 file.');
    expect(code).toBe(0);
  });

  it('names the rules when there is none of that name', async () => {
    const { code, err } = await fix(['--rule', 'ack-late']);
    expect(code).toBe(2);
    expect(err).toMatch(/ack-late.*ack-after-commit/s);
  });

  it('ends on every shipped fixture', async () => {
    const demo = join(import.meta.dirname, '../../fixtures/demo');
    const { out, code } = await fix(['--dry-run', '--preset', 'strict', demo]);
    expect(out).toMatch(/suggestions? would change/);
    expect(code).toBe(1);
  });
});
