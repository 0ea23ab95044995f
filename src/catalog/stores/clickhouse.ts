import { defineLibrary, type Shape } from '../schema.js';

/** `toPromise` and a callback of `exec` end the chain. */
const ends: Shape = { call: { returns: 'this' } };

/** clickhouse 2.6 (index.js): statements over HTTP, without unique keys and without transactions. */
export default defineLibrary({
  name: 'clickhouse',
  packages: ['clickhouse'],
  exports: { ClickHouse: { construct: { returns: 'ClickHouse' } } },
  types: {
    ClickHouse: {
      members: {
        query: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0' } }, nodeCallback: true, returns: 'QueryCursor' } },
        insert: { call: { effect: { kind: 'write', writeKind: 'insert', classify: { by: 'sql', text: '0' }, data: '1' }, nodeCallback: true, returns: 'QueryCursor' } },
      },
    },
    QueryCursor: { members: { toPromise: ends, exec: ends, stream: ends } },
  },
});
