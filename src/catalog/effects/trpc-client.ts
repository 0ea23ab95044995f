import { defineLibrary, type Shape } from '../schema.js';

const client: Shape = { construct: { returns: 'Client' }, call: { returns: 'Client' } };

/** @trpc/client 11.6: the router's own names lead to a procedure, and the last one says what it is. */
export default defineLibrary({
  name: '@trpc/client',
  packages: ['@trpc/client'],
  exports: { createTRPCClient: client, createTRPCProxyClient: client },
  types: {
    Client: { anyMember: 'Procedure' },
    Procedure: {
      members: {
        mutate: { call: { effect: { kind: 'external', content: '0' } } },
        query: { call: { effect: { kind: 'read' } } },
        subscribe: { call: {} },
      },
      anyMember: 'Procedure',
    },
  },
});
