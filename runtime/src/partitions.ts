/**
 * Retention by dropping partitions. The partition key is borne by the message, so a redelivery meets its record
 * whenever it comes; a message older than the retention is told as `expired` and never taken for a new one.
 */
import { hasCode } from './errors.js';
import { days, type Retention, type Settings } from './options.js';
import { autocommit, rowOf, rowsOf, simpleQuery, withClient, type PoolClient } from './pool.js';
import { lockKey } from './record.js';
import { identifier, literal, timestamp } from './sql.js';
import { pause } from './time.js';

type ByPartition = Extract<Retention, { mode: 'partition' }>;

export interface MaintenanceResult {
  created: string[];
  dropped: string[];
  /** False if another instance was at it. */
  complete: boolean;
}

interface Partition {
  name: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  pendingDetach: boolean;
}

// Clocks differ: a partition goes only when it has been too old for this long.
const margin = 60_000;

/** Creates the partitions ahead and drops those that have aged out. One instance does it; the others return at once. */
export async function maintainPartitions<In>(settings: Settings<In>, retention: ByPartition): Promise<MaintenanceResult> {
  const result: MaintenanceResult = { created: [], dropped: [], complete: false };
  return withClient(settings.pool, async (guard) => {
    // A transaction of its own holds the lock, for detaching cannot run inside one.
    const locked = await simpleQuery(
      guard,
      `BEGIN;\nSELECT pg_try_advisory_xact_lock(${lockKey('partitions', settings.names.processed)}) AS mine,
  CAST(extract(epoch FROM clock_timestamp()) * 1000 AS float8) AS now`,
    );
    try {
      const { mine, now } = rowOf(locked, 1) as { mine: boolean; now: number };
      if (!mine) return result;
      await withClient(settings.pool, (client) => maintain(client, settings, retention, Number(now), result));
      return { ...result, complete: true };
    } finally {
      await simpleQuery(guard, 'ROLLBACK').catch(() => undefined);
    }
  });
}

async function maintain<In>(
  client: PoolClient,
  settings: Settings<In>,
  retention: ByPartition,
  now: number,
  result: MaintenanceResult,
): Promise<void> {
  const width = retention.width ?? days(1);
  const partitions = await listPartitions(client, settings, retention);
  for (const gap of gaps(partitions, now - retention.keep - margin, now + (retention.ahead ?? 3) * width, width)) {
    result.created.push(await createPartition(client, settings, retention, gap));
  }
  for (const partition of partitions) {
    if (partition.to > now - retention.keep - margin && !partition.pendingDetach) continue;
    await dropPartition(client, settings, partition);
    result.dropped.push(partition.name);
  }
}

/** The spans of time between `from` and `to` that no partition covers, cut at multiples of the width. */
export function gaps(
  partitions: readonly Pick<Partition, 'from' | 'to'>[],
  from: number,
  to: number,
  width: number,
): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let cursor = Math.floor(from / width) * width;
  while (cursor < to) {
    const start = cursor;
    const covering = partitions.find((partition) => partition.from <= start && start < partition.to);
    if (covering) {
      cursor = covering.to;
      continue;
    }
    const next = Math.min(
      (Math.floor(start / width) + 1) * width,
      ...partitions.filter((partition) => partition.from > start).map((partition) => partition.from),
    );
    found.push({ from: start, to: next });
    cursor = next;
  }
  return found;
}

async function listPartitions<In>(
  client: PoolClient,
  settings: Settings<In>,
  retention: ByPartition,
): Promise<Partition[]> {
  const results = await simpleQuery(
    client,
    `BEGIN;
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO';
SELECT child.relname AS name, pg_get_expr(child.relpartbound, child.oid) AS bound, coalesce((to_jsonb(i) ->> 'inhdetachpending')::boolean, false) AS pending
FROM pg_inherits AS i JOIN pg_class AS child ON child.oid = i.inhrelid
WHERE i.inhparent = CAST(${literal(settings.names.processed)} AS regclass) ORDER BY child.relname;
COMMIT`,
  );
  const partitions: Partition[] = [];
  for (const row of rowsOf(results, 3)) {
    const bounds = [...String(row.bound).matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '');
    // A DEFAULT partition or one of the user's own making has other bounds and is not ours to drop.
    if (bounds.length !== 2) continue;
    const [from, to] = bounds.map((text) => boundTime(retention, text)) as [number, number];
    partitions.push({ name: String(row.name), from, to, pendingDetach: row.pending === true });
  }
  return partitions;
}

function boundTime(retention: ByPartition, text: string): number {
  if (retention.by === 'uuidv7') return Number.parseInt(text.slice(0, 8) + text.slice(9, 13), 16);
  return Date.parse(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

/** Creating a table apart and attaching it takes a weaker lock on the parent than CREATE TABLE … PARTITION OF. */
async function createPartition<In>(
  client: PoolClient,
  settings: Settings<In>,
  retention: ByPartition,
  span: { from: number; to: number },
): Promise<string> {
  const name = `${settings.tables.processed}_${new Date(span.from).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}`;
  const partition = `${settings.quotedSchema}.${identifier(name)}`;
  const bound = (time: number): string => (retention.by === 'uuidv7' ? literal(uuidAt(time)) : timestamp(new Date(time)));
  await withLockTimeout(() =>
    simpleQuery(
      client,
      `BEGIN;
SET LOCAL lock_timeout = '2s';
CREATE TABLE ${partition} (LIKE ${settings.names.processed} INCLUDING ALL);
ALTER TABLE ${settings.names.processed} ATTACH PARTITION ${partition} FOR VALUES FROM (${bound(span.from)}) TO (${bound(span.to)});
COMMIT`,
    ).catch(async (error: unknown) => {
      await simpleQuery(client, 'ROLLBACK');
      throw error;
    }),
  );
  return name;
}

/** The least UUID whose version 7 timestamp is this. */
export function uuidAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Detached without blocking readers and writers of the parent, then dropped. An interrupted detach is finished first. */
async function dropPartition<In>(client: PoolClient, settings: Settings<In>, partition: Partition): Promise<void> {
  const name = `${settings.quotedSchema}.${identifier(partition.name)}`;
  const mode = partition.pendingDetach ? 'FINALIZE' : 'CONCURRENTLY';
  await simpleQuery(client, `ALTER TABLE ${settings.names.processed} DETACH PARTITION ${name} ${mode}`);
  await withLockTimeout(() => autocommit(settings.pool, `SET LOCAL lock_timeout = '2s';\nDROP TABLE ${name}`));
}

async function withLockTimeout<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 5 || !hasCode(error, '55P03')) throw error;
      await pause(200 * attempt);
    }
  }
}
