/**
 * Many messages in one transaction: one statement records them all, the handler gets those that are new. If anything
 * fails, the batch is rolled back and tried again in halves, down to the single message that is at fault; so nothing
 * has to be undone in part, and no failing message stays recorded.
 */
import { countFailure, storable } from './attempts.js';
import { commit, resolveCommit, underlying } from './commit.js';
import { InboxConfigError, UnknownCommitError, hasCode, isConnectionError } from './errors.js';
import type { Checked, Message } from './message.js';
import type { Settings } from './options.js';
import type { BatchOutcome } from './outcome.js';
import { enqueuer } from './outbox.js';
import { rowsOf, simpleQuery, withClient, type PoolClient } from './pool.js';
import { beginSql, rollBack, withRetries } from './process.js';
import { admission, check, explainRecordError, lookupSql, recordColumns, unrecorded, type Lookup } from './record.js';
import { recordKey } from './schema.js';
import { jitter, pause } from './time.js';
import { Handle, insideTransaction, type Transaction } from './transaction.js';

/** Gets the new messages of the batch, at least one, ordered as they came. It may be called again with fewer. */
export type BatchHandler<R> = (tx: Transaction, messages: Message[]) => Promise<R> | R;

/** A message of the batch under its key; later ones with the same key are its duplicates. */
interface Item<In> {
  input: In;
  checked: Checked;
}

type Outcomes<R> = Map<string, BatchOutcome<R>>;

/** An outcome for each input, at the input's place. Rejects only for unusable settings, never for one message. */
export async function processBatch<In, R>(
  settings: Settings<In>,
  inputs: readonly In[],
  handler: BatchHandler<R>,
): Promise<BatchOutcome<R>[]> {
  if (settings.poison?.count === 'starts') {
    throw new InboxConfigError("processBatch cannot count starts. Use poison.count: 'failures', or process().");
  }
  const items = new Map<string, Item<In>>();
  const places = inputs.map((input) => place(settings, input, items));
  const outcomes: Outcomes<R> = new Map();
  const deadline = Date.now() + (settings.inFlight.policy === 'defer' ? 0 : settings.inFlight.max);
  await processItems({ settings, handler, outcomes, deadline }, items);
  return places.map((placed): BatchOutcome<R> => {
    if ('error' in placed) return { status: 'failed', error: placed.error };
    const outcome = outcomes.get(placed.key) ?? { status: 'in-flight' };
    return placed.first === undefined ? outcome : repeated(outcome, placed.first, placed.checked);
  });
}

/** Where an input went: under its key, after an earlier message of the same key, or nowhere. */
type Placed = { key: string; checked: Checked; first: Checked | undefined } | { error: unknown };

function place<In>(settings: Settings<In>, input: In, items: Map<string, Item<In>>): Placed {
  try {
    const checked = check(settings, settings.message(input));
    const key = JSON.stringify([checked.tenant, checked.id]);
    const first = items.get(key)?.checked;
    if (!first) items.set(key, { input, checked });
    return { key, checked, first };
  } catch (error) {
    return { error };
  }
}

/** The outcome of a message whose id stood earlier in the same batch. */
function repeated<R>(first: BatchOutcome<R>, earlier: Checked, later: Checked): BatchOutcome<R> {
  if (first.status !== 'processed' && first.status !== 'duplicate') return first;
  const processedAt = first.status === 'duplicate' ? first.processedAt : new Date();
  const conflict = earlier.fingerprint && later.fingerprint && !earlier.fingerprint.equals(later.fingerprint);
  return { status: conflict ? 'payload-conflict' : 'duplicate', processedAt };
}

interface Batch<In, R> {
  settings: Settings<In>;
  handler: BatchHandler<R>;
  outcomes: Outcomes<R>;
  /** Until when messages in flight elsewhere are waited for. */
  deadline: number;
}

async function processItems<In, R>(batch: Batch<In, R>, items: Map<string, Item<In>>): Promise<void> {
  const { settings, handler, outcomes } = batch;
  try {
    if (items.size === 0) return;
    const ended = await withRetries(settings, () => transact(settings, items, handler));
    for (const [key, outcome] of ended) outcomes.set(key, outcome);
  } catch (error) {
    if (isConnectionError(error)) {
      // Nothing was committed, and every half would meet the same end.
      for (const key of items.keys()) outcomes.set(key, { status: 'failed', error });
    } else if (items.size > 1) {
      const all = [...items];
      const middle = Math.ceil(all.length / 2);
      await processItems(batch, new Map(all.slice(0, middle)));
      await processItems(batch, new Map(all.slice(middle)));
    } else if (error instanceof HeldElsewhere && Date.now() < batch.deadline) {
      await pause(jitter(50));
      await processItems(batch, items);
    } else {
      const [[key, item]] = [...items] as [[string, Item<In>]];
      outcomes.set(key, await failed(settings, item, error));
    }
  }
}

/** A single message that failed on its own. */
async function failed<In, R>(settings: Settings<In>, { checked, input }: Item<In>, error: unknown): Promise<BatchOutcome<R>> {
  if (error instanceof HeldElsewhere) return { status: 'in-flight' };
  const { poison } = settings;
  if (!poison) return { status: 'failed', error };
  const stored = storable(poison.store ? poison.store(input) : input);
  const counted = await countFailure(settings, poison, checked, error, stored).catch(() => undefined);
  return counted?.parked ? { status: 'parked', attempts: counted.attempts, error } : { status: 'failed', error };
}

