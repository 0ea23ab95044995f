import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** What entity managers and repositories share; a manager takes the entity class before everything else. */
function operations(manager: boolean): Record<string, Shape> {
  const [first, second, table] = manager ? (['1', '2', '0'] as const) : (['0', '1', 'receiver'] as const);
  const write = (facts: Partial<EffectFacts>): Shape => ({ call: { effect: { kind: 'write', table, ...facts } } });
  const read: Shape = { call: { effect: { kind: 'read', table, where: first, locks: `${second}.lockMode` } } };
  return {
    ...alike('find findOne findOneOrFail findAll findAndCount findByCursor count countBy stream', read),
    create: { call: { returns: first } },
    assign: { call: { returns: '0' } },
    insert: write({ writeKind: 'insert', data: first }),
    insertMany: write({ writeKind: 'insert', data: first }),
    /** Gives the entity in every branch: nothing tells an insert from a conflict. */
    ...alike(
      'upsert upsertMany',
      write({ writeKind: 'upsert', data: first, where: `${second}.onConflictFields`, classify: { by: 'operators', data: first, delta: [] } }),
    ),
    nativeUpdate: write({
      writeKind: 'absolute',
      where: first,
      data: second,
      classify: { by: 'operators', data: second, delta: [], where: first },
      result: { fresh: { '': 1 }, duplicate: { '': 0 } },
    }),
    nativeDelete: write({ writeKind: 'delete', where: first, result: { fresh: { '': 1 }, duplicate: { '': 0 } } }),
    ...alike<Shape>('getReference map merge', { call: {} }),
    ...alike<Shape>('createQueryBuilder qb', { call: { returns: 'knex#QueryBuilder' } }),
  };
}

const manager: Record<string, Shape | string> = {
  ...operations(true),
  /** Written at the next flush. */
  persist: { call: { returns: 'this' } },
  remove: { call: { returns: 'this' } },
  persistAndFlush: { call: { effect: { kind: 'write', classify: { by: 'entity', entity: '0' }, data: '0' } } },
  removeAndFlush: { call: { effect: { kind: 'write', writeKind: 'delete', data: '0' } } },
  /** Writes everything that was persisted, removed or changed since the last one, in one transaction. */
  flush: { call: { effect: { kind: 'write' } } },
  refresh: { call: { effect: { kind: 'read' }, returns: '0' } },
  lock: { call: { effect: { kind: 'read', locking: true } } },
  execute: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1' } } } },
  fork: { call: { returns: 'EntityManager' } },
  ...alike<Shape>('getRepository repo', { call: { returns: 'EntityRepository' } }),
  transactional: { call: { transaction: { callback: '0', params: ['TransactionalEntityManager'] } } },
  begin: { call: { transaction: { begins: 'receiver' } } },
  commit: { call: { transaction: { ends: 'commit' } } },
  rollback: { call: { transaction: { ends: 'rollback' } } },
  clear: { call: {} },
};

const entityManager: Shape = { members: manager, extendable: true };

/**
 * MikroORM 7.2 (persistAndFlush: 6). `entity.n += 1` is flushed as an absolute value of a stale read; with a version property the
 * flush compares it and throws. A fork taken outside writes outside of the transaction.
 */
export default defineLibrary({
  name: '@mikro-orm/core',
  packages: ['@mikro-orm/core', '@mikro-orm/postgresql', '@mikro-orm/mysql', '@mikro-orm/mariadb', '@mikro-orm/sqlite', '@mikro-orm/mongodb', '@mikro-orm/knex', '@mikro-orm/sql'],
  exports: {
    MikroORM: { members: { init: { call: { returns: 'MikroORM' } }, initSync: { call: { returns: 'MikroORM' } } }, construct: { returns: 'MikroORM' } },
    RequestContext: { members: { create: { call: { runs: [{ function: '1', times: 'once', promise: 'awaited', returns: true }] } } } },
    EntityRepository: { construct: { returns: 'EntityRepository' } },
    ...alike<Shape>('raw sql ref wrap', { call: { derives: true } }),
  },
  types: {
    MikroORM: { members: { em: 'EntityManager', close: { call: {} }, connect: { call: {} } } },
    EntityManager: entityManager,
    SqlEntityManager: entityManager,
    TransactionalEntityManager: { ...entityManager, connection: true },
    EntityRepository: { extendable: true, members: { ...operations(false), getEntityManager: { call: { returns: 'EntityManager' } }, em: 'EntityManager' } },
  },
});
