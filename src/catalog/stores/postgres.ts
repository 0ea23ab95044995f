import { defineLibrary, type Shape } from '../schema.js';

const result = { fresh: { count: 1, length: 1 }, duplicate: { count: 0, length: 0 } };

const transaction: Shape = { call: { transaction: { callback: 'last', params: ['TransactionSql'] } } };

/** The tag runs when it is awaited; called as a function (`sql(row, 'id', 'name')`) it only expands columns and values. */
const sql = (own: Record<string, Shape | string>, connection: boolean): Shape => ({
  connection,
  call: { effect: { kind: 'write', classify: { by: 'sql-template', dialect: 'postgresql' }, result } },
  members: {
    unsafe: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' }, result } } },
    file: { call: { effect: { kind: 'write' } } },
    /** Delivered at commit, if inside a transaction. */
    notify: { call: { effect: { kind: 'write', writeKind: 'insert', table: '0', data: '1' } } },
    json: { call: { derives: true } },
    array: { call: { derives: true } },
    end: { call: {} },
    ...own,
  },
});

/** postgres.js 3.4. An insert without RETURNING has length 0 and count 1. Statements of the outer tag escape a transaction. */
export default defineLibrary({
  name: 'postgres',
  packages: ['postgres'],
  exports: { default: { call: { returns: 'Sql' } } },
  types: {
    Sql: sql({ begin: transaction, reserve: { call: { returns: 'ReservedSql' } } }, false),
    'postgres.Sql': sql({ begin: transaction, reserve: { call: { returns: 'ReservedSql' } } }, false),
    ReservedSql: sql({ release: { call: {} } }, true),
    TransactionSql: sql({ savepoint: transaction }, true),
    'postgres.TransactionSql': sql({ savepoint: transaction }, true),
  },
});
