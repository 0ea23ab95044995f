/** Retention by DELETE: old rows go in small batches, by one instance at a time, past rows that somebody holds. */
import { InboxConfigError } from './errors.js';
import type { Retention, Settings } from './options.js';
import { resultOf, rowOf, simpleQuery, withClient } from './pool.js';
import { lockKey } from './record.js';
import { interval, literal } from './sql.js';
import { pause } from './time.js';

export interface PruneOptions {
  /** Rows per transaction. Default: 1000. */
  batchSize?: number;
  /** Default: until nothing is left. */
  maxBatches?: number;
  /** Milliseconds between two batches. Default: 50. */
  pause?: number;
  signal?: AbortSignal;
}

export interface PruneResult {
  /** Rows deleted, from all tables together. */
  deleted: number;
  batches: number;
  /** False if it stopped at `maxBatches` or by the signal, or if another instance was pruning. */
  complete: boolean;
}

/** Deletes what this consumer no longer needs. Throws {@link InboxConfigError} without a retention. */
export async function prune<In>(settings: Settings<In>, options: PruneOptions = {}): Promise<PruneResult> {
  const retention = required(settings.retention);
  const result: PruneResult = { deleted: 0, batches: 0, complete: false };
  for (const { table, age } of ageing(settings)) {
    for (;;) {
      if (result.batches >= (options.maxBatches ?? Infinity) || options.signal?.aborted) return result;
      const deleted = await pruneBatch(settings, table, age, retention.keep, options.batchSize ?? 1000);
      if (deleted === undefined) return result;
      if (deleted === 0) break;
      result.deleted += deleted;
      result.batches += 1;
      await pause(options.pause ?? 50, options.signal);
    }
  }
  return { ...result, complete: true };
}

export function required(retention: Retention | undefined): Retention {
  if (retention) return retention;
  throw new InboxConfigError(
    "No retention is set, so records are kept for ever. Pass retention: { mode: 'delete', keep: days(30), redeliveryHorizon: … } to createInbox.",
  );
}

/** The tables and the conditions under which their rows age. A parked message stays until somebody decides. */
function ageing<In>(settings: Settings<In>): { table: string; age: string }[] {
  const { names, retention } = settings;
  return [
    ...(retention?.mode === 'delete' ? [{ table: names.processed, age: 'processed_at' }] : []),
    { table: names.steps, age: 'finished_at' },
    { table: names.attempts, age: 'CASE WHEN parked_at IS NULL THEN last_attempt_at END' },
  ];
}

/**
 * One transaction. `undefined` if another instance is pruning. Waits for nobody: rows that are locked are left for the
 * next time, and deliveries of the deleted messages wait for one small transaction at most.
 */
async function pruneBatch<In>(
  settings: Settings<In>,
  table: string,
  age: string,
  keep: number,
  batchSize: number,
): Promise<number | undefined> {
  const lock = lockKey('prune', settings.schema, settings.consumer);
  return withClient(settings.pool, async (client) => {
    try {
      const results = await simpleQuery(
        client,
        [
          'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
          `SELECT pg_try_advisory_xact_lock(${lock}) AS mine`,
          `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table}
  WHERE consumer = ${literal(settings.consumer)} AND ${age} < clock_timestamp() - ${interval(keep)}
    AND (SELECT pg_try_advisory_xact_lock(${lock}))
  ORDER BY ${age} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`,
          'COMMIT',
        ].join(';\n'),
      );
      return rowOf(results, 1).mine === true ? (resultOf(results, 2).rowCount ?? 0) : undefined;
    } catch (error) {
      await simpleQuery(client, 'ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}
