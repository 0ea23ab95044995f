import { defineLibrary, type Registration, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const data: Shape = { message: true, stability: 'producer-stable' };
/** Of the CloudEvent only its data is handed over. An error in the callback is logged, and the message counts as done. */
const callback: Omit<Registration, 'handler'> = {
  params: [data, { stability: 'delivery' }],
  acknowledgement: 'on-return',
  redeliversOnThrow: false,
  refuses: ['RETRY', 'DROP'],
};

/** @dapr/dapr 3.18.0 (implementation/Server/HTTPServer/HTTPServerImpl.js, interfaces/Server/IServerPubSub.d.ts). */
export default defineLibrary({
  name: '@dapr/dapr',
  packages: ['@dapr/dapr'],
  exports: {
    DaprServer: { construct: { returns: 'DaprServer' } },
    DaprClient: { construct: { returns: 'DaprClient' } },
    DaprPubSubStatusEnum: { members: { SUCCESS: { constant: 'SUCCESS' }, RETRY: { constant: 'RETRY' }, DROP: { constant: 'DROP' } } },
  },
  types: {
    DaprServer: {
      members: {
        pubsub: {
          members: {
            subscribe: { call: { registers: { ...callback, handler: '2' } } },
            subscribeBulk: { call: { registers: { ...callback, handler: '2' } } },
            subscribeWithOptions: { call: { registers: { ...callback, handler: '2.callback' } } },
            subscribeToRoute: { call: { registers: { ...callback, handler: '3' } } },
          },
        },
        binding: { members: { receive: { call: { registers: { handler: '1', params: [data], acknowledgement: 'on-return' } } } } },
        client: 'DaprClient',
        start: nothing,
        stop: nothing,
      },
    },
    DaprClient: {
      members: {
        pubsub: { members: { publish: { call: { effect: { kind: 'external', content: '2' } } }, publishBulk: { call: { effect: { kind: 'external', content: '2' } } } } },
        binding: { members: { send: { call: { effect: { kind: 'external', content: '2' } } } } },
        invoker: { members: { invoke: { call: { effect: { kind: 'external', content: '3' } } } } },
        state: {
          members: {
            save: { call: { effect: { kind: 'write', writeKind: 'absolute', table: '0', data: '1' } } },
            delete: { call: { effect: { kind: 'write', writeKind: 'delete', table: '0', where: '1' } } },
            get: { call: { effect: { kind: 'read', table: '0', where: '1' } } },
            getBulk: { call: { effect: { kind: 'read', table: '0', where: '1' } } },
          },
        },
        start: nothing,
        stop: nothing,
      },
    },
  },
});
