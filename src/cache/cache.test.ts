import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../engine.js';
import { runWithCache } from './cache.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cache-')));
const location = join(root, 'kept', 'result.json');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const BUS = `import { Kafka } from 'kafkajs';
export async function subscribe(topic: string, handle: (order: { id: string }) => Promise<void>): Promise<void> {
  const consumer = new Kafka({ brokers: [] }).consumer({ groupId: topic });
  await consumer.run({ eachMessage: async ({ message }) => handle(JSON.parse(String(message.value)) as { id: string }) });
}
`;
const STORE = `import { Pool } from 'pg';
const pool = new Pool();
export async function count(id: string): Promise<void> {
  await pool.query('UPDATE shops SET orders = orders + 1 WHERE id = $1', [id]);
}
`;
const MAIN = `import { subscribe } from './bus';
import { count } from './store';
void subscribe('orders', async (order) => {
  await count(order.id);
});
`;

const run = (options: Partial<EngineOptions> = {}): string[] => runWithCache({ root, preset: 'recommended', ...options }, location).handlers.flatMap((h) => h.findings.map((f) => f.message));

/** Writes a mark into what was kept: it comes back if and only if the kept result is used. */
function mark(): void {
  const kept = JSON.parse(readFileSync(location, 'utf8')) as { result: { handlers: { findings: { message: string }[] }[] } };
  for (const h of kept.result.handlers) for (const f of h.findings) f.message = 'kept';
  writeFileSync(location, JSON.stringify(kept));
}

describe('the cache', () => {
  beforeEach(() => {
    write('src/bus.ts', BUS);
    write('src/store.ts', STORE);
    write('src/main.ts', MAIN);
    write('src/plain.ts', 'export const one = 1;\n');
    write('schema.sql', 'CREATE TABLE shops (id text PRIMARY KEY, orders int);\n');
    rmSync(location, { force: true });
    expect(run()).toEqual([expect.stringContaining('orders')]);
    mark();
  });

  it('gives the kept result while nothing has changed', () => {
    expect(run()).toEqual(['kept']);
  });

  it('goes by content where only the times are new', () => {
    for (const name of ['src/main.ts', 'src/plain.ts', 'schema.sql']) utimesSync(join(root, name), new Date(), new Date(Date.now() + 60_000));
    expect(run()).toEqual(['kept']);
  });

  it('sees a change of the same length at the same time', () => {
    write('src/store.ts', STORE.replace('orders + 1', 'orders * 1'));
    expect(run()).not.toEqual(['kept']);
  });

  it('runs again when a helper of a handler has changed', () => {
    write('src/store.ts', STORE.replace('orders = orders + 1', "state = 'open'"));
    expect(run()).toEqual([]);
  });

  it('keeps the result when a file has changed that nothing asks for', () => {
    write('src/plain.ts', 'export const two = 2;\n');
    expect(run()).toEqual(['kept']);
  });

  it('runs again when a file begins to call what registers handlers', () => {
    write('src/plain.ts', MAIN.replace('orders', 'refunds'));
    expect(run()).toHaveLength(2);
  });

  it('runs again when a file comes or goes', () => {
    write('src/new.ts', 'export const three = 3;\n');
    expect(run()).not.toEqual(['kept']);
    mark();
    rmSync(join(root, 'src/new.ts'));
    expect(run()).not.toEqual(['kept']);
  });

  it('runs again when a schema has changed', () => {
    write('schema.sql', 'CREATE TABLE shops (id text, orders int);\n');
    expect(run()).not.toEqual(['kept']);
  });

  it('runs again for other options', () => {
    expect(run({ preset: 'strict' })).not.toContain('kept');
  });

  it('runs again when what was kept cannot be read', () => {
    writeFileSync(location, '{ "key": ');
    expect(run()).toEqual([expect.stringContaining('orders')]);
  });

  it('says which file could not be written', () => {
    expect(() => runWithCache({ root, preset: 'recommended' }, join(root, 'src/plain.ts/cache.json'))).toThrow(/--cache-location .*plain\.ts.*Give a file/s);
  });
});
