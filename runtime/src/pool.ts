/**
 * The part of `pg` that the inbox uses, by shape. The package imports nothing from `pg` at run time: the pool is the
 * caller's, so there is one copy of `pg`, one set of type parsers and one limit on connections.
 */
export interface QueryResult<Row = Record<string, unknown>> {
  /** The server's command tag without counts: `INSERT`, `COMMIT`, `ROLLBACK`, … */
  command: string;
  rowCount: number | null;
  rows: Row[];
}

export interface PoolClient {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the overloads of pg's query() differ between its versions
  query(...args: any[]): any;
  /** `true` or an error closes the connection instead of giving it back. */
  release(destroy?: Error | boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** `I` idle, `T` in a transaction, `E` in a failed one. From pg 8.21 on. */
  getTransactionStatus?(): string | null | undefined;
}

export interface Pool {
  connect(): Promise<PoolClient>;
}

/** Runs one text in autocommit mode. Several statements in it run as one transaction. */
export async function autocommit(pool: Pool, sql: string): Promise<QueryResult[]> {
  return withClient(pool, (client) => simpleQuery(client, sql));
}

/** The rows of the `n`-th statement of a simple query. */
export function rowsOf(results: readonly QueryResult[], n = 0): Record<string, unknown>[] {
  return resultOf(results, n).rows;
}

/** The row of a statement that always gives one. */
export function rowOf(results: readonly QueryResult[], n = 0): Record<string, unknown> {
  const [row] = rowsOf(results, n);
  if (!row) throw new Error('PostgreSQL gave no row where it must give one. Report this with the versions of PostgreSQL and pg.');
  return row;
}

export function resultOf(results: readonly QueryResult[], n = 0): QueryResult {
  const result = results[n];
  if (!result) throw new Error('The pool gave fewer results than statements. It must resolve to one result a statement, as pg does.');
  return result;
}

/** One simple query, which may hold several statements; a result for each. */
export async function simpleQuery(client: PoolClient, sql: string): Promise<QueryResult[]> {
  const result = (await client.query(sql)) as QueryResult | QueryResult[];
  return Array.isArray(result) ? result : [result];
}

/**
 * Lends a connection. A connection on which something failed is closed unless it is proven idle, for the next
 * borrower would find itself inside a foreign transaction.
 */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  // A client that is checked out has no listener of the pool's; a connection that breaks while the handler computes
  // would otherwise end the process with an unhandled 'error' event.
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  const client = await checkOut(pool, onError);
  let failed = false;
  try {
    return await work(client);
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    const idle = broken === undefined && (await isIdle(client, failed));
    // A client that is closed keeps the listener: the server's farewell may still be under way.
    if (idle && broken === undefined) client.removeListener('error', onError);
    client.release(broken ?? !idle);
  }
}

/**
 * Whether the session is outside of any transaction. A statement that fails rejects before the server has told the new
 * status, and until then `pg` answers with the one from before: an empty query brings it.
 */
async function isIdle(client: PoolClient, failed: boolean): Promise<boolean> {
  if (failed && client.getTransactionStatus) await simpleQuery(client, '').catch(() => undefined);
  const status = client.getTransactionStatus?.();
  return status === undefined || status === null ? !failed : status === 'I';
}

/**
 * Takes a client and listens on it in the same turn of the event loop. With the promise of `pool.connect()` there
 * would be a gap: a new connection's ready message and its end can stand in one packet, and then nobody listens yet.
 */
function checkOut(pool: Pool, onError: (error: Error) => void): Promise<PoolClient> {
  const connect = pool.connect as (this: Pool, callback?: (error: Error | undefined, client?: PoolClient) => void) => Promise<PoolClient> | undefined;
  return new Promise((resolve, reject) => {
    const take = (client: PoolClient): void => {
      client.on('error', onError);
      resolve(client);
    };
    // pg's pool takes a callback; a pool of another make may know the promise only.
    if (connect.length === 0) return void pool.connect().then(take, reject);
    void connect.call(pool, (error, client) => (client ? take(client) : reject(error ?? new Error('The pool gave no client.'))));
  });
}
