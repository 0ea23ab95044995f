import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';

const members: Record<string, Shape> = {
  ...alike<Shape>('selectFrom selectNoFrom insertInto replaceInto updateTable deleteFrom mergeInto with withRecursive', {
    call: { returns: 'QueryBuilder' },
  }),
  ...alike<Shape>('withSchema withPlugin withTables withoutPlugins', { call: { returns: 'this' } }),
  executeQuery: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0' } } } },
};

const condition: BuilderMethod = { where: ['0', '1', '2'] };

/** Counts are bigints: `=== 0` is never true. A statement that nothing executes never runs. */
const builder: Shape = {
  builder: {
    table: '0',
    methods: {
      selectFrom: { kind: 'read' },
      insertInto: { kind: 'insert' },
      replaceInto: { kind: 'upsert' },
      updateTable: { kind: 'absolute' },
      deleteFrom: { kind: 'delete' },
      mergeInto: { kind: 'upsert' },
      values: { data: '0' },
      set: { data: 'last' },
      ...alike('where whereRef having', condition),
      /** Its argument goes on with `doNothing` or `doUpdateSet`. */
      onConflict: { kind: 'upsert', where: ['0'] },
      doNothing: { kind: 'insert-or-ignore' },
      doUpdateSet: { kind: 'upsert', data: '0' },
      ...alike<BuilderMethod>('ignore orIgnore', { kind: 'insert-or-ignore' }),
      orReplace: { kind: 'upsert' },
      onDuplicateKeyUpdate: { kind: 'upsert', data: '0' },
      ...alike<BuilderMethod>('returning returningAll', { returning: true }),
      ...alike<BuilderMethod>('forUpdate forShare forNoKeyUpdate', { locking: true }),
      ...alike<BuilderMethod>('compile toOperationNode as', { ends: true }),
    },
    result: {
      fresh: { numInsertedOrUpdatedRows: 1, numUpdatedRows: 1, numDeletedRows: 1, length: 1, '0.numInsertedOrUpdatedRows': 1, '0.numUpdatedRows': 1 },
      duplicate: { numInsertedOrUpdatedRows: 0, numUpdatedRows: 0, numDeletedRows: 0, length: 0, '0.numInsertedOrUpdatedRows': 0, '0.numUpdatedRows': 0 },
    },
    runsWith: ['execute', 'executeTakeFirst', 'executeTakeFirstOrThrow', 'stream'],
  },
};

const transaction: Shape = {
  connection: true,
  members: {
    ...members,
    /** Commands of a transaction by hand; each needs its own `.execute()`. */
    commit: { call: { transaction: { ends: 'commit' }, returns: 'Command' } },
    rollback: { call: { transaction: { ends: 'rollback' }, returns: 'Command' } },
    savepoint: { call: { returns: 'Command' } },
  },
};

/** kysely 0.29. */
export default defineLibrary({
  name: 'kysely',
  packages: ['kysely'],
  exports: {
    Kysely: { construct: { returns: 'Kysely' } },
    sql: { call: { returns: 'RawBuilder', derives: true }, members: alike<Shape>('ref table id lit raw join val', { call: { derives: true } }) },
  },
  types: {
    Kysely: {
      extendable: true,
      members: {
        ...members,
        transaction: { call: { returns: 'TransactionBuilder' } },
        startTransaction: { call: { returns: 'ControlledTransactionBuilder' } },
        connection: { call: { returns: 'ConnectionBuilder' } },
        destroy: { call: {} },
      },
    },
    TransactionBuilder: {
      members: {
        setIsolationLevel: { call: { returns: 'this' } },
        setAccessMode: { call: { returns: 'this' } },
        execute: { call: { transaction: { callback: '0', params: ['Transaction'] } } },
      },
    },
    ControlledTransactionBuilder: {
      members: {
        setIsolationLevel: { call: { returns: 'this' } },
        execute: { call: { transaction: { begins: 'result' }, returns: 'Transaction' } },
      },
    },
    /** One connection, no transaction. */
    ConnectionBuilder: { members: { execute: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['Kysely'], returns: true }] } } } },
    Transaction: transaction,
    ControlledTransaction: transaction,
    Command: { members: { execute: { call: {} } } },
    QueryBuilder: builder,
    /** sql`…`.execute(db): the text is that of the tag. */
    RawBuilder: { members: { execute: { call: { effect: { kind: 'write', classify: { by: 'sql', text: 'this' }, joins: '0' } }, }, as: { call: { returns: 'this' } }, $castTo: { call: { returns: 'this' } } } },
  },
});
