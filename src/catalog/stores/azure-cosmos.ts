import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

const read: Shape = { call: { effect: { kind: 'read', table: 'receiver' } } };

/** @azure/cosmos 4.10: `create` rejects with 409 where the id exists, and makes an id up where there is none. */
export default defineLibrary({
  name: '@azure/cosmos',
  packages: ['@azure/cosmos'],
  exports: { CosmosClient: { construct: { returns: 'CosmosClient' } } },
  types: {
    CosmosClient: { extendable: true, members: { database: { call: { returns: 'Database' } } } },
    Database: { members: { container: { call: { returns: 'Container' } } } },
    Container: { members: { item: { call: { returns: 'Item' } }, items: 'Items' } },
    Items: {
      members: {
        ...alike<Shape>('query readAll changeFeed', { call: { effect: { kind: 'read', table: 'receiver' }, returns: 'Iterator' } }),
        create: { call: { effect: { kind: 'write', writeKind: 'insert', table: 'receiver', data: '0' } } },
        upsert: { call: { effect: { kind: 'write', writeKind: 'upsert', table: 'receiver', data: '0' } } },
        /** Up to a hundred operations in one partition, all or none. */
        batch: { call: { effect: { kind: 'write', table: 'receiver', data: '0' } } },
        /** Not atomic, and a failed operation does not throw. */
        bulk: { call: { effect: { kind: 'write', table: 'receiver', data: '0' } } },
      },
    },
    Iterator: { element: {}, members: alike<Shape>('fetchAll fetchNext', { call: { returns: { members: { resources: { element: {} } } } } }) },
    Item: {
      members: {
        read,
        /** Compares the etag only with an `accessCondition`. */
        replace: { call: { effect: { kind: 'write', writeKind: 'absolute', table: 'receiver', where: 'this', data: '0', classify: { by: 'operators', data: '0', delta: [] } } } },
        patch: { call: { effect: { kind: 'write', writeKind: 'absolute', table: 'receiver', where: 'this', data: '0' } } },
        delete: { call: { effect: { kind: 'write', writeKind: 'delete', table: 'receiver', where: 'this' } } },
      },
    },
  },
});
