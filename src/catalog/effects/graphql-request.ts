import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** The document decides, a mutation or a query; as nothing reads it, a request is not held against anybody. */
const request: Shape = { call: { effect: { kind: 'read' } } };
const mutation: Shape = { call: { effect: { kind: 'external', data: '0', content: ['0.variables', '1'] } } };

/** graphql-request 7.4, with `mutate` and `query` of @apollo/client 4 and `mutation` of @urql/core 6. */
export default defineLibrary({
  name: 'graphql-request',
  packages: ['graphql-request', '@apollo/client', '@apollo/client/core', '@urql/core'],
  exports: {
    request,
    rawRequest: request,
    GraphQLClient: { construct: { returns: 'GraphQLClient' } },
    ApolloClient: { construct: { returns: 'GraphQLClient' } },
    Client: { construct: { returns: 'GraphQLClient' } },
    createClient: { call: { returns: 'GraphQLClient' } },
    gql: { call: { derives: true } },
  },
  types: {
    GraphQLClient: {
      members: {
        ...alike('request rawRequest batchRequests', request),
        ...alike('mutate mutation', mutation),
        query: { call: { effect: { kind: 'read' }, returns: 'Result' } },
        ...alike<Shape>('setHeader setHeaders setEndpoint', { call: { returns: 'this' } }),
      },
    },
    Result: { members: { toPromise: { call: { returns: 'this' } } } },
  },
});
