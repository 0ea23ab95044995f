/** Commit truth: success is what the server said, or what a new connection read; never what a promise resolved to. */
import { ConnectionLostError, RolledBackError, TransactionControlError, UnknownCommitError, isDefinite, isRetryable } from './errors.js';
import type { Checked } from './message.js';
import type { Settings } from './options.js';
import { autocommit, simpleQuery, type Pool, type PoolClient, type QueryResult } from './pool.js';
import { keyIs, recordSql } from './record.js';
import type { Handle } from './transaction.js';
import { pause } from './time.js';

/** Statements that go out together with COMMIT must come first: a failure of theirs then prevents it. */
export async function commit<In>(
  client: PoolClient,
  handle: Handle,
  settings: Settings<In>,
  together: readonly string[] = [],
): Promise<'committed' | { lost: unknown }> {
  if (handle.undoneInPart && settings.savepoints === 'declared') {
    throw new RolledBackError(
      'A part of the effect was rolled back to a savepoint and the error was swallowed; the record would have outlived it. Nothing was committed. Rethrow the error, or declare the part dispensable: tx.savepoint(work, { optional: true }).',
      { cause: handle.firstError },
    );
  }
  if (client.getTransactionStatus?.() === 'I') {
    throw new TransactionControlError(
      'The handler ended the transaction of the inbox, so the record and the effect were committed apart, and later statements ran without one. Take COMMIT, ROLLBACK and BEGIN out of the handler.',
    );
  }
  let result: QueryResult | undefined;
  try {
    result = (await simpleQuery(client, [...together, 'COMMIT'].join(';\n'))).at(-1);
  } catch (error) {
    if (isDefinite(error)) throw error;
    return { lost: error };
  }
  if (result?.command === 'COMMIT') return 'committed';
  throw new RolledBackError(
    `The handler returned, but PostgreSQL answered COMMIT with ${String(result?.command)}: a statement had failed and its error was swallowed. Nothing was committed. Rethrow the error${handle.firstError ? ` (${String(handle.firstError)})` : ''}.`,
    { cause: handle.firstError },
  );
}

/** The serialization failure or deadlock that a handler swallowed is a reason to retry, as if it had been thrown. */
export function underlying(error: unknown): unknown {
  return error instanceof RolledBackError && isRetryable(error.cause) ? error.cause : error;
}

/**
 * Reads on a new connection what became of a COMMIT that got no answer. Resolves to `true` if the message is
 * recorded; throws {@link ConnectionLostError} if it is certainly not, {@link UnknownCommitError} if that could not
 * be found out.
 */
export async function resolveCommit<In>(settings: Settings<In>, checked: Checked, lost: unknown): Promise<true> {
  const deadline = Date.now() + settings.resolveWithin;
  let obstacle: unknown;
  for (let wait = 25; ; wait = Math.min(wait * 2, 1000)) {
    try {
      const state = await recordState(settings, checked);
      if (state === 'recorded') return true;
      if (state === 'absent') {
        throw new ConnectionLostError(
          'The connection was lost at COMMIT, and the record is not there: the transaction was rolled back. Do not acknowledge; the redelivery will be processed.',
          { cause: lost },
        );
      }
    } catch (error) {
      if (error instanceof ConnectionLostError) throw error;
      obstacle = error;
    }
    const left = deadline - Date.now();
    if (left <= 0) break;
    await pause(Math.min(wait, left));
  }
  throw new UnknownCommitError(
    `The connection was lost at COMMIT, and within ${settings.resolveWithin} ms the record could not be looked up${obstacle ? ` (${String(obstacle)})` : ', for the old transaction had not ended'}: whether it was committed is unknown. Do not acknowledge; the redelivery is safe either way.`,
    { cause: lost },
  );
}

/**
 * `recorded`, `absent`, or `open` while the old transaction may still commit. A row that is not visible proves
 * nothing by itself; only that a new record could be written proves that no other transaction holds the key.
 */
async function recordState<In>(settings: Settings<In>, checked: Checked): Promise<'recorded' | 'absent' | 'open'> {
  if (await isRecorded(settings.pool, settings, checked)) return 'recorded';
  const probe = [
    'BEGIN',
    "SET LOCAL lock_timeout = '1s'",
    recordSql({ ...settings, poison: undefined, retention: unlimited(settings) }, checked),
    'ROLLBACK',
  ];
  const results = await autocommit(settings.pool, probe.join(';\n'));
  if ((results[2]?.rows.length ?? 0) > 0) return 'absent';
  return (await isRecorded(settings.pool, settings, checked)) ? 'recorded' : 'open';
}

// The probe asks for the key alone; the columns of a partitioned table stay.
function unlimited<In>(settings: Settings<In>): Settings<In>['retention'] {
  return settings.retention && { ...settings.retention, keep: Number.MAX_SAFE_INTEGER / 1000 };
}

async function isRecorded<In>(pool: Pool, settings: Settings<In>, checked: Checked): Promise<boolean> {
  const [result] = await autocommit(pool, `SELECT 1 FROM ${settings.names.processed} WHERE ${keyIs(settings, checked)}`);
  return (result?.rows.length ?? 0) > 0;
}
