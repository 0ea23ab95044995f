import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';

const read: Shape = { call: { effect: { kind: 'read', table: 'member', where: '0.where' } } };
const statement: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0' },
      result: { fresh: { rowCount: 1, length: 1, 'rows.length': 1 }, duplicate: { rowCount: 0, length: 0, 'rows.length': 0 } },
    },
  },
};

const members: Record<string, Shape | string> = {
  ...alike<Shape>('select selectDistinct selectDistinctOn with insert update delete $count', { call: { returns: 'QueryBuilder' } }),
  query: { anyMember: { members: { findMany: read, findFirst: read } } },
  ...alike('execute run all get values', statement),
  transaction: { call: { transaction: { callback: '0', params: ['Transaction'] } } },
  /** A list of statements as one transaction (D1, libSQL, Neon over HTTP). */
  batch: { call: { transaction: { callback: '0' } } },
};

const database: Shape = { members: { ...members, $client: {}, $with: { call: { returns: 'QueryBuilder' } } } };
const transaction: Shape = { connection: true, members: { ...members, rollback: { call: { transaction: { ends: 'rollback' } } } } };

/**
 * An un-awaited statement never runs. What an ignored conflict looks like depends on the driver: `rowCount` (node-postgres),
 * `count` (postgres.js), `[0].affectedRows` (mysql2), `changes` (SQLite), or no rows with `.returning()`.
 */
const builder: Shape = {
  builder: {
    table: '0',
    methods: {
      ...alike<BuilderMethod>('select selectDistinct selectDistinctOn $count', { kind: 'read' }),
      from: { table: '0' },
      insert: { kind: 'insert' },
      values: { data: '0' },
      update: { kind: 'absolute' },
      set: { data: '0' },
      delete: { kind: 'delete' },
      where: { where: ['0'] },
      onConflictDoNothing: { kind: 'insert-or-ignore', where: ['0.target'] },
      onConflictDoUpdate: { kind: 'upsert', data: '0.set', where: ['0.target', '0.setWhere', '0.where'] },
      ignore: { kind: 'insert-or-ignore' },
      onDuplicateKeyUpdate: { kind: 'upsert', data: '0.set' },
      returning: { returning: true },
      $returningId: { returning: true },
      for: { locking: true },
      ...alike<BuilderMethod>('then catch finally toSQL getSQL as', { ends: true }),
    },
    result: {
      fresh: { rowCount: 1, count: 1, '0.affectedRows': 1, changes: 1, rowsAffected: 1, 'meta.changes': 1, length: 1 },
      duplicate: { rowCount: 0, count: 0, '0.affectedRows': 0, changes: 0, rowsAffected: 0, 'meta.changes': 0, length: 0 },
    },
  },
};

/** Conditions and expressions are as stable as what they compare. */
const expressions = {
  ...alike<Shape>('ne gt gte lt lte or not isNull isNotNull inArray notInArray exists between like ilike asc desc count sum avg max min', { call: { derives: true } }),
  eq: { call: { derives: true, condition: 'equals' } },
  and: { call: { derives: true, condition: 'all' } },
} satisfies Record<string, Shape>;

/** drizzle-orm 0.45; `drizzle()` comes from the folder of the driver. On one client without a pool the outer `db` joins by accident. */
export default defineLibrary({
  name: 'drizzle-orm',
  packages: ['drizzle-orm', 'drizzle-orm/*'],
  exports: {
    drizzle: { call: { returns: 'Database' } },
    sql: { call: { derives: true }, members: alike<Shape>('raw join identifier empty placeholder', { call: { derives: true } }) },
    ...expressions,
  },
  types: {
    Database: database,
    ...alike(
      'NodePgDatabase PostgresJsDatabase NeonDatabase NeonHttpDatabase VercelPgDatabase PgliteDatabase PgDatabase MySql2Database MySqlDatabase ' +
        'PlanetScaleDatabase BetterSQLite3Database LibSQLDatabase DrizzleD1Database BaseSQLiteDatabase BunSQLiteDatabase AwsDataApiPgDatabase ' +
        'SingleStoreDatabase PgRemoteDatabase SqliteRemoteDatabase TiDBServerlessDatabase XataHttpDatabase',
      database,
    ),
    ...alike('Transaction PgTransaction MySqlTransaction SQLiteTransaction NodePgTransaction PostgresJsTransaction', transaction),
    QueryBuilder: builder,
  },
});
