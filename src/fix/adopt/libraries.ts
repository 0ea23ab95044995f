import type { LibraryValue } from '../../origin/value.js';

/** How one library runs statements in a transaction, and how the inbox joins it. */
export interface Sql {
  /** The name for the transaction in the code. */
  tx: string;
  /** The inbox's function that makes an executor of the transaction; absent: the inbox's own transaction is used. */
  from?: string;
  /** Opens a transaction that runs a function: `knex` gives `knex.transaction(`. */
  open?: (connection: string) => string;
  /** The type of a parameter that takes a connection as well as a transaction; absent: that of its default value. */
  type?: (connection: string) => { text: string; imports: { name: string; from: 'inbox' | 'instance' } | undefined };
}

export const LIBRARIES: Readonly<Record<string, Sql>> = {
  pg: { tx: 'tx', type: () => ({ text: "Pick<Transaction, 'query'>", imports: { name: 'Transaction', from: 'inbox' } }) },
  knex: { tx: 'trx', from: 'fromKnex', open: (c) => `${c}.transaction(` },
  kysely: { tx: 'trx', from: 'fromKysely', open: (c) => `${c}.transaction().execute(` },
  'drizzle-orm': { tx: 'tx', from: 'fromDrizzle', open: (c) => `${c}.transaction(`, type: (c) => ({ text: `Omit<typeof ${c}, '$client'>`, imports: undefined }) },
  typeorm: { tx: 'manager', from: 'fromTypeOrm', open: (c) => `${c}.transaction(` },
  '@prisma/client': { tx: 'tx', from: 'fromPrisma', open: (c) => `${c}.$transaction(`, type: () => ({ text: 'Prisma.TransactionClient', imports: { name: 'Prisma', from: 'instance' } }) },
};

export const SUPPORTED = 'pg, Knex, Prisma, Drizzle, TypeORM and Kysely';

/** What a value of a library is, as far as statements can be sent through it. */
export function kindOf(value: LibraryValue): 'connection' | 'manager' | 'repository' | 'client' | 'other' {
  const { types } = value.library;
  const is = (...names: string[]): boolean => names.some((n) => types?.[n] === value.shape);
  switch (value.library.name) {
    case 'pg':
      return is('Pool') ? 'connection' : is('Client', 'PoolClient') ? 'client' : 'other';
    case 'knex':
      return is('Knex') ? 'connection' : is('Transaction') ? 'client' : 'other';
    case 'kysely':
      return is('Kysely') ? 'connection' : is('Transaction') ? 'client' : 'other';
    case 'drizzle-orm':
      return is('Database', 'NodePgDatabase', 'PgDatabase') ? 'connection' : is('Transaction') ? 'client' : 'other';
    case 'typeorm':
      if (is('DataSource')) return 'connection';
      if (is('EntityManager')) return 'manager';
      if (is('TransactionalEntityManager', 'QueryRunner')) return 'client';
      return is('Repository') ? 'repository' : 'other';
    case '@prisma/client':
      return is('PrismaClient') ? 'connection' : is('TransactionClient') ? 'client' : 'other';
    default:
      return 'other';
  }
}
