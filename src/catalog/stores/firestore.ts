import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** `FieldValue.increment(n)` is relative; `arrayUnion`, `arrayRemove`, `maximum`, `minimum` are not. */
const delta = ['increment'];

/** The same four writes on a document and, one argument later, on a transaction, batch or bulk writer, which only buffer them. */
function writes(at: number): Record<string, Shape> {
  const [data, table] = [`${at}`, at === 0 ? 'receiver' : '0'];
  const write = (facts: Partial<EffectFacts>): Shape => ({
    call: { effect: { kind: 'write', table, where: at === 0 ? 'this' : '0', ...facts }, ...(at > 0 && { sync: true, returns: 'this' }) },
  });
  return {
    set: write({ writeKind: 'upsert', data, classify: { by: 'operators', data, delta } }),
    /** Rejects where there is no document; `{ lastUpdateTime }` is a version gate. */
    update: write({ writeKind: 'absolute', data, classify: { by: 'operators', data, delta } }),
    /** Rejects (gRPC code 6) where there is one. */
    create: write({ writeKind: 'insert', data }),
    delete: write({ writeKind: 'delete' }),
  };
}

const read: Shape = { call: { effect: { kind: 'read', table: 'receiver' } } };
const query: Record<string, Shape> = {
  ...alike<Shape>('where orderBy limit limitToLast offset select startAt startAfter endAt endBefore withConverter', { call: { returns: 'Query' } }),
  ...alike('get count aggregate onSnapshot stream', read),
};

/** @google-cloud/firestore 9.4 and firebase-admin/firestore 14.5. The id of the document is the only unique key. */
export default defineLibrary({
  name: '@google-cloud/firestore',
  packages: ['@google-cloud/firestore', 'firebase-admin/firestore'],
  exports: {
    Firestore: { construct: { returns: 'Firestore' } },
    getFirestore: { call: { returns: 'Firestore' } },
    initializeFirestore: { call: { returns: 'Firestore' } },
    FieldValue: {
      members: {
        serverTimestamp: { call: { mints: 'FieldValue.serverTimestamp()' } },
        ...alike<Shape>('increment arrayUnion arrayRemove delete maximum minimum', { call: { derives: true } }),
      },
    },
    Timestamp: {
      members: { now: { call: { mints: 'Timestamp.now()' } }, ...alike<Shape>('fromDate fromMillis', { call: { derives: true } }) },
    },
  },
  types: {
    Firestore: {
      members: {
        ...alike<Shape>('collection', { call: { returns: 'CollectionReference' } }),
        doc: { call: { returns: 'DocumentReference' } },
        collectionGroup: { call: { returns: 'Query' } },
        getAll: { call: { effect: { kind: 'read' } } },
        /** Runs the callback again on contention, five times at most. */
        runTransaction: { call: { transaction: { callback: '0', params: ['Transaction'] } } },
        batch: { call: { returns: 'WriteBatch' } },
        bulkWriter: { call: { returns: 'BulkWriter' } },
        recursiveDelete: { call: { effect: { kind: 'write', writeKind: 'delete', where: '0' } } },
        settings: { call: {} },
      },
    },
    CollectionReference: {
      members: {
        ...query,
        /** Without an id the document gets a new one. */
        doc: { call: { returns: 'DocumentReference', identifiedBy: '0' } },
        add: { call: { effect: { kind: 'write', writeKind: 'insert', table: 'receiver', data: '0', identity: '' }, returns: 'DocumentReference' } },
        listDocuments: read,
      },
    },
    Query: { members: query },
    DocumentReference: {
      members: {
        ...writes(0),
        ...alike('get listCollections onSnapshot', read),
        collection: { call: { returns: 'CollectionReference' } },
        withConverter: { call: { returns: 'this' } },
      },
    },
    Transaction: {
      connection: true,
      members: { ...writes(1), ...alike<Shape>('get getAll', { call: { effect: { kind: 'read', table: '0', locking: true } } }) },
    },
    /** All or nothing, at `commit()`. */
    WriteBatch: { members: { ...writes(1), commit: { call: { effect: { kind: 'write' } } } } },
    /** Not atomic, and it sends again by itself. */
    BulkWriter: {
      members: {
        ...writes(1),
        ...alike<Shape>('flush close', { call: { effect: { kind: 'write' } } }),
        onWriteError: { call: {} },
      },
    },
  },
});
