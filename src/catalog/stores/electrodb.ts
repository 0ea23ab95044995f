import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';

const open: Shape = { call: { returns: 'Chain' } };
const entity: Record<string, Shape> = {
  ...alike('get match find scan put create upsert update patch delete remove', open),
  scan: { ...open, members: {} },
  query: { anyMember: open },
  conversions: {},
};

/**
 * ElectroDB 3.9: a chain runs at `.go()`, or as part of a transaction at `.commit()`. `create` and `patch` and `remove` carry a
 * condition and reject where it fails; lists given to `put` and `delete` are batches that return what was left `unprocessed`.
 */
export default defineLibrary({
  name: 'electrodb',
  packages: ['electrodb'],
  exports: {
    Entity: { construct: { returns: 'Entity' } },
    Service: { construct: { returns: 'Service' } },
  },
  types: {
    Entity: { extendable: true, members: entity },
    Service: {
      members: {
        entities: { anyMember: 'Entity' },
        collections: { anyMember: open },
        transaction: {
          members: {
            write: { call: { returns: 'TransactionChain' } },
            get: { call: { returns: 'TransactionChain' } },
          },
        },
      },
    },
    /** The outcome is `canceled` in the result, not a throw. */
    TransactionChain: {
      members: { go: { call: { effect: { kind: 'write', data: 'this.0', key: '0.token', failureIn: 'canceled' } } } },
    },
    Chain: {
      builder: {
        table: 'receiver',
        methods: {
          ...alike<BuilderMethod>('get match find scan query', { kind: 'read', where: ['0'] }),
          put: { kind: 'upsert', data: '0' },
          create: { kind: 'insert', data: '0' },
          upsert: { kind: 'upsert', data: '0' },
          ...alike<BuilderMethod>('update patch', { kind: 'absolute', where: ['0'] }),
          ...alike<BuilderMethod>('delete remove', { kind: 'delete', where: ['0'] }),
          set: { data: '0' },
          ...alike<BuilderMethod>('add subtract append', { kind: 'delta', data: '0' }),
          ifNotExists: { data: '0' },
          where: { where: ['0'] },
          params: { ends: true },
        },
        runsWith: ['go'],
      },
    },
  },
});
