import { defineLibrary } from '../schema.js';

/** @clickhouse/client 1: no unique keys, so a repeated insert is a second row (a `ReplacingMergeTree` merges them some time). */
export default defineLibrary({
  name: '@clickhouse/client',
  packages: ['@clickhouse/client', '@clickhouse/client-web'],
  exports: { createClient: { call: { returns: 'ClickHouseClient' } } },
  types: {
    ClickHouseClient: {
      members: {
        insert: { call: { effect: { kind: 'write', writeKind: 'insert', table: '0.table', data: '0.values' } } },
        query: { call: { effect: { kind: 'read' } } },
        command: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0.query' } } } },
        exec: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0.query' } } } },
        ping: { call: { effect: { kind: 'read' } } },
        close: { call: {} },
      },
    },
  },
});
