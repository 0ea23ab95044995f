import { defineLibrary } from '../schema.js';
import { alike } from '../stores/alike.js';
import type { Shape } from '../schema.js';

/** nestjs-cls 6.3: `@UseCls()` and the middleware hand results and errors on unchanged. */
export default defineLibrary({
  name: 'nestjs-cls',
  packages: ['nestjs-cls'],
  exports: {
    ClsService: { construct: { returns: 'ClsService' } },
    ClsServiceManager: { members: { getClsService: { call: { returns: 'ClsService' } } } },
    ...alike<Shape>('UseCls InjectCls', { call: {} }),
  },
  types: {
    ClsService: {
      members: {
        run: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', returns: true }] } },
        runWith: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } },
        exit: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } },
        ...alike<Shape>('get set has getId enter enterWith isActive setIfUndefined', { call: {} }),
      },
    },
  },
});
