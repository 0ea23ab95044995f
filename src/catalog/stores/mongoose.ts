import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';
import { deltaOperators, insertOnlyOperators, session, updateResult } from './mongodb.js';

const write = (facts: Partial<EffectFacts>, returns?: string): Shape => ({
  call: { effect: { kind: 'write', table: 'receiver', ...facts }, returns },
});
const read: Shape = { call: { effect: { kind: 'read', table: 'receiver', where: '0' }, returns: 'Query' } };

const update: Partial<EffectFacts> = {
  writeKind: 'absolute',
  where: '0',
  data: '1',
  joins: '2.session',
  classify: { by: 'operators', data: '1', delta: deltaOperators, ignore: insertOnlyOperators, upsert: '2.upsert', where: '0' },
};
/** The document as it was before the update: `null` where nothing matched. */
const found: EffectFacts['result'] = { fresh: {}, duplicate: { '': null } };

/** Static methods. `create(doc, { session })` would store the options as a second document: with a session the first is a list. */
const model: Record<string, Shape> = {
  ...alike('find findOne findById exists countDocuments estimatedDocumentCount distinct where', read),
  aggregate: { call: { effect: { kind: 'read', table: 'receiver' }, returns: 'Query' } },
  create: write({ writeKind: 'insert', data: '0', identity: '_id', joins: '1.session' }, 'Document'),
  insertOne: write({ writeKind: 'insert', data: '0', identity: '_id', joins: '1.session' }, 'Document'),
  insertMany: write({ writeKind: 'insert', data: '0', identity: '_id', joins: '1.session' }),
  ...alike('updateOne updateMany', write({ ...update, result: updateResult }, 'Query')),
  ...alike('findOneAndUpdate findByIdAndUpdate', write({ ...update, result: found }, 'Query')),
  replaceOne: write({ ...update, classify: { by: 'operators', data: '1', delta: [], upsert: '2.upsert' }, result: updateResult }, 'Query'),
  findOneAndReplace: write({ ...update, classify: { by: 'operators', data: '1', delta: [], upsert: '2.upsert' }, result: found }, 'Query'),
  ...alike(
    'deleteOne deleteMany',
    write({ writeKind: 'delete', where: '0', joins: '1.session', result: { fresh: { deletedCount: 1 }, duplicate: { deletedCount: 0 } } }, 'Query'),
  ),
  ...alike('findOneAndDelete findByIdAndDelete findOneAndRemove findByIdAndRemove', write({ writeKind: 'delete', where: '0', joins: '1.session', result: found }, 'Query')),
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
  bulkSave: write({ writeKind: 'absolute', data: '0', joins: '1.session' }),
  startSession: { call: { returns: 'mongodb#ClientSession' } },
  ...alike<Shape>('syncIndexes createIndexes init', { call: {} }),
};

/** `doc.n += 1` is sent as `$set` of a stale read, `doc.list.push(x)` as `$push`: both are relative to what was read. */
const document: Record<string, Shape> = {
  save: { call: { effect: { kind: 'write', table: 'receiver', classify: { by: 'entity', entity: 'this' }, data: 'this', identity: '_id', joins: '0.session' }, returns: 'this' } },
  updateOne: write({
    writeKind: 'absolute',
    data: '0',
    joins: '1.session',
    classify: { by: 'operators', data: '0', delta: deltaOperators, ignore: insertOnlyOperators },
  }),
  ...alike('deleteOne remove', write({ writeKind: 'delete', joins: '0.session' })),
  ...alike<Shape>('set populate $session markModified validate', { call: { returns: 'this' } }),
  ...alike<Shape>('toObject toJSON', { call: { returns: 'this' } }),
};

const connection: Shape = {
  members: {
    model: { call: { returns: 'Model' } },
    models: { anyMember: 'Model' },
    collection: { call: { returns: 'mongodb#Collection' } },
    db: 'mongodb#Db',
    startSession: { call: { returns: 'mongodb#ClientSession' } },
    transaction: { call: { transaction: { callback: '0', params: ['mongodb#ClientSession'] } } },
    ...alike<Shape>('asPromise close openUri', { call: { returns: 'this' } }),
  },
};

const root: Record<string, Shape | string> = {
  model: { call: { returns: 'Model' } },
  models: { anyMember: 'Model' },
  Model: 'Model',
  connection,
  connections: { element: connection },
  createConnection: { call: { returns: 'Connection' } },
  startSession: { call: { returns: 'mongodb#ClientSession' } },
  Types: { members: { ObjectId: 'bson#ObjectIdClass' } },
  ...alike<Shape>('connect disconnect set plugin', { call: {} }),
};

/** Mongoose 9.12. `Model<T>` names the class with its static methods, instances are documents. */
export default defineLibrary({
  name: 'mongoose',
  packages: ['mongoose'],
  exports: { ...root, default: { members: root }, mongoose: { members: root } },
  types: {
    /** In an annotation it is the class, so the class is its own instance here, with the methods of both. */
    Model: { construct: { returns: 'Model' }, members: { ...document, ...model }, extendable: true },
    Connection: connection,
    Mongoose: { members: root },
    ClientSession: session,
    'mongoose.ClientSession': session,
    Document: { members: document, extendable: true },
    HydratedDocument: { members: document },
    /** Awaited it is the document, or a list of them; until then methods narrow it. */
    Query: {
      element: 'Document',
      members: {
        ...document,
        ...alike<Shape>(
          'exec lean session select sort limit skip where equals in and or nor gt gte lt lte ne orFail hint collation read setOptions maxTimeMS cursor',
          { call: { returns: 'this' } },
        ),
      },
    },
  },
});
