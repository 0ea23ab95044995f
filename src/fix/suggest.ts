import type { Finding, Suggestion } from '../model/finding.js';
import { ackOutOfFinally, ackOutOfFinallyOf } from './ack-out-of-finally.js';
import { waitFor } from './await.js';
import type { FixContext } from './context.js';
import { forOf } from './for-of.js';
import { idempotencyKey } from './idempotency-key.js';
import { insertBy } from './insert-by.js';
import { manualAck } from './manual-ack.js';
import { moveAck } from './move-ack.js';
import { noRequeue } from './no-requeue.js';
import { failTogether } from './promise-all.js';
import { outOfTransaction } from './out-of-transaction.js';
import { refuse } from './refuse.js';
import { rethrow } from './rethrow.js';
import { sequenceGate } from './sequence-gate.js';
import { returnAfter, settlePath } from './settle-path.js';
import { stableId } from './stable-id.js';

/** The edits that would make a finding go away; none where no edit is safe without a person's judgement. */
export function suggestionsFor(finding: Finding, context: FixContext): Suggestion[] {
  // An edit belongs to the file that the finding stands in: an editor changes no other.
  return suggest(finding, context).filter((s) => s.edits.length > 0 && s.edits.every((e) => e.file === finding.place.file));
}

function suggest({ fix }: Finding, context: FixContext): Suggestion[] {
  switch (fix?.kind) {
    case undefined:
      return [];
    case 'await':
      return waitFor(fix, context);
    case 'for-of':
      return forOf(fix, context);
    case 'move-ack':
      return moveAck(fix, context);
    case 'manual-ack':
      return manualAck(fix, context);
    case 'rethrow':
      return [...rethrow(fix, context), ...refuse(fix, context), ...failTogether(fix, context), ...ackOutOfFinallyOf(fix, context)];
    case 'ack-out-of-finally':
      return ackOutOfFinally(fix, context);
    case 'out-of-transaction':
      return outOfTransaction(fix, context);
    case 'settle':
      return settlePath(fix, context);
    case 'no-requeue':
      return noRequeue(fix, context);
    case 'return-after':
      return returnAfter(fix, context);
    case 'insert-by':
      return insertBy(fix, context);
    case 'idempotency-key':
      return idempotencyKey(fix, context);
    case 'sequence-gate':
      return sequenceGate(fix, context);
    case 'stable-id':
      return stableId(fix, context);
  }
}
