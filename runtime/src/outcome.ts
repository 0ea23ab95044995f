/** How the handling of one delivery ended. */
import type { RecordOutcome } from './join.js';

export type Outcome<R = unknown> =
  /** The handler ran and the server confirmed the commit. */
  | {
      status: 'processed';
      result: R;
      /** `looked-up`: the connection broke at COMMIT, and the record was then found on a new one. */
      commit: 'confirmed' | 'looked-up';
    }
  /** The message was processed by an earlier delivery. The handler did not run. */
  | { status: 'duplicate'; processedAt: Date }
  /** Another delivery of the message is being handled, and nobody knows yet how it ends. */
  | { status: 'in-flight' }
  /** A version as new or newer of the entity has passed the gate. Nothing changed. */
  | { status: 'stale' }
  /** The message is older than the retention: whether it was processed is no longer known. Nothing changed. */
  | { status: 'expired' }
  /** A message with this id but another payload was processed. Nothing changed. */
  | { status: 'payload-conflict'; processedAt: Date }
  /** The message failed too often and is set aside; `error` is given by the attempt that parked it. */
  | { status: 'parked'; attempts: number; error?: unknown };

/** How one message of a batch ended. */
export type BatchOutcome<R = unknown> = Outcome<R> | { status: 'failed'; error: unknown };

/**
 * What to tell the broker: `ack`; `retry` (a nack with a delay); `dead-letter` (nobody will process it, somebody
 * should look at it). A parked message is an `ack`, since the inbox holds it; a recorded one is, once your transaction has
 * committed.
 */
export function settlement(outcome: BatchOutcome | RecordOutcome<unknown>): 'ack' | 'retry' | 'dead-letter' {
  switch (outcome.status) {
    case 'processed':
    case 'recorded':
    case 'duplicate':
    case 'stale':
    case 'parked':
      return 'ack';
    case 'in-flight':
    case 'failed':
      return 'retry';
    case 'expired':
    case 'payload-conflict':
      return 'dead-letter';
  }
}
