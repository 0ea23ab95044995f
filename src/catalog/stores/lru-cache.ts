import { defineLibrary } from '../schema.js';
import { cache } from './in-memory.js';

/** lru-cache 11 and others of its shape. */
export default defineLibrary({
  name: 'lru-cache',
  packages: ['lru-cache', 'quick-lru', '@isaacs/ttlcache', 'lru_map'],
  exports: {
    default: { construct: { returns: 'LRUCache' } },
    LRUCache: { construct: { returns: 'LRUCache' } },
    TTLCache: { construct: { returns: 'LRUCache' } },
    LRUMap: { construct: { returns: 'LRUCache' } },
  },
  types: { LRUCache: cache, TTLCache: cache, QuickLRU: cache, LRUMap: cache },
});
