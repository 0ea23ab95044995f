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
  const client = await pool.connect();
  // A checked-out client has no listener of the pool's; a connection that breaks while the handler computes would
  // otherwise end the process with an unhandled 'error' event.
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  let failed = false;
  try {
    return await work(client);
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    client.removeListener('error', onError);
    const status = client.getTransactionStatus?.();
    const idle = status === undefined || status === null ? !failed : status === 'I';
    client.release(broken ?? !idle);
  }
}
