import { defineLibrary, type Shape } from '../schema.js';
import { query } from './pg.js';

const nothing: Shape = { call: {} };
const derived: Shape = { call: { derives: true } };
/** An executor stands for the transaction that it was made from. */
const executor: Shape = { call: { returns: '0' } };

/**
 * @idempotent-consumers/inbox 0.1 (runtime/src/inbox.ts). `process` runs its function in a transaction of its own, `record` in
 * one of the caller's, and both only if the message is new.
 */
export default defineLibrary({
  name: '@idempotent-consumers/inbox',
  packages: ['@idempotent-consumers/inbox'],
  sealed: true,
  exports: {
    createInbox: { call: { returns: 'Inbox' } },
    Inbox: { construct: { returns: 'Inbox' } },
    settlement: derived,
    days: derived,
    fromPg: executor,
    fromPostgresJs: executor,
    fromKnex: executor,
    fromKysely: executor,
    fromDrizzle: executor,
    fromTypeOrm: executor,
    fromMikroOrm: executor,
    fromPrisma: executor,
    poolOfKnex: nothing,
    poolOfTypeOrm: nothing,
    fromSequelize: { call: { returns: '1' } },
  },
  types: {
    Inbox: {
      members: {
        process: { call: { inbox: { message: '0', work: '1', params: ['Transaction', {}] } } },
        record: { call: { inbox: { transaction: '0', message: '1', work: '2' } } },
        fence: nothing,
        migrate: nothing,
        check: nothing,
        prune: nothing,
        maintain: nothing,
        keepTidy: nothing,
      },
    },
    Transaction: {
      connection: true,
      members: {
        query,
        // A row of the same transaction, under an id that comes from the message.
        enqueue: nothing,
        savepoint: { call: { runs: [{ function: '0', times: 'once', promise: 'awaited', params: ['Transaction'], returns: true }] } },
      },
    },
  },
});
