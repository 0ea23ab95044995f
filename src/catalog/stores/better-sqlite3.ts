import { defineLibrary, type Shape } from '../schema.js';

/** The statement's text is the argument of the call that prepared it, the receiver. */
const run: Shape = {
  call: {
    sync: true,
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: 'this.0', values: '0', dialect: 'sqlite' },
      result: { fresh: { changes: 1, '': 1 }, duplicate: { changes: 0 } },
    },
  },
};

const database: Shape = {
  extendable: true,
  connection: true,
  members: {
    prepare: { call: { returns: 'Statement' } },
    exec: { call: { sync: true, effect: { kind: 'write', classify: { by: 'sql', text: '0', dialect: 'sqlite' } } } },
    pragma: { call: {} },
    /** Gives a function; the transaction is open while that runs. */
    transaction: { call: { sync: true, transaction: { callback: '0' } } },
    close: { call: {} },
  },
};

/** better-sqlite3 13.2, all of it synchronous, on one connection. `lastInsertRowid` after an ignored insert is that of an older one. */
export default defineLibrary({
  name: 'better-sqlite3',
  packages: ['better-sqlite3', 'better-sqlite3-multiple-ciphers'],
  exports: { default: { construct: { returns: 'Database' }, call: { returns: 'Database' } } },
  types: {
    Database: database,
    'Database.Database': database,
    Statement: {
      members: {
        run,
        get: run,
        all: run,
        iterate: run,
        pluck: { call: { returns: 'this' } },
        raw: { call: { returns: 'this' } },
        bind: { call: { returns: 'this' } },
      },
    },
  },
});
