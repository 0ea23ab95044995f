import { defineLibrary } from '../schema.js';

/** The result is the rows; with `fullResults: true` it is one like pg's. */
const result = {
  fresh: { length: 1, rowCount: 1, 'rows.length': 1 },
  duplicate: { length: 0, rowCount: 0, 'rows.length': 0 },
};

/** @neondatabase/serverless 1.2: over HTTP each statement is its own transaction, `Pool` and `Client` are those of pg. */
export default defineLibrary({
  name: '@neondatabase/serverless',
  packages: ['@neondatabase/serverless'],
  exports: {
    neon: { call: { returns: 'NeonQueryFunction' } },
    Pool: { construct: { returns: 'pg#Pool' } },
    Client: { construct: { returns: 'pg#Client' } },
  },
  types: {
    NeonQueryFunction: {
      call: { effect: { kind: 'write', classify: { by: 'sql-template', dialect: 'postgresql' }, result } },
      members: {
        query: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' }, result } } },
        unsafe: { call: {} },
        /** A list of statements, or a function that gives one; it cannot look at a result in between. */
        transaction: { call: { transaction: { callback: '0', params: ['NeonQueryFunction'] } } },
      },
    },
  },
});
