/** Recording in a transaction that somebody else opened and will commit. */
import { NotInTransactionError, RolledBackError, hasCode } from './errors.js';
import { executor, type Executor, type Queryable } from './executor.js';
import type { Checked } from './message.js';
import type { Settings } from './options.js';
import { autocommit } from './pool.js';
import { check, explainRecordError, keyIs, lookupSql, recordSql, unrecorded, type Gate, type Lookup } from './record.js';
import { jitter, pause } from './time.js';
import { insideTransaction } from './transaction.js';

export type RecordOutcome<R = undefined> =
  /** The record is written and the work, if given, was run. Acknowledge once your transaction has committed. */
  | { status: 'recorded'; result: R }
  | { status: 'duplicate'; processedAt: Date }
  | { status: 'in-flight' }
  | { status: 'stale' }
  | { status: 'expired' }
  | { status: 'payload-conflict'; processedAt: Date }
  | { status: 'parked'; attempts: number };

/** Transactions in which something was recorded, for the fence: what was recorded, and by which transaction. */
const recordedIn = new WeakMap<object, { xid: string; messages: Checked[] }>();

export async function recordIn<In, R>(
  settings: Settings<In>,
  tx: Executor | Queryable,
  input: In,
  work?: () => Promise<R>,
  options: { gate?: Gate } = {},
): Promise<RecordOutcome<R>> {
  const checked = check(settings, settings.message(input));
  const execute = executor(tx);
  const policy = settings.inFlight;
  const deadline = Date.now() + (policy.policy === 'defer' ? 0 : policy.max);
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const row = await record(settings, execute, checked, options.gate);
    if (row) {
      if (row.fresh !== true) return undo(settings, execute, checked);
      remember(tx, String(row.xid), checked);
      const result = work ? await insideTransaction.run(true, work) : (undefined as R);
      if (work) await fence(settings, tx);
      return { status: 'recorded', result };
    }
    const [found] = await execute(lookupSql(settings, checked));
    const outcome = unrecorded(checked, found as unknown as Lookup | undefined);
    const left = deadline - Date.now();
    if (outcome.status !== 'in-flight' || left <= 0) return outcome;
    await pause(Math.min(jitter(wait), left));
  }
}

function remember(tx: object, xid: string, checked: Checked): void {
  const earlier = recordedIn.get(tx);
  const messages = earlier?.xid === xid ? [...earlier.messages, checked] : [checked];
  recordedIn.set(tx, { xid, messages });
}

async function record<In>(
  settings: Settings<In>,
  execute: Executor,
  checked: Checked,
  gate: Gate | undefined,
): Promise<{ fresh?: unknown; xid?: unknown } | undefined> {
  try {
    return (await execute(recordSql(settings, checked, gate)))[0];
  } catch (error) {
    throw explainRecordError(settings, error);
  }
}

/** The gate said stale: the caller's transaction may commit, so the record must not stay. */
async function undo<In>(settings: Settings<In>, execute: Executor, checked: Checked): Promise<{ status: 'stale' }> {
  await execute(`DELETE FROM ${settings.names.processed} WHERE ${keyIs(settings, checked)}`);
  return { status: 'stale' };
}

/**
 * The last statement before the caller's COMMIT. It fails if an earlier statement failed and the error was swallowed
 * (PostgreSQL would answer COMMIT with ROLLBACK, which most libraries report as success), and if the record is not
 * part of this very transaction.
 */
export async function fence<In>(settings: Settings<In>, tx: Executor | Queryable): Promise<void> {
  const recorded = recordedIn.get(tx);
  if (!recorded) {
    throw new NotInTransactionError('inbox.fence() got a transaction in which nothing was recorded. Pass the same object as to inbox.record().');
  }
  const { messages, xid } = recorded;
  const keys = messages.map((checked) => `(${keyIs(settings, checked)})`).join(' OR ');
  const execute = executor(tx);
  let rows: readonly Record<string, unknown>[];
  try {
    rows = await execute(
      `SELECT CAST(txid_current_if_assigned() AS text) AS xid, (SELECT count(*) FROM ${settings.names.processed} WHERE ${keys}) = ${messages.length} AS recorded`,
    );
  } catch (error) {
    if (!hasCode(error, '25P02') && !/25P02|current transaction is aborted/.test(String(error))) throw error;
    throw new RolledBackError(
      'A statement in the transaction had failed and its error was swallowed, so PostgreSQL would roll back and many libraries would call that a success. Let this error pass, so that your transaction rolls back; then rethrow the swallowed one in your code.',
      { cause: error },
    );
  }
  const [row] = rows;
  if (row?.xid === xid && row.recorded === true) return;
  if (row?.xid === xid) {
    throw new RolledBackError(
      'The record was rolled back to a savepoint, but the transaction goes on. Record the message outside of nested transactions, as the first statement.',
    );
  }
  await autocommit(settings.pool, `DELETE FROM ${settings.names.processed} WHERE ${keys}`);
  throw new NotInTransactionError(
    'The record was not written in the transaction that is about to commit: the executor runs outside of a transaction, or on another connection. The record was removed again. Pass the transaction object of your library, not the pool or the outer client.',
  );
}
