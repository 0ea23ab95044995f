import { defineLibrary, type Shape } from '../schema.js';

/** Without an argument an ObjectId is new on each call, with one it is as stable as that. */
const objectId: Shape = {
  construct: { mints: 'new ObjectId()', derives: true },
  call: { mints: 'ObjectId()', derives: true },
  members: {
    createFromHexString: { call: { derives: true } },
    createFromBase64: { call: { derives: true } },
    createFromTime: { call: { derives: true } },
    isValid: { call: {} },
    generate: { call: { mints: 'ObjectId.generate()' } },
  },
};

/** bson 7.3, also under the names of mongodb and mongoose. */
export default defineLibrary({
  name: 'bson',
  packages: ['bson'],
  exports: {
    ObjectId: objectId,
    ObjectID: objectId,
    UUID: { construct: { mints: 'new UUID()', derives: true }, members: { generate: { call: { mints: 'UUID.generate()' } } } },
  },
  types: { ObjectIdClass: objectId },
});
