import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Whatever is called on it is no effect. */
const silent: Shape = { call: { returns: 'Logger' }, construct: { returns: 'Logger' }, anyMember: 'Logger' };

/** Logs and metrics are no effects: known, so that nobody counts them as unresolved. */
export default defineLibrary({
  name: 'pino',
  packages: [
    'pino',
    'pino-http',
    'nestjs-pino',
    'winston',
    'nest-winston',
    'bunyan',
    'log4js',
    'loglevel',
    'consola',
    'signale',
    'debug',
    'tslog',
    'roarr',
    'prom-client',
    'hot-shots',
    'node-statsd',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
    'posthog-node',
    'chalk',
    'picocolors',
  ],
  exports: {
    default: 'Logger',
    ...alike('pino Logger logger createLogger getLogger winston log consola createConsola Metrics StatsD', silent),
    ...alike('Counter Gauge Histogram Summary Registry register collectDefaultMetrics PinoLogger PostHog', silent),
    ...alike('format transports addColors configure info warn error debug', silent),
  },
  types: { Logger: silent, ...alike('PinoLogger BaseLogger Counter Gauge Histogram Summary Registry Metrics StatsD Winston', silent) },
});
