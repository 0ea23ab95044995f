import { defineLibrary, type Shape } from '../schema.js';

const result = { fresh: { rowCount: 1, 'rows.length': 1 }, duplicate: { rowCount: 0, 'rows.length': 0 } };
const query: Shape = { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' }, result } } };
const tag: Shape = { call: { effect: { kind: 'write', classify: { by: 'sql-template', dialect: 'postgresql' }, result } } };

const pool: Shape = {
  call: tag.call,
  members: { sql: tag, query, connect: { call: { returns: 'VercelPoolClient' } }, end: { call: {} } },
};
const client: Shape = { connection: true, members: { sql: tag, query, connect: { call: {} }, release: { call: {} }, end: { call: {} } } };

/** @vercel/postgres 0.10: `sql` and `db` are a pool and a tag in one; a transaction needs a client from `connect()`. */
export default defineLibrary({
  name: '@vercel/postgres',
  packages: ['@vercel/postgres'],
  exports: {
    sql: pool,
    db: pool,
    createPool: { call: { returns: 'VercelPool' } },
    createClient: { call: { returns: 'VercelClient' } },
  },
  types: { VercelPool: pool, VercelClient: client, VercelPoolClient: client },
});
