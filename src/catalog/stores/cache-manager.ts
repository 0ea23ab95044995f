import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

const cache: Shape = {
  extendable: true,
  members: {
    ...alike<Shape>('get mget has ttl', { call: { effect: { kind: 'read', where: '0', marker: true } } }),
    ...alike<Shape>('set mset', { call: { effect: { kind: 'write', writeKind: 'absolute', where: '0', data: '1', marker: true } } }),
    ...alike<Shape>('del delete mdel clear reset', { call: { effect: { kind: 'write', writeKind: 'delete', where: '0' } } }),
    /** Calls the function only if the key is not there. */
    wrap: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } },
  },
};

/** cache-manager 7, Keyv 5 and Nest's `Cache`: entries may go at any time, so none of them proves that a message was handled. */
export default defineLibrary({
  name: 'cache-manager',
  packages: ['cache-manager', '@nestjs/cache-manager', 'keyv', '@keyv/redis'],
  exports: {
    caching: { call: { returns: 'Cache' } },
    createCache: { call: { returns: 'Cache' } },
    multiCaching: { call: { returns: 'Cache' } },
    Keyv: { construct: { returns: 'Cache' } },
    default: { construct: { returns: 'Cache' } },
  },
  types: { Cache: cache, Keyv: cache },
});
