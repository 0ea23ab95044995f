import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const runs = (fn: string): Shape => ({ call: { runs: [{ function: fn, times: 'once', promise: 'awaited', returns: true }] } });
/** An instrumented client is the client that was handed in. */
const through: Shape = { call: { returns: '0' } };
const segment: Shape = { anyMember: { call: { returns: 'this' } } };

const members: Record<string, Shape> = {
  ...alike('captureAsyncFunc captureFunc', runs('1')),
  ...alike('captureAWSv3Client captureAWSClient captureAWS captureHTTPs captureMySQL captureCallbackFunc', through),
  capturePostgres: through,
  ...alike('startBackgroundTransaction startWebTransaction startSegment', runs('last')),
  ...alike<Shape>('getSegment setSegment getSubsegment getTransaction', { call: { returns: 'Segment' } }),
  ...alike<Shape>(
    'addCustomAttribute addCustomAttributes noticeError recordMetric recordCustomEvent setTransactionName endTransaction incrementMetric ' +
      'putAnnotation putMetadata addErrorAsMetadata addResponseAsMetadata annotateColdStart addServiceNameAnnotation isTracingEnabled ' +
      'captureHTTPsGlobal capturePromise setContextMissingStrategy captureMethod captureLambdaHandler',
    { call: {} },
  ),
};

/** aws-xray-sdk 3.10, @aws-lambda-powertools/tracer 2, newrelic 13: callbacks run in place and give back what they return. */
export default defineLibrary({
  name: 'aws-xray-sdk',
  packages: ['aws-xray-sdk', 'aws-xray-sdk-core', '@aws-lambda-powertools/tracer', 'newrelic'],
  exports: { ...members, default: { members }, Tracer: { construct: { returns: 'Tracer' } } },
  types: { Tracer: { members }, Segment: segment, Subsegment: segment },
});
