import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';

const raw: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1' },
      result: { fresh: { rowCount: 1, 'rows.length': 1 }, duplicate: { rowCount: 0, 'rows.length': 0 } },
    },
  },
};

/** Both forms: `transaction(async (trx) => …)` commits with the callback, `const trx = await transaction()` by hand. */
const transaction: Shape = {
  call: { transaction: { callback: '0', params: ['Transaction'], begins: 'result' }, returns: 'Transaction' },
};

const members: Record<string, Shape> = {
  ...alike<Shape>(
    'select first pluck count countDistinct sum min max avg distinct from into table queryBuilder with withRecursive ' +
      'withSchema where whereIn insert update upsert del delete truncate',
    { call: { returns: 'QueryBuilder' } },
  ),
  raw,
  ref: { call: { derives: true } },
  batchInsert: { call: { effect: { kind: 'write', writeKind: 'insert', table: '0', data: '1' } } },
  transaction,
  transactionProvider: { call: { returns: 'TransactionProvider' } },
  destroy: { call: {} },
};

const knex: Shape = { call: { returns: 'QueryBuilder' }, members };

const trx: Shape = {
  connection: true,
  call: { returns: 'QueryBuilder' },
  members: {
    ...members,
    commit: { call: { transaction: { ends: 'commit' } } },
    rollback: { call: { transaction: { ends: 'rollback' } } },
    savepoint: transaction,
  },
};

const condition: BuilderMethod = { where: ['0', '1', '2'] };

/**
 * Knex 3.3, shared with objection. `update`, `delete` and `increment` resolve to a number. Whether an insert was ignored can be
 * told on PostgreSQL only (`rowCount`, or no rows with `.returning()`); on MySQL and SQLite it looks like a fresh one.
 * `.upsert()` is REPLACE INTO; `.merge()` overwrites every inserted column, and its own argument holds the relative changes.
 */
export const queryMethods: Record<string, BuilderMethod> = {
  ...alike<BuilderMethod>('select first pluck count countDistinct sum min max avg columnInfo', { kind: 'read' }),
  ...alike<BuilderMethod>('from into table', { table: '0' }),
  ...alike<BuilderMethod>('where andWhere orWhere whereIn whereNot whereNull whereNotNull whereRaw andWhereRaw having', condition),
  insert: { kind: 'insert', data: '0' },
  update: { kind: 'absolute', data: '0' },
  increment: { kind: 'delta', data: '0' },
  decrement: { kind: 'delta', data: '0' },
  upsert: { kind: 'upsert', data: '0' },
  onConflict: { where: ['0'] },
  ignore: { kind: 'insert-or-ignore' },
  merge: { kind: 'upsert', data: '0' },
  del: { kind: 'delete' },
  delete: { kind: 'delete' },
  truncate: { kind: 'delete' },
  transacting: { joins: '0' },
  forUpdate: { locking: true },
  forShare: { locking: true },
  returning: { returning: true },
  ...alike<BuilderMethod>('then catch finally stream pipe toSQL toString', { ends: true }),
};

const builder: Shape = {
  element: {},
  builder: {
    table: '0',
    methods: queryMethods,
    result: {
      fresh: { '': 1, length: 1, rowCount: 1, 'rows.length': 1 },
      duplicate: { '': 0, length: 0, rowCount: 0, 'rows.length': 0 },
    },
  },
};

export default defineLibrary({
  name: 'knex',
  packages: ['knex'],
  exports: {
    default: { call: { returns: 'Knex' } },
    knex: { call: { returns: 'Knex' } },
  },
  types: {
    Knex: knex,
    Transaction: trx,
    'Knex.Transaction': trx,
    QueryBuilder: builder,
    'Knex.QueryBuilder': builder,
    /** A transaction that begins at the first call and is the same one at every later call. */
    TransactionProvider: { call: { transaction: { begins: 'result' }, returns: 'Transaction' } },
  },
});
