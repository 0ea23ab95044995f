import { defineLibrary, type BuilderMethod, type Shape } from '../schema.js';
import { alike } from './alike.js';
import { queryMethods } from './knex.js';

const open: Shape = { call: { returns: 'QueryBuilder' } };
const transaction: Shape = { call: { transaction: { callback: 'last', params: ['knex#Transaction'] } } };

const modelClass: Shape = {
  construct: { returns: 'Model' },
  members: {
    query: open,
    relatedQuery: open,
    transaction,
    startTransaction: { call: { transaction: { begins: 'result' }, returns: 'knex#Transaction' } },
    knex: { call: { returns: 'knex#Knex' } },
    ...alike<Shape>('bindKnex bindTransaction', { call: { returns: 'this' } }),
    fromJson: { call: { returns: '0' } },
    raw: { call: { derives: true } },
  },
};

/** Objection 3.1 on knex. `upsertGraph` reads the stored graph, then inserts, updates and deletes what is missing: not atomic. */
export default defineLibrary({
  name: 'objection',
  packages: ['objection'],
  exports: {
    Model: modelClass,
    transaction,
    raw: { call: { derives: true } },
    ref: { call: { derives: true } },
  },
  types: {
    Model: {
      extendable: true,
      members: { $query: open, $relatedQuery: open, $set: { call: { returns: 'this' } }, $toJson: { call: {} }, $fetchGraph: open },
    },
    ModelClass: { members: modelClass.members },
    QueryBuilder: {
      builder: {
        table: 'receiver',
        methods: {
          ...queryMethods,
          query: { joins: '0' },
          $query: { joins: '0' },
          relatedQuery: { joins: '1' },
          $relatedQuery: { joins: '1' },
          ...alike<BuilderMethod>('insertAndFetch insertGraph insertGraphAndFetch', { kind: 'insert', data: '0' }),
          ...alike<BuilderMethod>('patch patchAndFetch updateAndFetch', { kind: 'absolute', data: '0' }),
          ...alike<BuilderMethod>('patchAndFetchById updateAndFetchById', { kind: 'absolute', where: ['0'], data: '1' }),
          ...alike<BuilderMethod>('upsertGraph upsertGraphAndFetch', { kind: 'upsert', data: '0' }),
          ...alike<BuilderMethod>('findById findByIds findOne', { where: ['0', '1'] }),
          deleteById: { kind: 'delete', where: ['0'] },
          relate: { kind: 'insert', data: '0' },
          unrelate: { kind: 'delete' },
          ...alike<BuilderMethod>('then catch finally', { ends: true }),
        },
        result: { fresh: { '': 1, length: 1 }, duplicate: { '': 0, length: 0 } },
      },
    },
  },
});
