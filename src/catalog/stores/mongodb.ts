import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** Operators whose result depends on what is stored; `$addToSet`, `$pull`, `$max`, `$min` do not change on a repeat. */
export const deltaOperators = ['$inc', '$mul', '$push', '$pop', '$bit'];
/** Ignored on a repeat: what it sets is set on the insert of an upsert only. */
export const insertOnlyOperators = ['$setOnInsert'];

/** `matchedCount` counts an upsert that matched as well; `upsertedCount` tells the insert of an upsert. */
export const updateResult: EffectFacts['result'] = {
  fresh: { matchedCount: 1, modifiedCount: 1, upsertedCount: 1 },
  duplicate: { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 },
};

const write = (facts: Partial<EffectFacts>): Shape => ({ call: { effect: { kind: 'write', table: 'receiver', ...facts } } });

const read = (options: string, returns?: string): Shape => ({
  call: { effect: { kind: 'read', table: 'receiver', where: '0', joins: `${options}.session` }, returns },
});

const update: Partial<EffectFacts> = {
  writeKind: 'absolute',
  where: '0',
  data: '1',
  joins: '2.session',
  classify: { by: 'operators', data: '1', delta: deltaOperators, ignore: insertOnlyOperators, upsert: '2.upsert', where: '0' },
};

const cursor: Shape = {
  element: {},
  members: alike<Shape>('sort limit skip project hint batchSize map addCursorFlag toArray next', { call: { returns: 'this' } }),
};

/** Statements join by naming it in `{ session }`; the callback may run again until it commits. */
export const session: Shape = {
  connection: true,
  members: {
    withTransaction: { call: { transaction: { callback: '0', params: ['ClientSession'] } } },
    startTransaction: { call: { transaction: { begins: 'receiver' } } },
    commitTransaction: { call: { transaction: { ends: 'commit' } } },
    abortTransaction: { call: { transaction: { ends: 'rollback' } } },
    endSession: { call: {} },
  },
};

/** mongodb 7.9. A document that is found and changed (`findOneAnd…`) is `null` where nothing matched; an insert rejects with 11000. */
export default defineLibrary({
  name: 'mongodb',
  packages: ['mongodb'],
  exports: {
    MongoClient: { construct: { returns: 'MongoClient' }, members: { connect: { call: { returns: 'MongoClient' } } } },
    ObjectId: 'bson#ObjectIdClass',
    ObjectID: 'bson#ObjectIdClass',
  },
  types: {
    MongoClient: {
      extendable: true,
      members: {
        connect: { call: { returns: 'this' } },
        db: { call: { returns: 'Db' } },
        startSession: { call: { returns: 'ClientSession' } },
        withSession: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', params: ['ClientSession'], returns: true }] } },
        bulkWrite: { call: { effect: { kind: 'write', data: '0', joins: '1.session' } } },
        close: { call: {} },
      },
    },
    Db: {
      members: {
        collection: { call: { returns: 'Collection' } },
        command: { call: { effect: { kind: 'write', data: '0' } } },
      },
    },
    Collection: {
      members: {
        ...alike('findOne countDocuments', read('1')),
        ...alike('estimatedDocumentCount', read('0')),
        distinct: read('2'),
        ...alike('find aggregate', read('1', 'FindCursor')),
        insertOne: write({ writeKind: 'insert', data: '0', identity: '_id', joins: '1.session' }),
        insertMany: write({ writeKind: 'insert', data: '0', identity: '_id', joins: '1.session' }),
        ...alike('updateOne updateMany', write({ ...update, result: updateResult })),
        findOneAndUpdate: write({ ...update, result: { fresh: {}, duplicate: { '': null, value: null } } }),
        replaceOne: write({ ...update, classify: { by: 'operators', data: '1', delta: [], upsert: '2.upsert', where: '0' }, result: updateResult }),
        findOneAndReplace: write({
          ...update,
          classify: { by: 'operators', data: '1', delta: [], upsert: '2.upsert', where: '0' },
          result: { fresh: {}, duplicate: { '': null, value: null } },
        }),
        ...alike(
          'deleteOne deleteMany',
          write({ writeKind: 'delete', where: '0', joins: '1.session', result: { fresh: { deletedCount: 1 }, duplicate: { deletedCount: 0 } } }),
        ),
        findOneAndDelete: write({
          writeKind: 'delete',
          where: '0',
          joins: '1.session',
          result: { fresh: {}, duplicate: { '': null, value: null } },
        }),
        bulkWrite: write({
          writeKind: 'absolute',
          data: '0',
          joins: '1.session',
          classify: {
            by: 'operators',
            data: '0.*.updateOne.update',
            delta: deltaOperators,
            ignore: insertOnlyOperators,
            upsert: '0.*.updateOne.upsert',
            where: '0.*.updateOne.filter',
          },
        }),
        ...alike('createIndex createIndexes', { call: {} }),
      },
    },
    FindCursor: cursor,
    AggregationCursor: cursor,
    ClientSession: session,
  },
});
