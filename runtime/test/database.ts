/** A corner of the test server for one test file: a schema with the inbox's tables and some accounts. */
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createInbox, type Inbox, type InboxOptions, type Message } from '../src/index.js';

export interface Corner {
  url: string;
  schema: string;
  pool: pg.Pool;
  /** An inbox of the corner. Its tables exist unless the options change them. */
  inbox<In = Message>(options?: Partial<InboxOptions<In>>): Inbox<In>;
  /** A pool that is closed with the corner. */
  newPool(config?: pg.PoolConfig): pg.Pool;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  balance(id: string): Promise<number>;
  recorded(): Promise<string[]>;
}

let count = 0;

/** Call at the top of a test file. The accounts' ids are free text; an unknown account has the balance 0. */
export function corner(): Corner {
  const schema = `inbox_test_${process.pid}_${Date.now().toString(36)}_${(count += 1)}`;
  const url = inject('databaseUrl');
  const pools: pg.Pool[] = [];
  const newPool = (config: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({ connectionString: url, max: 10, ...config });
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const pool = newPool({ max: 20 });
  const sql = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await pool.query(text, values)).rows as Record<string, unknown>[];
  const inbox = <In = Message>(options: Partial<InboxOptions<In>> = {}): Inbox<In> =>
    createInbox<In>({ pool, schema, consumer: 'billing', ...options });

  beforeAll(async () => {
    await inbox().migrate();
    await sql(`CREATE TABLE "${schema}".accounts (id text PRIMARY KEY, balance bigint NOT NULL DEFAULT 0)`);
  });
  afterAll(async () => {
    await sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await Promise.all(pools.map((each) => each.end()));
  });

  return {
    url,
    schema,
    pool,
    inbox,
    newPool,
    sql,
    balance: async (id) =>
      Number((await sql(`SELECT balance FROM "${schema}".accounts WHERE id = $1`, [id]))[0]?.balance ?? 0),
    recorded: async () =>
      (await sql(`SELECT id FROM "${schema}".processed ORDER BY id`)).map((row) => String(row.id)),
  };
}

/** The effect of most tests: adds to an account, so that a second time shows. */
export function credit(schema: string, id: string, amount = 1): { text: string; values: unknown[] } {
  return {
    text: `INSERT INTO "${schema}".accounts AS a (id, balance) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET balance = a.balance + excluded.balance`,
    values: [id, amount],
  };
}

let ids = 0;
export function freshId(what = 'event'): string {
  return `${what}-${process.pid}-${(ids += 1)}-${Math.random().toString(36).slice(2)}`;
}

/** Waits for a point inside of what runs. If that ends before, its error is the test's, and not a timeout without a word. */
export async function reached(point: Promise<unknown>, running: Promise<unknown>): Promise<void> {
  const early = running.then((value) => {
    throw new Error(`It ended before it got there: ${JSON.stringify(value)}`);
  });
  await Promise.race([point, early]);
}

/** A promise with its ends outside. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}
