import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const wraps: Shape = { call: { returns: '0' } };
const runs = (fn: string): Shape => ({ call: { runs: [{ function: fn, times: 'once', promise: 'awaited', returns: true }] } });
const wrappers = alike('wrapHandler wrapHttpFunction wrapEventFunction wrapCloudEventFunction wrapRouteHandlerWithSentry wrapApiHandlerWithSentry', wraps);

const members: Record<string, Shape> = {
  ...wrappers,
  AWSLambda: { members: { ...wrappers, init: { call: {} } } },
  GCPFunction: { members: { ...wrappers, init: { call: {} } } },
  ...alike('startSpan startSpanManual withMonitor continueTrace withActiveSpan withServerActionInstrumentation', runs('1')),
  ...alike('withScope withIsolationScope', runs('last')),
  ...alike('runWithAsyncContext suppressTracing startNewTrace', runs('0')),
  startInactiveSpan: { call: { returns: 'Span' } },
  ...alike<Shape>('getActiveSpan getCurrentScope getIsolationScope getCurrentHub startTransaction', { call: { returns: 'Span' } }),
  ...alike<Shape>(
    'captureException captureMessage captureEvent captureCheckIn init flush close setTag setTags setContext setUser setExtra setExtras addBreadcrumb ' +
      'configureScope addIntegration lastEventId',
    { call: {} },
  ),
  metrics: { anyMember: { call: {} } },
  logger: { anyMember: { call: {} } },
};

/** @sentry/node 10 and the serverless packages: an error is reported and thrown on. */
export default defineLibrary({
  name: '@sentry/node',
  packages: [
    '@sentry/node',
    '@sentry/serverless',
    '@sentry/aws-serverless',
    '@sentry/google-cloud-serverless',
    '@sentry/nextjs',
    '@sentry/nestjs',
    '@sentry/bun',
    '@sentry/deno',
    '@sentry/cloudflare',
    '@sentry/core',
  ],
  exports: { ...members, default: { members } },
  types: { Span: { anyMember: { call: { returns: 'this' } } } },
});
