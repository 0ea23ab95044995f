import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const write = (facts: Partial<EffectFacts>, returns?: Shape | string): Shape => ({
  call: { effect: { kind: 'write', table: 'receiver', ...facts }, returns },
});
const read = (options: string, returns?: Shape | string): Shape => ({
  call: {
    effect: { kind: 'read', table: 'receiver', where: `${options}.where`, joins: `${options}.transaction`, locks: `${options}.lock` },
    returns,
  },
});

/** `[instance, created]`; `created` tells the truth if the columns of `where` are unique. */
const findOrCreate: Shape = write(
  {
    writeKind: 'insert-or-ignore',
    where: '0.where',
    data: '0.defaults',
    joins: '0.transaction',
    result: { fresh: { '1': true }, duplicate: { '1': false } },
  },
  { members: { '0': 'Model' } },
);

const relative: Partial<EffectFacts> = { writeKind: 'delta', data: '0', where: '1.where', joins: '1.transaction' };

/** `upsert` and static `update` neither read nor raise a `version`; instances compare it. */
const statics: Record<string, Shape> = {
  findByPk: { call: { effect: { kind: 'read', table: 'receiver', where: '0', joins: '1.transaction', locks: '1.lock' }, returns: 'Model' } },
  findOne: read('0', 'Model'),
  findAll: read('0', { element: 'Model' }),
  findAndCountAll: read('0', { members: { rows: { element: 'Model' } } }),
  count: read('0'),
  ...alike('max min sum aggregate', read('1')),
  findOrCreate,
  findCreateFind: findOrCreate,
  ...alike<Shape>('build', { call: { returns: 'Model' } }),
  findOrBuild: read('0', { members: { '0': 'Model' } }),
  create: write({ writeKind: 'insert', data: '0', joins: '1.transaction' }, 'Model'),
  bulkCreate: write({
    writeKind: 'insert',
    data: '0',
    joins: '1.transaction',
    classify: { by: 'operators', data: '0', delta: [], skipDuplicates: '1.ignoreDuplicates', upsert: '1.updateOnDuplicate' },
  }),
  upsert: write({ writeKind: 'upsert', data: '0', where: '1.conflictFields', joins: '1.transaction' }),
  /** MySQL counts rows that changed, so 0 may also mean that the values were there already. */
  update: write({
    writeKind: 'absolute',
    data: '0',
    where: '1.where',
    joins: '1.transaction',
    classify: { by: 'operators', data: '0', delta: [], where: '1.where' },
    result: { fresh: { '0': 1 }, duplicate: { '0': 0 } },
  }),
  ...alike('increment decrement', write(relative)),
  destroy: write({ writeKind: 'delete', where: '0.where', joins: '0.transaction', result: { fresh: { '': 1 }, duplicate: { '': 0 } } }),
  restore: write({ writeKind: 'absolute', where: '0.where', joins: '0.transaction' }),
  truncate: write({ writeKind: 'delete', joins: '0.transaction' }),
  ...alike<Shape>('scope unscoped schema', { call: { returns: 'this' } }),
  ...alike<Shape>('init sync hasMany hasOne belongsTo belongsToMany addHook addScope beforeCreate afterCreate', { call: {} }),
};

const modelClass: Shape = { construct: { returns: 'Model' }, members: statics };

const instance: Record<string, Shape> = {
  save: write({ classify: { by: 'entity', entity: 'this' }, data: 'this', joins: '0.transaction' }, 'this'),
  update: write({ writeKind: 'absolute', data: '0', joins: '1.transaction', classify: { by: 'operators', data: '0', delta: [] } }, 'this'),
  ...alike('increment decrement', write({ writeKind: 'delta', data: '0', joins: '1.transaction' }, 'this')),
  destroy: write({ writeKind: 'delete', joins: '0.transaction' }),
  restore: write({ writeKind: 'absolute', joins: '0.transaction' }),
  reload: { call: { effect: { kind: 'read', table: 'receiver', joins: '0.transaction', locks: '0.lock' }, returns: 'this' } },
  ...alike<Shape>('set setDataValue changed get toJSON getDataValue', { call: { returns: 'this' } }),
};

const client: Shape = {
  extendable: true,
  members: {
    define: { call: { returns: 'DefinedModel' } },
    model: { call: { returns: 'DefinedModel' } },
    models: { anyMember: 'DefinedModel' },
    transaction: { call: { transaction: { callback: 'last', params: ['Transaction'], begins: 'result' }, returns: 'Transaction' } },
    query: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1.replacements' }, joins: '1.transaction' } } },
    ...alike<Shape>('literal fn col where cast', { call: { derives: true } }),
    ...alike<Shape>('authenticate sync close addModels', { call: {} }),
  },
};

/** Sequelize 6.37 and sequelize-typescript 2.1. A call without `{ transaction }` runs outside, unless CLS is set up. */
export default defineLibrary({
  name: 'sequelize',
  packages: ['sequelize', 'sequelize-typescript', '@sequelize/core'],
  exports: {
    Sequelize: { construct: { returns: 'Sequelize' }, members: alike<Shape>('literal fn col where cast useCLS', { call: { derives: true } }) },
    default: { construct: { returns: 'Sequelize' } },
    Model: modelClass,
    ...alike<Shape>('literal fn col where cast', { call: { derives: true } }),
  },
  types: {
    Sequelize: client,
    Model: { extendable: true, members: instance },
    /** A class made by `define`, which can be constructed; the annotations below name one. */
    DefinedModel: modelClass,
    ...alike<Shape>('ModelStatic ModelCtor ModelDefined', { members: statics }),
    Transaction: {
      connection: true,
      members: {
        commit: { call: { transaction: { ends: 'commit' } } },
        rollback: { call: { transaction: { ends: 'rollback' } } },
        /** After the commit, and lost if the process ends in between. */
        afterCommit: { call: { runs: [{ function: '0', times: 'once', promise: 'detached' }] } },
      },
    },
  },
});
