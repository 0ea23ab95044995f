import { defineLibrary, type Shape } from '../schema.js';

/** In the callback the counts are on `this` (`changes`, `lastID`), with the promises of the package sqlite in the result. */
const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1', dialect: 'sqlite' },
      result: { fresh: { changes: 1 }, duplicate: { changes: 0 } },
    },
    nodeCallback: true,
  },
};

/** sqlite3 6.0: transactions are SQL text on the one connection. */
export default defineLibrary({
  name: 'sqlite3',
  packages: ['sqlite3'],
  exports: { Database: { construct: { returns: 'Database' } } },
  types: {
    Database: {
      connection: true,
      members: {
        run: query,
        get: query,
        all: query,
        each: query,
        exec: query,
        serialize: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited' }] } },
        close: { call: { nodeCallback: true } },
      },
    },
  },
});
