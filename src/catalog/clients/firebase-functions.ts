import { defineLibrary, type Registration, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const delivery: Shape = { stability: 'delivery' };
const nothing: Shape = { call: {} };

/** Version 2: a failed event comes again only with `retry: true`; at least once it comes either way. */
function triggers(event: Shape | string): Registration[] {
  const common = { handler: '1', params: [event], acknowledgement: 'on-return' as const };
  return [
    { ...common, when: { arg: '0.retry', is: [true] } },
    { ...common, redeliversOnThrow: false },
  ];
}
const on = (names: string, event: Shape | string): Record<string, Shape> =>
  Object.fromEntries(names.split(' ').map((name): [string, Shape] => [name, { call: { registers: triggers(event) } }]));

/** Version 1: the policy stands in `runWith({ failurePolicy })`, earlier in the chain. */
const v1 = (names: string, payload: Shape | string): Shape => ({
  members: Object.fromEntries(
    names.split(' ').map((name): [string, Shape] => [name, { call: { registers: { handler: '0', params: [payload, 'EventContext'], acknowledgement: 'on-return', redeliversOnThrow: false } } }]),
  ),
});
const chained = (shape: Shape): Shape => ({ call: { returns: shape } });
const snapshot: Shape = { message: true, stability: 'broker-stable', members: { data: { call: { returns: stored } }, ref: { stability: 'broker-stable' } } };
const change: Shape = { message: true, members: { before: snapshot, after: snapshot } };
const path = v1('onCreate onUpdate onDelete onWrite', { ...snapshot, members: { ...snapshot.members, before: snapshot, after: snapshot } });
const pubsubMessage: Shape = { message: true, members: { data: stable, json: stable, attributes: stable, orderingKey: stable, messageId: stored, publishTime: stored } };
const cloudEvent = (data: Shape): Shape => ({ message: true, members: { id: stored, time: stored, source: stable, subject: stable, type: stable, params: stable, document: stable, data } });

const documentEvents = on('onDocumentCreated onDocumentDeleted onDocumentCreatedWithAuthContext onDocumentDeletedWithAuthContext', cloudEvent(snapshot));
const documentChanges = on('onDocumentUpdated onDocumentWritten onDocumentUpdatedWithAuthContext onDocumentWrittenWithAuthContext', cloudEvent(change));
const firestoreV2 = { ...documentEvents, ...documentChanges };
const databaseV2 = { ...on('onValueCreated onValueDeleted', cloudEvent(snapshot)), ...on('onValueUpdated onValueWritten', cloudEvent(change)) };
const pubsubV2 = on('onMessagePublished', cloudEvent({ members: { message: pubsubMessage, subscription: stable } }));
const storageV2 = on('onObjectFinalized onObjectArchived onObjectDeleted onObjectMetadataUpdated', cloudEvent(stored));
const eventarcV2 = on('onCustomEventPublished', cloudEvent(stable));
const tasksV2: Record<string, Shape> = {
  onTaskDispatched: { call: { registers: { handler: ['1', '0'], params: ['TaskRequest'], acknowledgement: 'on-return' } } },
};
const pubsubV1: Record<string, Shape> = { topic: chained(v1('onPublish', pubsubMessage)), schedule: { call: { returns: 'Schedule' } } };
const documentV1: Record<string, Shape> = { document: chained(path), namespace: { call: { returns: 'this' } }, database: { call: { returns: 'this' } } };
const refV1: Record<string, Shape> = { ref: chained(path), instance: { call: { returns: 'this' } } };
const objects = v1('onFinalize onDelete onArchive onMetadataUpdate', stored);
const storageV1: Record<string, Shape> = { object: chained(objects), bucket: chained({ members: { object: chained(objects) } }) };
const authV1: Record<string, Shape> = { user: chained(v1('onCreate onDelete', stored)) };
const tasksV1: Record<string, Shape> = {
  taskQueue: chained({ members: { onDispatch: { call: { registers: { handler: '0', params: [{ message: true, stability: 'producer-stable' }, 'TaskContext'], acknowledgement: 'on-return' } } } } }),
};

/** The providers, which are namespaces on the top level and modules of their own in the subpaths. */
const providers: Record<string, Shape> = {
  pubsub: { members: { ...pubsubV1, ...pubsubV2 } },
  firestore: { members: { ...documentV1, ...firestoreV2 } },
  database: { members: { ...refV1, ...databaseV2 } },
  storage: { members: { ...storageV1, ...storageV2 } },
  auth: { members: authV1 },
  tasks: { members: { ...tasksV1, ...tasksV2 } },
  eventarc: { members: eventarcV2 },
  logger: { anyMember: nothing },
};

/** firebase-functions 7.4.0 (lib/v1/providers/*.d.ts, lib/v2/providers/*.d.ts). Event ids are kept over retries. */
export default defineLibrary({
  name: 'firebase-functions',
  packages: ['firebase-functions', 'firebase-functions/*'],
  exports: {
    ...providers,
    ...firestoreV2,
    ...databaseV2,
    ...pubsubV2,
    ...storageV2,
    ...eventarcV2,
    ...tasksV2,
    ...pubsubV1,
    ...documentV1,
    ...refV1,
    ...storageV1,
    ...authV1,
    ...tasksV1,
    v1: { members: { ...providers, region: { call: { returns: 'FunctionBuilder' } }, runWith: { call: { returns: 'FunctionBuilder' } } } },
    v2: { members: providers },
    region: { call: { returns: 'FunctionBuilder' } },
    runWith: { call: { returns: 'FunctionBuilder' } },
    setGlobalOptions: nothing,
  },
  types: {
    FunctionBuilder: { members: { ...providers, region: { call: { returns: 'this' } }, runWith: { call: { returns: 'this' } } } },
    Schedule: { members: { onRun: nothing, timeZone: { call: { returns: 'this' } }, retryConfig: { call: { returns: 'this' } } } },
    EventContext: { members: { eventId: stored, timestamp: stored, params: stable, resource: stable, auth: stable } },
    TaskRequest: { message: true, members: { data: stable, id: stored, queueName: stable, retryCount: delivery, executionCount: delivery, previousResponse: delivery, scheduledTime: stored } },
    TaskContext: { members: { id: stored, queueName: stable, retryCount: delivery, executionCount: delivery } },
  },
});
