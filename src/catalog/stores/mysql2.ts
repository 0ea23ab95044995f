import { defineLibrary, type Shape } from '../schema.js';

/**
 * The promise form gives `[header, fields]`, the callback form hands over the header alone. `affectedRows` counts rows that
 * matched (FOUND_ROWS is on), so after ON DUPLICATE KEY UPDATE a 1 does not prove an insert; after INSERT IGNORE it does.
 */
const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1', dialect: 'mysql' },
      result: {
        fresh: { '0.affectedRows': 1, affectedRows: 1, '0.length': 1 },
        duplicate: { '0.affectedRows': 0, affectedRows: 0, '0.length': 0 },
      },
    },
    nodeCallback: true,
  },
};
const nothing: Shape = { call: { nodeCallback: true } };
const begin: Shape = { call: { transaction: { begins: 'receiver' }, nodeCallback: true } };
const commit: Shape = { call: { transaction: { ends: 'commit' }, nodeCallback: true } };
const rollback: Shape = { call: { transaction: { ends: 'rollback' }, nodeCallback: true } };

/** Named by its SQL placeholders: `SET ?` with an object writes absolute values. */
const connection: Shape = {
  connection: true,
  members: {
    query,
    execute: query,
    beginTransaction: begin,
    commit,
    rollback,
    promise: { call: { returns: 'this' } },
    connect: nothing,
    release: nothing,
    end: nothing,
    ping: nothing,
    on: { call: { returns: 'this' } },
    escape: { call: { derives: true } },
    format: { call: { derives: true } },
  },
};

const pool: Shape = {
  members: {
    query,
    execute: query,
    getConnection: { call: { returns: 'PoolConnection', nodeCallback: true } },
    promise: { call: { returns: 'this' } },
    end: nothing,
    on: { call: { returns: 'this' } },
    escape: { call: { derives: true } },
    format: { call: { derives: true } },
  },
};

/** mysql2 3.24 with mysql2/promise, and mysql 2.18, which has callbacks only. A pool has no transaction of its own. */
export default defineLibrary({
  name: 'mysql2',
  packages: ['mysql2', 'mysql2/promise', 'mysql', 'promise-mysql'],
  exports: {
    createPool: { call: { returns: 'Pool' } },
    createConnection: { call: { returns: 'Connection' } },
    createPoolCluster: { call: { returns: 'PoolCluster' } },
    raw: { call: { derives: true } },
    escape: { call: { derives: true } },
    format: { call: { derives: true } },
  },
  types: {
    Pool: pool,
    PoolNamespace: pool,
    Connection: connection,
    PoolConnection: connection,
    PoolCluster: {
      members: {
        of: { call: { returns: 'Pool' } },
        add: { call: {} },
        getConnection: { call: { returns: 'PoolConnection', nodeCallback: true } },
        end: nothing,
      },
    },
  },
});
