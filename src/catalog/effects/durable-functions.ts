import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const read: Shape = { call: { effect: { kind: 'read' } } };
const again: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };

const client: Shape = {
  members: {
    startNew: { call: { effect: { kind: 'external', data: '0', key: ['1.instanceId', '1'] } } },
    ...alike<Shape>('raiseEvent signalEntity', { call: { effect: { kind: 'external', data: '2' } } }),
    ...alike('terminate suspend resume rewind purgeInstanceHistory', again),
    ...alike('getStatus getStatusAll getStatusBy waitForCompletionOrCreateCheckStatusResponse readEntityState', read),
    ...alike<Shape>('createCheckStatusResponse createHttpManagementPayload', { call: {} }),
  },
};

/**
 * durable-functions 2 (`startNew(name, instanceId, input)`) and 3 (`startNew(name, { instanceId, input })`): an instance
 * under an id that is running is not started once more; without an id each call starts another one.
 */
export default defineLibrary({
  name: 'durable-functions',
  packages: ['durable-functions', 'durable-functions/*'],
  exports: { getClient: { call: { returns: 'DurableClient' } } },
  types: { DurableClient: client, DurableOrchestrationClient: client },
});
