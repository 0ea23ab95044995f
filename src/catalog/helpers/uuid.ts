import { defineLibrary, type Shape } from '../schema.js';

const mint = (name: string): Shape => ({ call: { mints: `${name}()` } });
const derive: Shape = { call: { derives: true } };

/** uuid 14 (named exports only) and the default export of old versions. v3 and v5 hash their arguments. */
const functions: Record<string, Shape> = {
  v1: mint('uuid.v1'),
  v4: mint('uuid.v4'),
  v6: mint('uuid.v6'),
  v7: mint('uuid.v7'),
  v3: derive,
  v5: derive,
  v1ToV6: derive,
  v6ToV1: derive,
  parse: derive,
  stringify: derive,
  validate: derive,
  version: derive,
};

export default defineLibrary({
  name: 'uuid',
  packages: ['uuid', 'uuid/v1', 'uuid/v4', 'uuid/v7'],
  exports: { ...functions, default: { call: { mints: 'uuid()' }, members: functions } },
});
