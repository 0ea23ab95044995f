import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const write = (facts: Partial<EffectFacts>): Shape => ({ call: { effect: { kind: 'write', table: 'receiver', ...facts } } });
const read: Shape = { call: { effect: { kind: 'read', table: 'receiver', where: '0' } } };

/** redis-om 0.4. `save(entity)` stores under a new id, unless the entity was fetched; `save(id, entity)` under that one. */
export default defineLibrary({
  name: 'redis-om',
  packages: ['redis-om'],
  exports: {
    Client: { construct: { returns: 'Client' } },
    Repository: { construct: { returns: 'Repository' } },
  },
  types: {
    Client: {
      members: {
        fetchRepository: { call: { returns: 'Repository' } },
        ...alike<Shape>('open use close', { call: { returns: 'this' } }),
      },
    },
    Repository: {
      extendable: true,
      members: {
        ...alike('fetch search searchRaw', read),
        save: write({ classify: { by: 'entity', entity: '0' }, identity: '', data: '0' }),
        createAndSave: write({ writeKind: 'insert', identity: '', data: '0' }),
        remove: write({ writeKind: 'delete', where: '0' }),
        expire: write({ writeKind: 'absolute', where: '0' }),
        createIndex: { call: {} },
      },
    },
  },
});
