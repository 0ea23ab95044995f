import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const read: Shape = { call: { effect: { kind: 'read' } } };
const nothing: Shape = { call: {} };
const to = (returns: string): Shape => ({ call: { returns } });
const write = (writeKind: EffectFacts['writeKind'], more: Partial<EffectFacts> = {}): Shape => ({ call: { effect: { kind: 'write', ...(writeKind && { writeKind }), ...more } } });

/** typesense 2.1: `client.collections('orders').documents().upsert(document)`; the document carries its id. */
export const typesense = defineLibrary({
  name: 'typesense',
  packages: ['typesense'],
  exports: { Client: { construct: { returns: 'Client' } }, default: { members: { Client: { construct: { returns: 'Client' } } } } },
  types: {
    Client: { extendable: true, members: { collections: to('Collection'), aliases: to('Collection'), multiSearch: { anyMember: read }, health: { anyMember: read } } },
    Collection: { members: { documents: to('Documents'), ...alike('retrieve exists', read), ...alike('update upsert create', write('absolute')), delete: write('delete') } },
    Documents: {
      members: {
        upsert: write('upsert', { data: '0' }),
        /** Rejects where the id exists. */
        create: write('insert', { data: '0' }),
        ...alike('update emplace', write('absolute', { data: '0' })),
        import: write('upsert', { data: '0' }),
        delete: write('delete', { where: '0' }),
        ...alike('retrieve search export', read),
      },
    },
  },
});

/** meilisearch 0.56: documents of one primary key are one document. */
export const meilisearch = defineLibrary({
  name: 'meilisearch',
  packages: ['meilisearch'],
  exports: { MeiliSearch: { construct: { returns: 'Client' } }, Meilisearch: { construct: { returns: 'Client' } } },
  types: {
    Client: { extendable: true, members: { index: to('Index'), getIndex: to('Index'), ...alike('search multiSearch health getTask waitForTask', read) } },
    Index: {
      members: {
        ...alike('addDocuments addDocumentsInBatches', write('upsert', { data: '0' })),
        ...alike('updateDocuments updateDocumentsInBatches', write('absolute', { data: '0' })),
        ...alike('deleteDocument deleteDocuments deleteAllDocuments', write('delete', { where: '0' })),
        ...alike('search getDocument getDocuments getStats', read),
      },
    },
  },
});

/** algoliasearch 5.36 (`client.saveObject({ indexName, body })`) and 4 (`client.initIndex(name).saveObject(object)`). */
export const algoliasearch = defineLibrary({
  name: 'algoliasearch',
  packages: ['algoliasearch', 'algoliasearch/lite'],
  exports: { algoliasearch: to('Client'), default: { call: { returns: 'Client' } } },
  types: {
    Client: {
      members: {
        initIndex: to('Index'),
        saveObject: write('upsert', { table: '0.indexName', data: '0.body' }),
        ...alike('saveObjects chunkedBatch', write('upsert', { table: '0.indexName', data: '0.objects' })),
        ...alike('partialUpdateObject partialUpdateObjects', write('absolute', { table: '0.indexName' })),
        ...alike('deleteObject deleteObjects deleteBy', write('delete', { table: '0.indexName' })),
        ...alike('search searchSingleIndex getObject getObjects browseObjects', read),
        waitForTask: nothing,
      },
    },
    Index: {
      members: {
        ...alike('saveObject saveObjects', write('upsert', { data: '0' })),
        ...alike('partialUpdateObject partialUpdateObjects', write('absolute', { data: '0' })),
        ...alike('deleteObject deleteObjects deleteBy', write('delete', { where: '0' })),
        ...alike('search getObject getObjects browseObjects', read),
      },
    },
  },
});
