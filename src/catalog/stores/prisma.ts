import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const delta = ['increment', 'decrement', 'multiply', 'divide', 'push'];
const count: EffectFacts['result'] = { fresh: { count: 1 }, duplicate: { count: 0 } };

const read: Shape = { call: { effect: { kind: 'read', table: 'member', where: '0.where' } } };

const write = (facts: Partial<EffectFacts>): Shape => ({ call: { effect: { kind: 'write', table: 'member', ...facts } } });

/**
 * `prisma.<model>`. `update` and `delete` reject with P2025 where nothing matches, the `…Many` forms count. `upsert` is one
 * statement on PostgreSQL, CockroachDB and SQLite only, and only if `update` is not empty; else SELECT and then INSERT or UPDATE.
 */
const delegate: Shape = {
  members: {
    ...alike('findUnique findUniqueOrThrow findFirst findFirstOrThrow findMany count aggregate groupBy findRaw aggregateRaw', read),
    create: write({ writeKind: 'insert', data: '0.data' }),
    createMany: write({
      writeKind: 'insert',
      data: '0.data',
      classify: { by: 'operators', data: '0.data', delta: [], skipDuplicates: '0.skipDuplicates' },
      result: count,
    }),
    createManyAndReturn: write({
      writeKind: 'insert',
      data: '0.data',
      classify: { by: 'operators', data: '0.data', delta: [], skipDuplicates: '0.skipDuplicates' },
      result: { fresh: { length: 1 }, duplicate: { length: 0 } },
    }),
    update: write({
      writeKind: 'absolute',
      data: '0.data',
      where: '0.where',
      classify: { by: 'operators', data: '0.data', delta, where: '0.where' },
    }),
    updateMany: write({
      writeKind: 'absolute',
      data: '0.data',
      where: '0.where',
      classify: { by: 'operators', data: '0.data', delta, where: '0.where' },
      result: count,
    }),
    updateManyAndReturn: write({
      writeKind: 'absolute',
      data: '0.data',
      where: '0.where',
      classify: { by: 'operators', data: '0.data', delta, where: '0.where' },
      result: { fresh: { length: 1 }, duplicate: { length: 0 } },
    }),
    upsert: write({
      writeKind: 'upsert',
      data: '0.create',
      where: '0.where',
      classify: { by: 'operators', data: '0.update', delta, where: '0.where' },
    }),
    delete: write({ writeKind: 'delete', where: '0.where' }),
    deleteMany: write({ writeKind: 'delete', where: '0.where', result: count }),
  },
};

const template: Shape = {
  call: { effect: { kind: 'write', classify: { by: 'sql-template' }, result: { fresh: { '': 1, length: 1 }, duplicate: { '': 0, length: 0 } } } },
};
const text: Shape = {
  call: { effect: { kind: 'write', classify: { by: 'sql', text: '0', values: '1' }, result: { fresh: { '': 1, length: 1 }, duplicate: { '': 0, length: 0 } } } },
};

const members: Record<string, Shape> = {
  ...alike('$executeRaw $queryRaw', template),
  ...alike('$executeRawUnsafe $queryRawUnsafe', text),
  $queryRawTyped: { call: { effect: { kind: 'read' } } },
  $runCommandRaw: { call: { effect: { kind: 'write' } } },
  /** A callback, or an array of calls that are one transaction and run in order. */
  $transaction: { call: { transaction: { callback: '0', params: ['TransactionClient'] } } },
  $extends: { call: { returns: 'this' } },
  $on: { call: { returns: 'this' } },
  $use: { call: {} },
  $connect: { call: {} },
  $disconnect: { call: {} },
};

const client: Shape = { extendable: true, members, anyMember: 'Delegate' };
const transactionClient: Shape = { connection: true, members, anyMember: 'Delegate' };

/**
 * Prisma 7.10 (`prisma-client` writes the client to a folder of the project's own), and 6 and older, where the class comes from
 * `@prisma/client`. Calls are lazy: one that nobody awaits or puts into `$transaction` never runs.
 */
export default defineLibrary({
  name: '@prisma/client',
  packages: ['@prisma/client', '@prisma/client/*', '.prisma/client', '.prisma/client/*'],
  generated: { paths: /(^|[/@~])(generated|prisma)(\/|$)|(^|\/)prisma-client(\/|$)/i, text: /getPrismaClientClass|@prisma\/client\/runtime/ },
  exports: {
    PrismaClient: { construct: { returns: 'PrismaClient' } },
    Prisma: {
      members: {
        sql: { call: { derives: true } },
        raw: { call: { derives: true } },
        join: { call: { derives: true } },
        defineExtension: { call: { returns: '0' } },
      },
    },
  },
  types: {
    PrismaClient: client,
    TransactionClient: transactionClient,
    'Prisma.TransactionClient': transactionClient,
    Delegate: delegate,
  },
});
