import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const policy: Shape = { call: { returns: 'Policy' } };

/** cockatiel 3.2: a policy calls the function, again when it fails, not at all while a breaker is open (it rejects then). */
export default defineLibrary({
  name: 'cockatiel',
  packages: ['cockatiel'],
  exports: {
    ...alike('retry circuitBreaker timeout bulkhead fallback wrap usePolicy', policy),
    noop: 'Policy',
    ...alike<Shape>('handleType handleWhen handleResultType handleWhenResult', { call: {} }),
    ...alike<Shape>('ExponentialBackoff ConstantBackoff ConsecutiveBreaker SamplingBreaker', { construct: {} }),
  },
  types: {
    Policy: {
      members: {
        execute: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } },
        wrap: { call: { returns: '0' } },
        ...alike<Shape>('onFailure onSuccess onRetry onBreak onReset onGiveUp onHalfOpen onStateChange', { call: {} }),
      },
    },
    ...alike<Shape>('RetryPolicy CircuitBreakerPolicy IPolicy', {
      members: { execute: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', returns: true }] } } },
    }),
  },
});
