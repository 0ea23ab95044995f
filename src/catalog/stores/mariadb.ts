import { defineLibrary, type Shape } from '../schema.js';

/** A write gives the header itself (`affectedRows` of rows that matched), a read the rows. */
const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1', dialect: 'mysql' },
      result: { fresh: { affectedRows: 1, length: 1 }, duplicate: { affectedRows: 0, length: 0 } },
    },
    nodeCallback: true,
  },
};
const nothing: Shape = { call: {} };

/** mariadb 3.5. */
export default defineLibrary({
  name: 'mariadb',
  packages: ['mariadb', 'mariadb/callback'],
  exports: {
    createPool: { call: { returns: 'Pool' } },
    createConnection: { call: { returns: 'Connection' } },
  },
  types: {
    Pool: { members: { query, execute: query, batch: query, getConnection: { call: { returns: 'PoolConnection' } }, end: nothing } },
    Connection: connectionShape(),
    PoolConnection: connectionShape(),
  },
});

function connectionShape(): Shape {
  return {
    connection: true,
    members: {
      query,
      execute: query,
      batch: query,
      beginTransaction: { call: { transaction: { begins: 'receiver' } } },
      commit: { call: { transaction: { ends: 'commit' } } },
      rollback: { call: { transaction: { ends: 'rollback' } } },
      release: nothing,
      end: nothing,
    },
  };
}
