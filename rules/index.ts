import ackAfterCommit from './ack-after-commit.js';
import atomicInbox from './atomic-inbox.js';
import inboxRetention from './inbox-retention.js';
import noAckOnFailure from './no-ack-on-failure.js';
import noBrokerExactlyOnceReliance from './no-broker-exactly-once-reliance.js';
import noDeliveryIdDedupe from './no-delivery-id-dedupe.js';
import noDeltaWrite from './no-delta-write.js';
import noExternalEffectInTransaction from './no-external-effect-in-transaction.js';
import noPoisonLoop from './no-poison-loop.js';
import noUnkeyedInsert from './no-unkeyed-insert.js';
import pureProjection from './pure-projection.js';
import requireIdempotencyKey from './require-idempotency-key.js';
import requireSequenceGate from './require-sequence-gate.js';
import settleOnce from './settle-once.js';
import singleExternalEffect from './single-external-effect.js';
import type { Rule } from './define.js';

/** All rules; presets are filters on this list. */
export const rules: readonly Rule[] = [
  ackAfterCommit,
  atomicInbox,
  inboxRetention,
  noAckOnFailure,
  noBrokerExactlyOnceReliance,
  noDeliveryIdDedupe,
  noDeltaWrite,
  noExternalEffectInTransaction,
  noPoisonLoop,
  noUnkeyedInsert,
  pureProjection,
  requireIdempotencyKey,
  requireSequenceGate,
  settleOnce,
  singleExternalEffect,
];
