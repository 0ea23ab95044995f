import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** CQL's INSERT and UPDATE are both upserts; with IF they tell by `[applied]` whether they did anything. */
const execute: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1' },
      result: { fresh: { 'rows.0.[applied]': true }, duplicate: { 'rows.0.[applied]': false } },
    },
    nodeCallback: true,
  },
};
const mapped = (writeKind: 'upsert' | 'absolute' | 'delete'): Shape => ({ call: { effect: { kind: 'write', writeKind, table: 'receiver', where: '0', data: '0' } } });

/** cassandra-driver 4.10 and @scylladb/scylla-driver. */
export default defineLibrary({
  name: 'cassandra-driver',
  packages: ['cassandra-driver'],
  exports: {
    Client: { construct: { returns: 'Client' } },
    mapping: { members: { Mapper: { construct: { returns: 'Mapper' } } } },
    types: { members: { Uuid: { members: { random: { call: { mints: 'Uuid.random()' } }, fromString: { call: { derives: true } } } }, TimeUuid: { members: { now: { call: { mints: 'TimeUuid.now()' } } } } } },
  },
  types: {
    Client: {
      members: {
        execute,
        batch: { call: { effect: { kind: 'write', data: '0' }, nodeCallback: true } },
        ...alike<Shape>('eachRow stream', { call: { effect: { kind: 'read' } } }),
        ...alike<Shape>('connect shutdown', { call: {} }),
      },
    },
    Mapper: { members: { forModel: { call: { returns: 'ModelMapper' } }, batch: { call: { effect: { kind: 'write', data: '0' } } } } },
    ModelMapper: {
      members: {
        ...alike<Shape>('get find findAll', { call: { effect: { kind: 'read', table: 'receiver', where: '0' } } }),
        insert: mapped('upsert'),
        update: mapped('absolute'),
        remove: mapped('delete'),
      },
    },
  },
});
