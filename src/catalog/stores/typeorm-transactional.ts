import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** After the outcome, and lost if the process ends in between. */
const afterwards: Shape = { call: { runs: [{ function: '0', times: 'once', promise: 'detached' }] } };

/**
 * typeorm-transactional 0.5: repositories inside join through the async context, `dataSource.transaction` inside does not.
 * `@Transactional()` opens the transaction around the method that it decorates.
 */
export default defineLibrary({
  name: 'typeorm-transactional',
  packages: ['typeorm-transactional', 'typeorm-transactional-cls-hooked'],
  exports: {
    Transactional: { call: { transaction: {} } },
    runInTransaction: { call: { transaction: { callback: '0' } } },
    /** Gives a function; the transaction is open while that runs. */
    wrapInTransaction: { call: { transaction: { callback: '0' } } },
    ...alike('runOnTransactionCommit runOnTransactionRollback runOnTransactionComplete', afterwards),
    initializeTransactionalContext: { call: {} },
    addTransactionalDataSource: { call: { returns: '0' } },
  },
});
