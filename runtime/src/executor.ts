/** The one thing that the inbox needs of a driver to join a transaction that somebody else opened. */
import { InboxConfigError } from './errors.js';

export type Row = Record<string, unknown>;

/**
 * Runs one statement without parameters inside the caller's transaction, and gives its rows. It must reject if the
 * statement fails, and must not interpret the text.
 */
export type Executor = (sql: string) => Promise<readonly Row[]>;

/** Something with `pg`'s `query`: a client of `pg`, or the handle that `inbox.process` gives to the handler. */
export interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>;
}

export function executor(tx: Executor | Queryable): Executor {
  if (typeof tx === 'function') return tx;
  if (typeof tx?.query === 'function') return async (sql) => (await tx.query(sql)).rows as Row[];
  throw new InboxConfigError(
    'tx must be a function that runs one SQL text in your transaction and resolves to its rows, or a client of pg. For an ORM use one of the from… functions, e.g. fromKysely(trx).',
  );
}

/** A transaction of `pg`: a client between BEGIN and COMMIT. */
export function fromPg(client: Queryable): Executor {
  return executor(client);
}

/** postgres.js: `sql.begin((tx) => … fromPostgresJs(tx))`. */
export function fromPostgresJs(tx: { unsafe(text: string): PromiseLike<ArrayLike<unknown>> }): Executor {
  return async (sql) => Array.from(await tx.unsafe(sql)) as Row[];
}

/** Knex: `knex.transaction((trx) => … fromKnex(trx))`. */
export function fromKnex(trx: { raw(text: string): PromiseLike<unknown> }): Executor {
  return async (sql) => ((await trx.raw(sql)) as { rows: Row[] }).rows;
}

/** Kysely: `db.transaction().execute((trx) => … fromKysely(trx))`. */
export function fromKysely(trx: {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- CompiledQuery, of which three fields are needed
  executeQuery(query: any): Promise<{ rows: unknown[] }>;
}): Executor {
  return async (sql) => {
    const query = {
      sql,
      parameters: [],
      query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
      queryId: { queryId: 'inbox' },
    };
    return (await trx.executeQuery(query)).rows as Row[];
  };
}

/** Drizzle over `pg` or postgres.js: `db.transaction((tx) => … fromDrizzle(tx))`. */
export function fromDrizzle(tx: { execute(text: string): PromiseLike<unknown> }): Executor {
  return async (sql) => {
    const result = (await tx.execute(sql)) as { rows?: Row[] } | Row[];
    return Array.isArray(result) ? Array.from(result) : (result.rows ?? []);
  };
}

/** TypeORM: `dataSource.transaction((manager) => … fromTypeOrm(manager))`, or a QueryRunner in a transaction. */
export function fromTypeOrm(manager: { query(text: string): Promise<unknown> }): Executor {
  return async (sql) => {
    const result = await manager.query(sql);
    // TypeORM answers [rows, count] to UPDATE and DELETE, and the rows to everything else.
    return Array.isArray(result) && Array.isArray(result[0]) ? (result[0] as Row[]) : (result as Row[]);
  };
}

/** Sequelize: `sequelize.transaction((transaction) => … fromSequelize(sequelize, transaction))`. */
export function fromSequelize<T>(
  sequelize: { query(sql: string, options: { transaction: T; raw: true; type: 'SELECT' }): Promise<unknown> },
  transaction: T,
): Executor {
  if (!transaction) throw new InboxConfigError('fromSequelize needs the transaction as its second argument.');
  return async (sql) => (await sequelize.query(sql, { transaction, raw: true, type: 'SELECT' })) as Row[];
}

/** MikroORM: `em.transactional((em) => … fromMikroOrm(em))`. */
export function fromMikroOrm(em: {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the driver's own context type
  getTransactionContext(): any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the driver's own connection type
  getConnection(): any;
}): Executor {
  const context: unknown = em.getTransactionContext();
  if (!context) throw new InboxConfigError('This EntityManager is in no transaction. Use the one that em.transactional() gives.');
  return async (sql) => (await em.getConnection().execute(sql, [], 'all', context)) as Row[];
}

/** Prisma: `prisma.$transaction((tx) => … fromPrisma(tx))`. */
export function fromPrisma(tx: { $queryRawUnsafe(text: string): PromiseLike<unknown> }): Executor {
  return async (sql) => (await tx.$queryRawUnsafe(sql)) as Row[];
}
