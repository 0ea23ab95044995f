import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

const read: Shape = { call: { effect: { kind: 'read', table: '0.index' } } };

const client: Shape = {
  extendable: true,
  members: {
    ...alike('search get mget count exists msearch getSource searchTemplate scroll openPointInTime', read),
    esql: { members: { query: read } },
    sql: { members: { query: read } },
    /** With an `id` it replaces the document, without one it makes a new document on each call. */
    index: {
      call: {
        effect: {
          kind: 'write',
          writeKind: 'insert',
          table: '0.index',
          where: '0.id',
          data: '0.document',
          identity: '',
          classify: { by: 'operators', data: '0.document', delta: [], upsert: '0.id', where: '0.id' },
        },
      },
    },
    /** Rejects with 409 where the id exists. */
    create: { call: { effect: { kind: 'write', writeKind: 'insert', table: '0.index', where: '0.id', data: '0.document' } } },
    update: {
      call: {
        effect: {
          kind: 'write',
          writeKind: 'absolute',
          table: '0.index',
          where: '0.id',
          data: '0.doc',
          classify: { by: 'operators', data: '0', delta: ['script'], upsert: '0.doc_as_upsert' },
        },
      },
    },
    delete: { call: { effect: { kind: 'write', writeKind: 'delete', table: '0.index', where: '0.id' } } },
    /** Rejects for the request as a whole only: `errors` tells of single operations. */
    bulk: { call: { effect: { kind: 'write', writeKind: 'upsert', data: '0.operations', partialFailureIn: 'errors' } } },
    updateByQuery: { call: { effect: { kind: 'write', writeKind: 'absolute', table: '0.index', where: '0.query', partialFailureIn: 'failures' } } },
    deleteByQuery: { call: { effect: { kind: 'write', writeKind: 'delete', table: '0.index', where: '0.query', partialFailureIn: 'failures' } } },
    reindex: { call: { effect: { kind: 'write', writeKind: 'upsert' } } },
    helpers: {
      members: {
        bulk: { call: { effect: { kind: 'write', writeKind: 'upsert', data: '0.datasource', partialFailureIn: 'failed' } } },
        search: read,
        scrollDocuments: read,
      },
    },
    indices: {
      members: alike('exists get getMapping getAlias', read),
      anyMember: { call: { effect: { kind: 'write', writeKind: 'absolute', table: '0.index', where: '0.index' } } },
    },
    close: { call: {} },
    ping: read,
  },
};

/** @elastic/elasticsearch 9.5 and OpenSearch's client of the same shape. A lost connection makes the client send again. */
export default defineLibrary({
  name: '@elastic/elasticsearch',
  packages: ['@elastic/elasticsearch', '@opensearch-project/opensearch', '@nestjs/elasticsearch'],
  exports: { Client: { construct: { returns: 'Client' } }, ElasticsearchService: { construct: { returns: 'Client' } } },
  types: { Client: client, ElasticsearchService: client },
});
