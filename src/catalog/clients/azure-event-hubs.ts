import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };
const events: Shape = { batch: true, element: 'ReceivedEventData' };

/**
 * @azure/event-hubs 6.0.4 (types/latest/event-hubs.d.ts). `subscribe(handlers, options)` or `subscribe(partition, handlers)`;
 * no checkpoint is written but by `updateCheckpoint`, which covers everything before its event.
 */
export default defineLibrary({
  name: '@azure/event-hubs',
  packages: ['@azure/event-hubs'],
  exports: {
    EventHubConsumerClient: { construct: { returns: 'EventHubConsumerClient' } },
    EventHubProducerClient: { construct: { returns: 'EventHubProducerClient' } },
    EventHubBufferedProducerClient: { construct: { returns: 'EventHubProducerClient' } },
  },
  types: {
    EventHubConsumerClient: {
      members: {
        subscribe: { call: { registers: { handler: ['0.processEvents', '1.processEvents'], params: [events, 'PartitionContext'], acknowledgement: 'explicit' } } },
        close: nothing,
        getPartitionIds: nothing,
      },
    },
    EventHubProducerClient: {
      members: {
        sendBatch: { call: { effect: { kind: 'external', key: '0.*.messageId', keyIsCarried: true, content: '0' } } },
        enqueueEvent: { call: { effect: { kind: 'external', key: '0.messageId', keyIsCarried: true, content: '0' } } },
        enqueueEvents: { call: { effect: { kind: 'external', key: '0.*.messageId', keyIsCarried: true, content: '0' } } },
        createBatch: { call: { returns: { members: { tryAdd: nothing } } } },
        flush: nothing,
        close: nothing,
      },
    },
    PartitionContext: { members: { partitionId: stored, updateCheckpoint: { call: { settles: { as: 'ack', message: '0', upTo: true } } } } },
    ReceivedEventData: {
      message: true,
      members: { body: stable, properties: stable, messageId: stable, correlationId: stable, partitionKey: stable, sequenceNumber: stored, offset: stored, enqueuedTimeUtc: stored, systemProperties: stored },
    },
  },
});
