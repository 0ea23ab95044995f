import { defineLibrary } from '../schema.js';

/**
 * @aws-lambda-powertools/idempotency 2.35: the function runs once for a key (`eventKeyJmesPath`, or the whole payload) until the
 * record expires; a crash in between leaves it "in progress" until `inProgressExpiry`, and then it runs again.
 */
export default defineLibrary({
  name: '@aws-lambda-powertools/idempotency',
  packages: ['@aws-lambda-powertools/idempotency', '@aws-lambda-powertools/idempotency/*'],
  exports: {
    makeIdempotent: { call: { returns: '0' } },
    makeHandlerIdempotent: { call: {} },
    idempotent: { call: {} },
    IdempotencyConfig: { construct: {} },
    DynamoDBPersistenceLayer: { construct: {} },
    CachePersistenceLayer: { construct: {} },
  },
});
