import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** class-transformer 0.5: the plain object goes through, in the shape of the class. */
export default defineLibrary({
  name: 'class-transformer',
  packages: ['class-transformer'],
  exports: {
    ...alike<Shape>('plainToInstance plainToClass plainToClassFromExist', { call: { returns: '1' } }),
    ...alike<Shape>('instanceToPlain classToPlain instanceToInstance serialize', { call: { returns: '0' } }),
    ...alike<Shape>('Type Transform Expose Exclude', { call: {} }),
  },
});
