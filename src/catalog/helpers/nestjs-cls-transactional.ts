import { defineLibrary } from '../schema.js';

/**
 * @nestjs-cls/transactional 3.3: `host.tx` is the open transaction, or the plain client outside of one.
 * `@Transactional()` opens it around the method that it decorates.
 */
export default defineLibrary({
  name: '@nestjs-cls/transactional',
  packages: ['@nestjs-cls/transactional'],
  exports: {
    Transactional: { call: { transaction: {} } },
    TransactionHost: { members: { getInstance: { call: { returns: 'TransactionHost' } } } },
    InjectTransaction: { call: {} },
  },
  types: {
    TransactionHost: {
      members: {
        withTransaction: { call: { transaction: { callback: 'last' } } },
        withoutTransaction: { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', returns: true }] } },
        isTransactionActive: { call: {} },
      },
    },
  },
});
