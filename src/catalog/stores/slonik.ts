import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', dialect: 'postgresql' },
      result: { fresh: { rowCount: 1, length: 1 }, duplicate: { rowCount: 0, length: 0, '': null } },
    },
  },
};
const members: Record<string, Shape> = {
  ...alike('query any anyFirst many manyFirst maybeOne maybeOneFirst one oneFirst exists', query),
  /** Runs the callback again, five times at most, when PostgreSQL rolls back. */
  transaction: { call: { transaction: { callback: '0', params: ['DatabaseTransactionConnection'] } } },
};

/** slonik 49: `one` and `many` reject where nothing matched; `connect` pins a connection without a transaction. */
export default defineLibrary({
  name: 'slonik',
  packages: ['slonik'],
  exports: {
    createPool: { call: { returns: 'DatabasePool' } },
    sql: { call: { derives: true }, members: alike<Shape>('type unsafe fragment join identifier unnest json timestamp', { call: { derives: true } }) },
  },
  types: {
    DatabasePool: {
      members: { ...members, connect: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['DatabasePoolConnection'], returns: true }] } }, end: { call: {} } },
    },
    CommonQueryMethods: { members },
    DatabasePoolConnection: { members },
    DatabaseTransactionConnection: { connection: true, members },
  },
});