/** A key of the batch is held by another transaction. */
class HeldElsewhere extends Error {}

async function transact<In, R>(
  settings: Settings<In>,
  items: Map<string, Item<In>>,
  handler: BatchHandler<R>,
): Promise<Outcomes<R>> {
  const ended = await withClient(settings.pool, (client) => run(client, settings, items, handler));
  const { outcomes, result } = ended;
  const fresh = [...items].filter(([key]) => !outcomes.has(key));
  let unknown: unknown;
  for (const [key, { checked }] of fresh) {
    if (ended.lost === undefined) {
      outcomes.set(key, { status: 'processed', result: result as R, commit: 'confirmed' });
      continue;
    }
    try {
      // Each is looked up by itself: another delivery may meanwhile have processed it. But one wait is enough.
      if (unknown !== undefined) throw unknown;
      await resolveCommit(settings, checked, ended.lost);
      outcomes.set(key, { status: 'processed', result: result as R, commit: 'looked-up' });
    } catch (error) {
      if (error instanceof UnknownCommitError) unknown = error;
      outcomes.set(key, { status: 'failed', error });
    }
  }
  return outcomes;
}

interface Ended<R> {
  /** Of the messages that were not handled. */
  outcomes: Outcomes<R>;
  result?: R;
  lost?: unknown;
}

async function run<In, R>(
  client: PoolClient,
  settings: Settings<In>,
  items: Map<string, Item<In>>,
  handler: BatchHandler<R>,
): Promise<Ended<R>> {
  const handle = new Handle(client, batchEnqueuer(settings, [...items.values()]));
  try {
    const recorded = await begin(client, settings, items);
    const outcomes = await notRecorded<In, R>(client, settings, items, recorded);
    const fresh = [...items].filter(([key]) => recorded.has(key)).map(([, item]) => item.checked.message);
    if (fresh.length === 0) {
      await rollBack(client);
      return { outcomes };
    }
    const result = await insideTransaction.run(true, async () => handler(handle, fresh));
    handle.revoke('the handler had returned');
    const end = await commit(client, handle, settings);
    return end === 'committed' ? { outcomes, result } : { outcomes, result, lost: end.lost };
  } catch (error) {
    handle.revoke('the handler had failed');
    await rollBack(client);
    throw underlying(error);
  }
}

/** Ids of enqueued messages come from the ids of the whole (sub-)batch. */
function batchEnqueuer<In>(settings: Settings<In>, items: Item<In>[]): ReturnType<typeof enqueuer> {
  const ids = items.map(({ checked }) => `${checked.tenant}\u0000${checked.id}`);
  return enqueuer(settings, { tenant: '', id: `batch:${JSON.stringify(ids)}` });
}

/** Opens the transaction and records what is new, in one round trip. Resolves to the keys that were recorded. */
async function begin<In>(client: PoolClient, settings: Settings<In>, items: Map<string, Item<In>>): Promise<Set<string>> {
  const statements = beginSql(settings);
  try {
    const results = await simpleQuery(
      client,
      [...statements, batchRecordSql(settings, [...items.values()]), 'SET LOCAL lock_timeout TO DEFAULT'].join(';\n'),
    );
    return new Set(rowsOf(results, statements.length).map((row) => JSON.stringify([row.tenant, row.id])));
  } catch (error) {
    if (hasCode(error, '55P03')) throw new HeldElsewhere('A message of the batch is in flight elsewhere.', { cause: error });
    throw explainRecordError(settings, error);
  }
}

/**
 * Rows are inserted in the order of their key, whatever the order of the batch: two overlapping batches then wait for
 * one another in one direction only and cannot deadlock.
 */
function batchRecordSql<In>(settings: Settings<In>, items: Item<In>[]): string {
  const key = recordKey(settings);
  let columns: string[] = [];
  const rows = items.map(({ checked }) => {
    const record = recordColumns(settings, checked);
    // The same for all: they depend on the settings alone.
    columns = Object.keys(record);
    const admitted = admission(settings, checked).join(' AND ') || 'true';
    return `(${[...Object.values(record), admitted].join(', ')})`;
  });
  return `INSERT INTO ${settings.names.processed} (${columns.join(', ')})
SELECT ${columns.join(', ')} FROM (VALUES ${rows.join(',\n')}) AS message (${[...columns, 'admitted'].join(', ')})
WHERE admitted ORDER BY ${key.map((column) => (column === 'id' && settings.idType === 'text' ? 'id COLLATE "C"' : column)).join(', ')}
ON CONFLICT (${key.join(', ')}) DO NOTHING
RETURNING tenant, CAST(id AS text) AS id`;
}

async function notRecorded<In, R>(
  client: PoolClient,
  settings: Settings<In>,
  items: Map<string, Item<In>>,
  recorded: Set<string>,
): Promise<Outcomes<R>> {
  const rest = [...items].filter(([key]) => !recorded.has(key));
  const outcomes: Outcomes<R> = new Map();
  if (rest.length === 0) return outcomes;
  const results = await simpleQuery(client, rest.map(([, { checked }]) => lookupSql(settings, checked)).join(';\n'));
  for (const [index, [key, { checked }]] of rest.entries()) {
    outcomes.set(key, unrecorded(checked, results[index]?.rows[0] as Lookup | undefined));
  }
  return outcomes;
}
