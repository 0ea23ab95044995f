import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
/** One event of the bus, as the wrapper hands it on; `attempts` counts up when the application sends it again. */
const event: Shape = { message: true, stability: 'producer-stable', members: { attempts: { stability: 'delivery' } } };
const raw = 'aws-lambda#EventBridgeEvent';
const context = 'aws-lambda#Context';

const eventHandler: Registration = { handler: '1', params: [event], acknowledgement: 'on-return', source: 'EventBridge' };
const subscriber: Shape = { call: { registers: { ...eventHandler, params: [event, raw, context] } } };
const handler: Registration[] = [
  { handler: '1', when: { arg: '0', is: ['sqs'] }, params: ['aws-lambda#SQSEvent', context], acknowledgement: 'on-return', source: 'SQS', partialBatch: true },
  // Declared by the application itself, in `interface Handlers` of `sst/context`.
  { handler: '1', when: { arg: '0', is: ['kinesis', 'kinesis_stream'] }, params: ['aws-lambda#KinesisStreamEvent', context], acknowledgement: 'on-return', source: 'Kinesis', partialBatch: true },
  { handler: '1', when: { arg: '0', is: ['sns'] }, params: ['aws-lambda#SNSEvent', context], acknowledgement: 'on-return', source: 'SNS' },
];
const publish: Shape = { call: { effect: { kind: 'external' } } };

/**
 * sst 2.49.8 (node/event-bus/index.js, context/handler.d.ts) and 3.19.3 (dist/aws/bus.js): functions that make a Lambda
 * handler out of a callback and hand its promise on.
 */
export default defineLibrary({
  name: 'sst',
  packages: ['sst/node/event-bus', 'sst/context', 'sst/context/*', 'sst/aws/bus'],
  exports: {
    EventHandler: { call: { registers: eventHandler } },
    createEventBuilder: { call: { returns: { call: { returns: 'Event' } } } },
    Handler: { call: { registers: handler } },
    bus: { members: { subscriber, handler: subscriber, publish } },
    Context: { members: { create: { call: { returns: 'Context' } } } },
  },
  types: {
    Event: { members: { publish, type: stable } },
    Context: { members: { use: { call: {} }, provide: { call: {} }, with: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } } } },
  },
});
