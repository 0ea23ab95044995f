import { defineLibrary, type BuilderMethod, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const affected: EffectFacts['result'] = { fresh: { affected: 1 }, duplicate: { affected: 0 } };

const sql: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1' },
      result: { fresh: { length: 1 }, duplicate: { length: 0 } },
    },
  },
};

/**
 * What repositories, entity managers and active records share; a manager takes the entity class before everything else.
 * `save` sends INSERT for an entity without key, else SELECT and then INSERT or an UPDATE of what differs, never ON CONFLICT;
 * no statement compares `@VersionColumn`. `create`, `merge` and `preload` write nothing.
 */
function operations(manager: boolean, found?: 'BaseEntity'): Record<string, Shape> {
  const [first, second, table] = manager ? (['1', '2', '0'] as const) : (['0', '1', 'receiver'] as const);
  const entity = manager ? 'last' : '0';
  const write = (facts: Partial<EffectFacts>): Shape => ({ call: { effect: { kind: 'write', table, ...facts } } });
  const read = (where: string, returns?: Shape | string): Shape => ({
    call: { effect: { kind: 'read', table, where, locks: `${first}.lock` }, returns },
  });
  return {
    ...alike('findOne findOneOrFail', read(`${first}.where`, found)),
    ...alike('findOneBy findOneByOrFail findOneById', read(first, found)),
    find: read(`${first}.where`, found && { element: found }),
    ...alike('findBy findByIds', read(first, found && { element: found })),
    ...alike('findAndCount count exist exists', read(`${first}.where`)),
    ...alike('findAndCountBy countBy existsBy', read(first)),
    ...alike('sum average minimum maximum', read(second)),
    preload: { call: { effect: { kind: 'read', table }, returns: first } },
    create: { call: { returns: found ?? first } },
    merge: { call: { returns: first } },
    save: write({ classify: { by: 'entity', entity }, data: entity }),
    insert: write({ writeKind: 'insert', data: first }),
    upsert: write({ writeKind: 'upsert', data: first, where: second }),
    update: write({
      writeKind: 'absolute',
      where: first,
      data: second,
      classify: { by: 'operators', data: second, delta: [], where: first },
      result: affected,
    }),
    updateAll: write({ writeKind: 'absolute', data: first, classify: { by: 'operators', data: first, delta: [] }, result: affected }),
    ...alike('increment decrement', write({ writeKind: 'delta', where: first, data: second, result: affected })),
    delete: write({ writeKind: 'delete', where: first, result: affected }),
    remove: write({ writeKind: 'delete', data: entity }),
    ...alike('deleteAll clear', write({ writeKind: 'delete' })),
    ...alike('softDelete restore', write({ writeKind: 'absolute', where: first, result: affected })),
    ...alike('softRemove recover', write({ writeKind: 'absolute', data: entity })),
    createQueryBuilder: { call: { returns: 'SelectQueryBuilder' } },
    query: sql,
  };
}

const condition: BuilderMethod = { where: ['0', '1'] };

/** `orIgnore` fills `identifiers` as if it had inserted: only `.returning()` and `raw`, or MySQL's `raw.affectedRows`, tell. */
const builder: Shape = {
  builder: {
    table: 'receiver',
    methods: {
      ...alike<BuilderMethod>('getOne getOneOrFail getMany getManyAndCount getRawOne getRawMany getCount getExists', { kind: 'read' }),
      ...alike<BuilderMethod>('where andWhere orWhere setParameters', condition),
      ...alike<BuilderMethod>('into from', { table: '0' }),
      insert: { kind: 'insert' },
      values: { data: '0' },
      orIgnore: { kind: 'insert-or-ignore' },
      orUpdate: { kind: 'upsert', where: ['1'] },
      update: { kind: 'absolute', table: '0', data: 'last' },
      set: { data: '0' },
      delete: { kind: 'delete' },
      softDelete: { kind: 'absolute' },
      restore: { kind: 'absolute' },
      returning: { returning: true },
      setLock: { locking: true },
    },
    result: { fresh: { affected: 1, 'raw.length': 1, 'raw.affectedRows': 1 }, duplicate: { affected: 0, 'raw.length': 0, 'raw.affectedRows': 0 } },
    runsWith: 'execute getOne getOneOrFail getMany getManyAndCount getRawOne getRawMany getRawAndEntities getCount getExists stream'.split(' '),
  },
};

