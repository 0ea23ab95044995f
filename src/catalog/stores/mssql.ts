import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** One count for each statement of the text. */
const result = { fresh: { 'rowsAffected.0': 1, 'recordset.length': 1 }, duplicate: { 'rowsAffected.0': 0, 'recordset.length': 0 } };
const query: Shape = { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', dialect: 'transactsql' }, result }, nodeCallback: true } };

const pool: Shape = {
  members: {
    request: { call: { returns: 'Request' } },
    transaction: { call: { returns: 'Transaction' } },
    query,
    batch: query,
    ...alike<Shape>('connect close', { call: { returns: 'this' } }),
    on: { call: { returns: 'this' } },
  },
};

/** mssql 12.7. `new Request()` without an argument runs on the global pool, whatever transaction is open. */
export default defineLibrary({
  name: 'mssql',
  packages: ['mssql', 'mssql/msnodesqlv8'],
  exports: {
    connect: { call: { returns: 'ConnectionPool' } },
    ConnectionPool: { construct: { returns: 'ConnectionPool' } },
    Request: { construct: { returns: 'Request' } },
    Transaction: { construct: { returns: 'Transaction' } },
    query,
  },
  types: {
    ConnectionPool: pool,
    Request: {
      members: {
        query,
        batch: query,
        /** A stored procedure, not read. */
        execute: { call: { effect: { kind: 'write', table: '0' }, nodeCallback: true } },
        bulk: { call: { effect: { kind: 'write', writeKind: 'insert', data: '0' }, nodeCallback: true } },
        ...alike<Shape>('input output', { call: { returns: 'this' } }),
      },
    },
    Transaction: {
      connection: true,
      members: {
        begin: { call: { transaction: { begins: 'receiver' } } },
        commit: { call: { transaction: { ends: 'commit' } } },
        rollback: { call: { transaction: { ends: 'rollback' } } },
        request: { call: { returns: 'Request' } },
      },
    },
  },
});
