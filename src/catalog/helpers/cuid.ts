import { defineLibrary, type Shape } from '../schema.js';

const mint = (name: string): Shape => ({ call: { mints: `${name}()` } });

/** cuid 3, @paralleldrive/cuid2 3.3, and other makers of new ids. */
export default defineLibrary({
  name: '@paralleldrive/cuid2',
  packages: ['cuid', '@paralleldrive/cuid2', 'shortid', 'uniqid', 'uuid-random', 'hyperid', 'short-uuid', 'xid-js', 'ksuid', 'typeid-js'],
  exports: {
    default: { call: { mints: 'id()' }, members: { generate: mint('generate'), slug: mint('slug'), uuid: mint('uuid'), new: mint('new'), random: mint('random'), randomSync: mint('randomSync') } },
    createId: mint('createId'),
    slug: mint('slug'),
    generate: mint('generate'),
    typeid: mint('typeid'),
    init: { call: { returns: 'Generator' } },
  },
  types: { Generator: mint('createId') },
});
