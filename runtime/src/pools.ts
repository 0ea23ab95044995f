/** The pool inside an ORM, so that the inbox needs none of its own for its tables, its checks and its retention. */
import { InboxConfigError } from './errors.js';
import type { Pool, PoolClient } from './pool.js';

/** The connection pool of a Knex instance with the client `pg`. Connections are lent by Knex, and count in its limit. */
export function poolOfKnex(knex: {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Knex.Client, whose types differ between its versions
  client: any;
}): Pool {
  const client = knex.client as KnexClient;
  return {
    async connect() {
      const connection = await client.acquireConnection();
      return {
        query: (...args) => connection.query(...args) as unknown,
        on: (event, listener) => connection.on(event, listener),
        removeListener: (event, listener) => connection.removeListener(event, listener),
        getTransactionStatus: () => connection.getTransactionStatus?.(),
        release(destroy) {
          // Knex's own mark: its pool throws such a connection away instead of lending it again.
          if (destroy) connection.__knex__disposed = destroy;
          void client.releaseConnection(connection);
        },
      };
    },
  };
}

interface KnexClient {
  acquireConnection(): Promise<PoolClient & { __knex__disposed?: unknown }>;
  releaseConnection(connection: unknown): Promise<void>;
}

/** The connection pool of a TypeORM data source for PostgreSQL; it may be initialized later, before the first message. */
export function poolOfTypeOrm(dataSource: {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Driver is of no database in TypeORM's types
  driver: any;
}): Pool {
  return {
    async connect() {
      const { master } = dataSource.driver as { master?: Pool };
      if (typeof master?.connect !== 'function') {
        throw new InboxConfigError('The data source has no pool of pg: it is not initialized yet, or not of type postgres. Await dataSource.initialize() first.');
      }
      return master.connect();
    },
  };
}
