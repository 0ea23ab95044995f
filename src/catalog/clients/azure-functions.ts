import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };
const item: Shape = { message: true, stability: 'producer-stable' };

function registrations(source: string, payload: Shape, facts: Partial<Registration> = {}): Registration[] {
  const common = { handler: '1.handler', acknowledgement: 'on-return' as const, source, ...facts };
  return [
    { ...common, when: { arg: '1.cardinality', is: ['many'] }, params: [{ batch: true, element: payload }, 'InvocationContext'] },
    { ...common, params: [payload, 'InvocationContext'] },
  ];
}
const trigger = (source: string, payload: Shape, facts?: Partial<Registration>): Shape => ({ call: { registers: registrations(source, payload, facts) } });
const typed = (source: string, payload: Shape, facts?: Partial<Registration>): Shape => ({
  handlerType: { handler: 'decorated', params: [payload, 'InvocationContext'], acknowledgement: 'on-return', source, ...facts },
});
// Version 3 of the programming model: `function.json` names the trigger, and the function gets its context first.
const bound = (source: string, payload: Shape, facts?: Partial<Registration>): Shape => ({
  handlerType: { handler: 'decorated', params: ['Context', payload], acknowledgement: 'on-return', source, ...facts },
});
// The checkpoint moves on after a failed batch, unless the function has a retry policy.
const advances = { redeliversOnThrow: false };
const documents: Shape = { batch: true, element: item };
const blob: Shape = { message: true, stability: 'broker-stable' };

/** What the trigger tells of its message. */
const metadata: Shape = {
  stability: 'producer-stable',
  members: {
    sequenceNumber: stored,
    sequenceNumberArray: stored,
    offset: stored,
    offsetArray: stored,
    enqueuedTimeUtc: stored,
    id: stored,
    insertionTime: stored,
    deliveryCount: delivery,
    dequeueCount: delivery,
    lockToken: delivery,
    popReceipt: delivery,
    invocationId: delivery,
  },
};

/** @azure/functions 4.16.5 (types/app.d.ts, types/InvocationContext.d.ts). Version 3.5.1 (types/Context.d.ts) for functions that `function.json` binds. */
export default defineLibrary({
  name: '@azure/functions',
  packages: ['@azure/functions'],
  exports: {
    app: {
      members: {
        serviceBusQueue: trigger('Service Bus', item),
        serviceBusTopic: trigger('Service Bus', item),
        storageQueue: trigger('Storage Queue', item),
        storageBlob: trigger('Storage Blob', blob),
        eventGrid: trigger('Event Grid', item),
        eventHub: trigger('Event Hubs', item, advances),
        cosmosDB: trigger('Cosmos DB', documents, advances),
        generic: { call: { registers: [{ handler: '1.handler', params: [item, 'InvocationContext'], acknowledgement: 'on-return' }] } },
        http: { call: { runs: [{ function: '1.handler', times: 'many', promise: 'detached', params: ['HttpRequest', 'InvocationContext'] }] } },
        setup: nothing,
      },
    },
  },
  types: {
    ServiceBusQueueHandler: typed('Service Bus', item),
    ServiceBusTopicHandler: typed('Service Bus', item),
    StorageQueueHandler: typed('Storage Queue', item),
    StorageBlobHandler: typed('Storage Blob', blob),
    EventGridHandler: typed('Event Grid', item),
    EventHubHandler: typed('Event Hubs', item, advances),
    CosmosDBHandler: typed('Cosmos DB', documents, advances),
    queueTrigger: bound('Storage Queue', item),
    serviceBusTrigger: bound('Service Bus', item),
    eventGridTrigger: bound('Event Grid', item),
    eventHubTrigger: bound('Event Hubs', item, advances),
    cosmosDBTrigger: bound('Cosmos DB', documents, advances),
    blobTrigger: bound('Storage Blob', blob),
    Context: {
      members: {
        invocationId: delivery,
        executionContext: delivery,
        bindings: {},
        bindingData: metadata,
        log: { call: {}, members: { error: nothing, warn: nothing, info: nothing, verbose: nothing, metric: nothing } },
      },
    },
    HttpRequest: { members: { text: { call: { returns: stable } }, json: { call: { returns: stable } }, headers: stable } },
    InvocationContext: {
      members: {
        invocationId: delivery,
        retryContext: delivery,
        triggerMetadata: metadata,
        extraOutputs: { members: { set: { call: { effect: { kind: 'external', content: '1' }, sync: true } } } },
        extraInputs: { members: { get: { call: { effect: { kind: 'read' } } } } },
        log: nothing,
        info: nothing,
        warn: nothing,
        error: nothing,
        debug: nothing,
        trace: nothing,
      },
    },
  },
});
