import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const sql: Shape = {
  call: { effect: { kind: 'write', classify: { by: 'sql', text: '0' }, result: { fresh: { '0': 1 }, duplicate: { '0': 0 } } }, nodeCallback: true },
};
/** Mutations cannot be relative; `table.insert(rows)`, in a transaction `tx.insert(table, rows)`, where they wait for the commit. */
function mutations(table: string, data: string, buffered: boolean): Record<string, Shape> {
  const write = (writeKind: EffectFacts['writeKind']): Shape => ({
    call: { effect: { kind: 'write', writeKind, table, data, where: data }, nodeCallback: !buffered, sync: buffered },
  });
  return { insert: write('insert'), update: write('absolute'), upsert: write('upsert'), replace: write('upsert'), deleteRows: write('delete') };
}

/** @google-cloud/spanner 9.1: the callback runs again when a transaction is aborted; `runPartitionedUpdate` may apply twice. */
export default defineLibrary({
  name: '@google-cloud/spanner',
  packages: ['@google-cloud/spanner'],
  exports: { Spanner: { construct: { returns: 'Spanner' } } },
  types: {
    Spanner: { members: { instance: { call: { returns: 'Instance' } } } },
    Instance: { members: { database: { call: { returns: 'Database' } } } },
    Database: {
      members: {
        run: sql,
        runPartitionedUpdate: sql,
        table: { call: { returns: 'Table' } },
        ...alike<Shape>('runTransaction runTransactionAsync', { call: { transaction: { callback: 'last', params: ['Transaction'] } } }),
      },
    },
    Table: { members: { ...mutations('receiver', '0', false), read: { call: { effect: { kind: 'read', table: 'receiver' }, nodeCallback: true } } } },
    Transaction: {
      connection: true,
      members: {
        ...alike('run runUpdate batchUpdate', sql),
        ...mutations('0', '1', true),
        read: { call: { effect: { kind: 'read', table: '0' } } },
        /** The callback's own commit; the end of the callback stands for it. */
        commit: { call: {} },
        rollback: { call: { transaction: { ends: 'rollback' } } },
      },
    },
  },
});
