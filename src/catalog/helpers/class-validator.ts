import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** class-validator 0.14: `validate` tells its errors in a list, `validateOrReject` rejects. */
export default defineLibrary({
  name: 'class-validator',
  packages: ['class-validator'],
  exports: alike<Shape>('validate validateSync validateOrReject', { call: {} }),
});
