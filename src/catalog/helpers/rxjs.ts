import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** rxjs 7: turns an Observable into a promise, which subscribes, or a promise into an Observable. */
export default defineLibrary({
  name: 'rxjs',
  packages: ['rxjs'],
  exports: {
    ...alike<Shape>('firstValueFrom lastValueFrom from defer of', { call: { returns: '0' } }),
  },
});
