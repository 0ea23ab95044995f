/** The server on which the harness makes its database. */
import { startPostgres } from '../embedded.js';

/** The given URL, else what the environment names, else a server for this proof alone. */
export async function server(given: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  const url = given ?? process.env.DATABASE_URL ?? fromEnvironment(process.env);
  if (url) return { url, stop: () => Promise.resolve() };
  const started = await startPostgres();
  return { url: started.connectionString, stop: () => started.stop() };
}

function fromEnvironment({ PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE }: NodeJS.ProcessEnv): string | undefined {
  if (!PGHOST && !PGPORT && !PGDATABASE) return undefined;
  const user = encodeURIComponent(PGUSER ?? 'postgres');
  const password = PGPASSWORD ? `:${encodeURIComponent(PGPASSWORD)}` : '';
  return `postgres://${user}${password}@${PGHOST ?? '127.0.0.1'}:${PGPORT ?? '5432'}/${PGDATABASE ?? 'postgres'}`;
}
