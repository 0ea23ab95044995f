/**
 * The consumers that `idempotent-consumers adopt` is tested with, before and after: the harness finds what a repeat does to
 * the first, and nothing that it does to the second.
 */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { schemaSql } from '@idempotent-consumers/inbox';
import { proveHandler, type Proof } from '@idempotent-consumers/inbox/testing';
import ts from 'typescript';
import { describe, expect, inject, it } from 'vitest';

const fixtures = fileURLToPath(new URL('../../../fixtures/adopt/', import.meta.url));
// Inside of the repository, where the packages are found.
const home = fileURLToPath(new URL('../../dist/test-adopted/', import.meta.url));

interface Case {
  folder: string;
  /** The module that exports `start`. */
  module: string;
  setup: string;
  message: { id?: string; destination: string; body: object; headers?: Record<string, string> };
  /** What one repeat too many leaves behind. */
  repeated: string;
}

const bank = `CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100);
CREATE TABLE payments (id serial PRIMARY KEY, account int NOT NULL, amount int NOT NULL)`;

const cases: Case[] = [
  { folder: 'pg', module: 'payments.js', setup: bank, message: { destination: 'payments', body: { eventId: 'e1', account: 1, amount: 10 } }, repeated: 'accounts id=1: balance 120 instead of 110' },
  {
    folder: 'knex',
    module: 'orders.js',
    setup: 'CREATE TABLE stock (item int PRIMARY KEY, count int NOT NULL); INSERT INTO stock VALUES (7, 50); CREATE TABLE notes (order_id int, text text)',
    message: { id: 'm1', destination: 'orders', body: { id: 3, item: 7, count: 2 } },
    repeated: 'stock item=7: count 46 instead of 48',
  },
  { folder: 'kysely', module: 'payments.js', setup: bank, message: { destination: 'payments', body: { eventId: 'e1', account: 1, amount: 10 } }, repeated: 'accounts id=1: balance 120 instead of 110' },
  { folder: 'drizzle', module: 'payments.js', setup: bank, message: { destination: 'payments', body: { id: 'e1', account: 1, amount: 10 } }, repeated: 'accounts id=1: balance 120 instead of 110' },
  {
    folder: 'typeorm',
    module: 'bookings.js',
    setup: 'CREATE TABLE seats (id int PRIMARY KEY, free int NOT NULL); INSERT INTO seats VALUES (4, 9); CREATE TABLE bookings (id serial PRIMARY KEY, seat int NOT NULL)',
    message: { id: 'm1', destination: 'bookings', body: { seat: 4 } },
    repeated: 'seats id=4: free 7 instead of 8',
  },
];

/** The consumer as JavaScript that runs, with a scenario beside it. */
function scenario({ folder, module, setup, message }: Case, side: 'before' | 'after'): URL {
  const from = join(fixtures, folder, side);
  const to = join(home, folder, side);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!name.endsWith('.ts')) cpSync(join(from, name), join(to, name));
    else writeFileSync(join(to, name.replace(/ts$/, 'js')), ts.transpileModule(readFileSync(join(from, name), 'utf8'), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } }).outputText);
  }
  const isModule = readdirSync(from).some((name) => name.endsWith('.ts'));
  writeFileSync(join(to, 'package.json'), JSON.stringify({ type: isModule ? 'module' : 'commonjs' }));
  writeFileSync(
    join(to, 'scenario.mjs'),
    `export const setup = ${JSON.stringify(side === 'after' ? `${setup};\n${schemaSql()}` : setup)};
export const message = ${JSON.stringify(message)};
export const start = async () => (await import('./${module}')).start();
`,
  );
  return pathToFileURL(join(to, 'scenario.mjs'));
}

// Some crashes stand for all: each loads the library anew, and the inbox itself is put to all of them in harness.test.ts.
const prove = (c: Case, side: 'before' | 'after', maxCrashes: number): Promise<Proof> => proveHandler(scenario(c, side), { databaseUrl: inject('databaseUrl'), maxCrashes, timeBudget: 110_000 });
const lines = ({ differences }: Proof): string[] => differences.map(({ kind, run, what }) => `${kind}: ${run}: ${what}`);

describe('a consumer that was moved onto the inbox', { timeout: 240_000 }, () => {
  it.each(cases)('$folder', async (c) => {
    const [before, after] = await Promise.all([prove(c, 'before', 1), prove(c, 'after', 2)]);
    expect(lines(before)).toContain(`repeated: delivered twice in a row: ${c.repeated}`);
    expect(lines(after)).toEqual([]);
    expect(after.runs).toContain('delivered twice in a row');
    expect(after.limits).toEqual([expect.stringMatching(/crash points are more than maxCrashes \(2\)$/)]);
    expect(after.effects.some((effect) => effect.includes('INSERT INTO inbox.processed'))).toBe(true);
  });
});
