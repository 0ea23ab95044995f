/** One message in the inbox's own transaction. */
import { countFailure, countStart, forgetSql, storable } from './attempts.js';
import { commit, resolveCommit, underlying } from './commit.js';
import { UnknownCommitError, hasCode, isConnectionError, isRetryable } from './errors.js';
import type { InFlight } from './in-flight.js';
import type { Checked, Message } from './message.js';
import type { Settings } from './options.js';
import type { Outcome } from './outcome.js';
import { enqueuer } from './outbox.js';
import { simpleQuery, withClient, type PoolClient } from './pool.js';
import { check, explainRecordError, lookupSql, recordSql, unrecorded, type Gate, type Lookup } from './record.js';
import { jitter, pause } from './time.js';
import { Handle, insideTransaction, type Transaction } from './transaction.js';

export type Handler<R> = (tx: Transaction, message: Message) => Promise<R> | R;

export interface ProcessOptions {
  /** Lets only ever newer versions of the entity pass; checked in the statement that writes the record. */
  gate?: Gate;
}

/** A delivery on its way through the inbox. */
interface Delivery<In> {
  settings: Settings<In>;
  input: In;
  checked: Checked;
  gate: Gate | undefined;
}

export async function processMessage<In, R>(
  settings: Settings<In>,
  inFlight: InFlight,
  input: In,
  handler: Handler<R>,
  options: ProcessOptions = {},
): Promise<Outcome<R>> {
  const checked = check(settings, settings.message(input));
  const delivery: Delivery<In> = { settings, input, checked, gate: options.gate };
  // Deliveries with another payload are no duplicates of each other, whatever their id says.
  const key = JSON.stringify([checked.tenant, checked.id, checked.fingerprint?.toString('hex')]);
  return inFlight.run(key, settings.inFlight, () =>
    countingFailures(settings, input, checked, () => transact(delivery, handler)),
  );
}

/** An attempt with its retries, its failure counted where poison messages are. */
export async function countingFailures<In, R>(
  settings: Settings<In>,
  input: In,
  checked: Checked,
  work: () => Promise<Outcome<R>>,
): Promise<Outcome<R>> {
  try {
    return await withRetries(settings, work);
  } catch (error) {
    const { poison } = settings;
    if (!poison || !isMessagesFault(error)) throw error;
    // If the count itself fails, the handler's error is what the caller must see.
    const counted = await countFailure(settings, poison, checked, error, stored(settings, input)).catch(() => undefined);
    if (!counted?.parked) throw error;
    return { status: 'parked', attempts: counted.attempts, error };
  }
}

function stored<In>(settings: Settings<In>, input: In): unknown {
  return storable(settings.poison?.store ? settings.poison.store(input) : input);
}

/** A broken connection or a lost race says nothing about the message. */
function isMessagesFault(error: unknown): boolean {
  return !(error instanceof UnknownCommitError) && !isConnectionError(error) && !isRetryable(error);
}

/** Starts over after a serialization failure or a deadlock, from the top and with a pause. */
export async function withRetries<In, T>(settings: Settings<In>, work: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry >= settings.retries || !isRetryable(error)) throw error;
      await pause(jitter(10 * 2 ** Math.min(retry, 6)));
    }
  }
}

async function transact<In, R>(delivery: Delivery<In>, handler: Handler<R>): Promise<Outcome<R>> {
  const { settings, checked } = delivery;
  const ended = await withClient(settings.pool, (client) => run(client, delivery, handler));
  if (!('lost' in ended)) return ended;
  // The connection is given back by now, so that the look-up does not need a second one beside it.
  await resolveCommit(settings, checked, ended.lost);
  return { status: 'processed', result: ended.result, commit: 'looked-up' };
}

async function run<In, R>(
  client: PoolClient,
  delivery: Delivery<In>,
  handler: Handler<R>,
): Promise<Outcome<R> | { lost: unknown; result: R }> {
  const { settings, checked } = delivery;
  const handle = new Handle(client, enqueuer(settings, checked));
  try {
    const refusal = await begin(client, delivery);
    if (refusal) return refusal;
    if (settings.poison?.count === 'starts') {
      const started = await countStart(settings, settings.poison, checked, stored(settings, delivery.input));
      if (started.parked) {
        await simpleQuery(client, 'ROLLBACK');
        return { status: 'parked', attempts: started.attempts };
      }
    }
    const result = await insideTransaction.run(true, async () => handler(handle, checked.message));
    handle.revoke('the handler had returned');
    const forget = settings.poison?.count === 'starts' ? [forgetSql(settings, checked)] : [];
    const end = await commit(client, handle, settings, forget);
    return end === 'committed' ? { status: 'processed', result, commit: 'confirmed' } : { lost: end.lost, result };
  } catch (error) {
    handle.revoke('the handler had failed');
    await rollBack(client);
    throw underlying(error);
  }
}

/**
 * Opens the transaction and records the message, in one round trip. Resolves to the outcome, the transaction rolled
 * back, if the message must not be handled.
 */
async function begin<In>(client: PoolClient, delivery: Delivery<In>): Promise<Outcome<never> | undefined> {
  const { settings, checked, gate } = delivery;
  const statements = beginSql(settings);
  const record = recordSql(settings, checked, gate);
  try {
    const results = await simpleQuery(client, [...statements, record, 'SET LOCAL lock_timeout TO DEFAULT'].join(';\n'));
    const row = results[statements.length]?.rows[0];
    if (row?.fresh === true) return undefined;
    if (row) {
      await simpleQuery(client, 'ROLLBACK');
      return { status: 'stale' };
    }
  } catch (error) {
    // lock_not_available: the key is held by a transaction that took no advisory lock, such as a batch.
    if (!hasCode(error, '55P03')) throw explainRecordError(settings, error);
    await simpleQuery(client, 'ROLLBACK');
    return { status: 'in-flight' };
  }
  const [found] = await simpleQuery(client, `${lookupSql(settings, checked)};\nROLLBACK`);
  return unrecorded(checked, found?.rows[0] as Lookup | undefined);
}

/** How long a record may wait for another transaction's lock, in milliseconds, with the connection held. */
const lockTimeout = 200;

/** The statements before the record. `SET LOCAL` ends with the transaction, so nothing leaks through a pooler. */
export function beginSql<In>(settings: Settings<In>, wait = lockTimeout): string[] {
  return [
    `BEGIN ISOLATION LEVEL ${settings.isolation.toUpperCase()} READ WRITE`,
    ...(settings.idleTimeout > 0 ? [`SET LOCAL idle_in_transaction_session_timeout = '${Math.round(settings.idleTimeout)}ms'`] : []),
    `SET LOCAL lock_timeout = '${wait}ms'`,
  ];
}

/** Leaves the transaction; a connection that cannot is closed by its lender. */
export async function rollBack(client: PoolClient): Promise<void> {
  try {
    await simpleQuery(client, 'ROLLBACK');
  } catch {
    // The connection is gone, and the transaction with it.
  }
}
