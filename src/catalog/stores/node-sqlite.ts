import { defineLibrary, type Shape } from '../schema.js';

const run: Shape = {
  call: {
    sync: true,
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: 'this.0', values: '0', dialect: 'sqlite' },
      result: { fresh: { changes: 1 }, duplicate: { changes: 0 } },
    },
  },
};

/** node:sqlite, synchronous; transactions are SQL text. The npm package sqlite has its name without the prefix. */
export default defineLibrary({
  name: 'node:sqlite',
  packages: ['node:sqlite', 'sqlite'],
  exports: { DatabaseSync: { construct: { returns: 'DatabaseSync' } }, open: { call: { returns: 'sqlite3#Database' } } },
  types: {
    DatabaseSync: {
      connection: true,
      members: {
        prepare: { call: { returns: 'StatementSync' } },
        exec: { call: { sync: true, effect: { kind: 'write', classify: { by: 'sql', text: '0', dialect: 'sqlite' } } } },
        close: { call: {} },
      },
    },
    StatementSync: { members: { run, get: run, all: run, iterate: run } },
  },
});
