import { defineLibrary, type Shape } from '../schema.js';

/** One verb for reads and writes; BEGIN and COMMIT are SQL text on one client, and escape through the pool. */
export const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' },
      result: { fresh: { rowCount: 1, 'rows.length': 1 }, duplicate: { rowCount: 0, 'rows.length': 0 } },
    },
    nodeCallback: true,
  },
};

const client: Shape = {
  connection: true,
  extendable: true,
  members: {
    query,
    connect: { call: { nodeCallback: true } },
    release: { call: {} },
    end: { call: {} },
    on: { call: { returns: 'this' } },
    escapeIdentifier: { call: { derives: true } },
    escapeLiteral: { call: { derives: true } },
  },
};

/** pg 8.23 (@types/pg 8.23). `rowCount` is null for statements that count nothing. */
export default defineLibrary({
  name: 'pg',
  packages: ['pg'],
  exports: {
    Pool: { construct: { returns: 'Pool' } },
    Client: { construct: { returns: 'Client' } },
    native: { members: { Pool: { construct: { returns: 'Pool' } }, Client: { construct: { returns: 'Client' } } } },
  },
  types: {
    Pool: {
      extendable: true,
      members: {
        query,
        connect: { call: { returns: 'PoolClient', nodeCallback: true } },
        end: { call: {} },
        on: { call: { returns: 'this' } },
      },
    },
    Client: client,
    PoolClient: client,
    ClientBase: client,
  },
});