const repository: Shape = { extendable: true, members: { ...operations(false), extend: { call: { returns: 'this' } }, manager: 'EntityManager' } };
const repositoryOf: Shape = { call: { returns: 'Repository' } };
const transaction: Shape = { call: { transaction: { callback: 'last', params: ['TransactionalEntityManager'] } } };

const manager: Shape = {
  extendable: true,
  members: {
    ...operations(true),
    ...alike('getRepository getTreeRepository getCustomRepository withRepository', repositoryOf),
    getMongoRepository: repositoryOf,
    transaction,
    connection: 'DataSource',
    queryRunner: 'QueryRunner',
  },
};

const dataSource: Shape = {
  extendable: true,
  members: {
    manager: 'EntityManager',
    ...alike('getRepository getTreeRepository getMongoRepository getCustomRepository', repositoryOf),
    createQueryBuilder: { call: { returns: 'SelectQueryBuilder' } },
    createQueryRunner: { call: { returns: 'QueryRunner' } },
    createEntityManager: { call: { returns: 'EntityManager' } },
    transaction,
    query: sql,
    ...alike('initialize destroy connect close', { call: { returns: 'this' } }),
  },
};

const runner: Shape = {
  connection: true,
  members: {
    manager: 'TransactionalEntityManager',
    startTransaction: { call: { transaction: { begins: 'receiver' } } },
    commitTransaction: { call: { transaction: { ends: 'commit' } } },
    rollbackTransaction: { call: { transaction: { ends: 'rollback' } } },
    ...alike('connect release', { call: {} }),
    query: sql,
  },
};

/** TypeORM 1.1, with the globals of 0.2. An update value may be a function that gives SQL: `{ n: () => 'n + 1' }`. */
export default defineLibrary({
  name: 'typeorm',
  packages: ['typeorm'],
  exports: {
    DataSource: { construct: { returns: 'DataSource' } },
    Connection: { construct: { returns: 'DataSource' } },
    createConnection: { call: { returns: 'DataSource' } },
    getConnection: { call: { returns: 'DataSource' } },
    getManager: { call: { returns: 'EntityManager' } },
    getRepository: repositoryOf,
    getCustomRepository: repositoryOf,
    Repository: { construct: { returns: 'Repository' } },
    BaseEntity: { construct: { returns: 'BaseEntity' }, members: { ...operations(false, 'BaseEntity'), getRepository: repositoryOf } },
    /** `In([…])` and its kin are conditions. */
    ...alike<Shape>('In Not LessThan LessThanOrEqual MoreThan MoreThanOrEqual Equal IsNull Between Like ILike Any Raw', { call: { derives: true } }),
  },
  types: {
    Repository: repository,
    TreeRepository: repository,
    MongoRepository: repository,
    EntityManager: manager,
    TransactionalEntityManager: { ...manager, connection: true },
    DataSource: dataSource,
    Connection: dataSource,
    QueryRunner: runner,
    SelectQueryBuilder: builder,
    InsertQueryBuilder: builder,
    UpdateQueryBuilder: builder,
    DeleteQueryBuilder: builder,
    BaseEntity: {
      extendable: true,
      members: {
        save: { call: { effect: { kind: 'write', table: 'receiver', classify: { by: 'entity', entity: 'this' }, data: 'this' }, returns: 'this' } },
        remove: { call: { effect: { kind: 'write', writeKind: 'delete', table: 'receiver' } } },
        softRemove: { call: { effect: { kind: 'write', writeKind: 'absolute', table: 'receiver' } } },
        recover: { call: { effect: { kind: 'write', writeKind: 'absolute', table: 'receiver' } } },
        reload: { call: { effect: { kind: 'read', table: 'receiver' } } },
      },
    },
  },
});
