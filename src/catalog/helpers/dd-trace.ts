import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** `trace(name, options?, fn)` calls the function in place, `wrap(name, fn)` gives it back. */
const tracer: Shape = {
  members: {
    trace: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', params: ['Span'], returns: true }] } },
    wrap: { call: { returns: '1' } },
    init: { call: { returns: 'Tracer' } },
    use: { call: { returns: 'this' } },
    startSpan: { call: { returns: 'Span' } },
    scope: { call: { returns: 'Scope' } },
    dogstatsd: { anyMember: { call: {} } },
    ...alike<Shape>('inject extract setUser', { call: {} }),
  },
};

/** dd-trace 5 and datadog-lambda-js. */
export default defineLibrary({
  name: 'dd-trace',
  packages: ['dd-trace', 'dd-trace/init', 'datadog-lambda-js'],
  exports: {
    default: tracer,
    tracer,
    datadog: { call: { returns: '0' } },
    sendDistributionMetric: { call: {} },
    getTraceHeaders: { call: {} },
  },
  types: {
    Tracer: tracer,
    Span: { anyMember: { call: { returns: 'this' } } },
    Scope: {
      members: {
        activate: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } },
        active: { call: { returns: 'Span' } },
        bind: { call: { returns: '0' } },
      },
    },
  },
});
