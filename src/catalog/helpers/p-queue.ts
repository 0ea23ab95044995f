import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** p-queue 9.3: `add(fn)` resolves when the function is done; waiting for room (`onSizeLessThan`) is no completion. */
export default defineLibrary({
  name: 'p-queue',
  packages: ['p-queue'],
  exports: { default: { construct: { returns: 'PQueue' } } },
  types: {
    PQueue: {
      extendable: true,
      members: {
        add: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', drainedBy: ['onIdle', 'onPendingZero'], returns: true }] } },
        addAll: { call: { runs: [{ function: '0.*', times: 'once', promise: 'awaited', drainedBy: ['onIdle', 'onPendingZero'] }] } },
        ...alike<Shape>('onIdle onEmpty onSizeLessThan onPendingZero onError clear setPriority', { call: {} }),
        ...alike<Shape>('start pause on', { call: { returns: 'this' } }),
      },
    },
  },
});
