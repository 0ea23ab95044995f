import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const span: Shape = { anyMember: { call: { returns: 'this' } } };
const instrument: Shape = { anyMember: { call: { returns: 'Instrument' } } };

/** @opentelemetry/api 1.9: telemetry itself is no effect; the callbacks run in place and give back what they return. */
export default defineLibrary({
  name: '@opentelemetry/api',
  packages: ['@opentelemetry/api'],
  exports: {
    trace: {
      members: {
        getTracer: { call: { returns: 'Tracer' } },
        getTracerProvider: { call: { returns: { members: { getTracer: { call: { returns: 'Tracer' } } } } } },
        ...alike<Shape>('getActiveSpan getSpan wrapSpanContext', { call: { returns: 'Span' } }),
        ...alike<Shape>('setSpan deleteSpan setSpanContext', { call: {} }),
      },
    },
    context: {
      members: {
        with: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } },
        bind: { call: { returns: '1' } },
        active: { call: {} },
      },
    },
    metrics: { members: { getMeter: { call: { returns: 'Instrument' } }, getMeterProvider: { call: { returns: 'Instrument' } } } },
    propagation: { anyMember: { call: {} } },
    diag: { anyMember: { call: {} } },
  },
  types: {
    Tracer: {
      members: {
        startActiveSpan: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', params: ['Span'], returns: true }] } },
        startSpan: { call: { returns: 'Span' } },
      },
    },
    Span: span,
    Instrument: instrument,
    ...alike('Meter Counter Histogram UpDownCounter', instrument),
  },
});
