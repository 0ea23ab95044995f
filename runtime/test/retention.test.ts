import { describe, expect, it } from 'vitest';
import { InboxConfigError, MissingPartitionError, days, type InboxOptions, type Message } from '../src/index.js';
import { gaps, uuidAt } from '../src/partitions.js';
import { corner, credit, deferred, freshId } from './database.js';

const db = corner();
const byDelete: InboxOptions['retention'] = { mode: 'delete', keep: days(30), redeliveryHorizon: days(14) };

/** Makes records look older. */
const age = (consumer: string, daysOld: number) =>
  db.sql(`UPDATE "${db.schema}".processed SET processed_at = clock_timestamp() - $1 * interval '1 day' WHERE consumer = $2`, [daysOld, consumer]);

describe('pruning', () => {
  it('deletes what is older than the retention, and nothing else', async () => {
    const inbox = db.inbox({ consumer: 'old', retention: byDelete });
    const other = db.inbox({ consumer: 'other', retention: byDelete });
    const [gone, kept, foreign] = [freshId(), freshId(), freshId()];
    await inbox.process({ id: gone }, () => 1);
    await other.process({ id: foreign }, () => 1);
    await age('old', 31);
    await age('other', 31);
    await inbox.process({ id: kept }, () => 1);
    expect(await inbox.prune()).toEqual({ deleted: 1, batches: 1, complete: true });
    const recorded = await db.recorded();
    expect(recorded).not.toContain(gone);
    expect(recorded).toEqual(expect.arrayContaining([kept, foreign]));
    expect((await inbox.process({ id: kept }, () => 1)).status).toBe('duplicate');
  });

  it('goes in bounded batches and stops where told', async () => {
    const inbox = db.inbox({ consumer: 'batches', retention: byDelete });
    await inbox.processBatch(Array.from({ length: 25 }, () => ({ id: freshId() })), () => 1);
    await age('batches', 31);
    expect(await inbox.prune({ batchSize: 10, maxBatches: 1 })).toEqual({ deleted: 10, batches: 1, complete: false });
    const stopped = new AbortController();
    stopped.abort();
    expect(await inbox.prune({ signal: stopped.signal })).toEqual({ deleted: 0, batches: 0, complete: false });
    expect(await inbox.prune({ batchSize: 10, pause: 0 })).toEqual({ deleted: 15, batches: 2, complete: true });
  });

  it('waits for nobody: a row that somebody holds is left for the next time', async () => {
    const inbox = db.inbox({ consumer: 'held', retention: byDelete });
    const [held, free] = [freshId(), freshId()];
    await inbox.processBatch([{ id: held }, { id: free }], () => 1);
    await age('held', 31);
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query(`SELECT * FROM "${db.schema}".processed WHERE id = $1 FOR UPDATE`, [held]);
    const before = Date.now();
    expect(await inbox.prune()).toMatchObject({ deleted: 1, complete: true });
    expect(Date.now() - before).toBeLessThan(1000);
    await client.query('ROLLBACK');
    client.release();
    expect(await inbox.prune()).toMatchObject({ deleted: 1 });
  });

  it('does not block deliveries: thousands are handled while it runs', async () => {
    const inbox = db.inbox({ consumer: 'busy', retention: byDelete });
    await inbox.processBatch(Array.from({ length: 1000 }, () => ({ id: freshId() })), () => 1);
    await age('busy', 31);
    const pruning = inbox.prune({ batchSize: 50, pause: 5 });
    let slowest = 0;
    for (let n = 0; n < 100; n += 1) {
      const before = Date.now();
      expect((await inbox.process({ id: freshId() }, () => 1)).status).toBe('processed');
      slowest = Math.max(slowest, Date.now() - before);
    }
    expect(await pruning).toEqual({ deleted: 1000, batches: 20, complete: true });
    expect(slowest).toBeLessThan(1000);
  });

  it('is done by one instance at a time; the others return at once', async () => {
    const inbox = db.inbox({ consumer: 'instances', retention: byDelete });
    await inbox.processBatch(Array.from({ length: 200 }, () => ({ id: freshId() })), () => 1);
    await age('instances', 31);
    // Holds the rows' deletion open, as a slow batch would.
    await db.sql(`CREATE FUNCTION "${db.schema}".slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN OLD; END $$`);
    await db.sql(`CREATE TRIGGER slow BEFORE DELETE ON "${db.schema}".processed FOR EACH STATEMENT EXECUTE FUNCTION "${db.schema}".slow()`);
    const results = await Promise.all([1, 2, 3].map(() => db.inbox({ consumer: 'instances', retention: byDelete }).prune({ maxBatches: 1 })));
    await db.sql(`DROP TRIGGER slow ON "${db.schema}".processed`);
    expect(results.map(({ deleted }) => deleted).sort()).toEqual([0, 0, 200]);
  });

  it('leaves a message in flight alone, and a redelivery of a pruned one waits for the prune', async () => {
    const inbox = db.inbox({ consumer: 'race', retention: byDelete });
    const id = freshId();
    await inbox.process({ id }, () => 1);
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query(`DELETE FROM "${db.schema}".processed WHERE id = $1`, [id]);
    const redelivery = inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query('ROLLBACK');
    client.release();
    expect((await redelivery).status).toBe('duplicate');
    expect(await db.balance(id)).toBe(0);
  });

  it('keeps parked messages, and drops old counts and step results', async () => {
    const inbox = db.inbox({ consumer: 'counts', retention: byDelete, poison: { maxAttempts: 2 } });
    const [parked, once] = [freshId(), freshId()];
    for (const id of [parked, parked, once]) await inbox.process({ id }, () => Promise.reject(new Error('no'))).catch(() => undefined);
    await inbox.step({ id: once }, 'charge', async () => 'ch_1');
    await db.sql(`UPDATE "${db.schema}".attempts SET last_attempt_at = last_attempt_at - interval '40 days', parked_at = parked_at - interval '40 days'`);
    await db.sql(`UPDATE "${db.schema}".steps SET finished_at = finished_at - interval '40 days'`);
    expect(await inbox.prune()).toMatchObject({ deleted: 2, complete: true });
    expect((await inbox.parked.list()).map(({ id }) => id)).toEqual([parked]);
  });

  it('tells a message older than the retention as expired, unless its record is still there', async () => {
    const inbox = db.inbox({ consumer: 'expired', retention: byDelete });
    const id = freshId();
    const occurredAt = new Date(Date.now() - days(31));
    expect(await inbox.process({ id, occurredAt }, () => 1)).toEqual({ status: 'expired' });
    expect((await inbox.processBatch([{ id, occurredAt }], () => 1)).map(({ status }) => status)).toEqual(['expired']);
    const client = await db.pool.connect();
    expect(await inbox.record(client, { id, occurredAt })).toEqual({ status: 'expired' });
    client.release();
    await expect(inbox.step({ id, occurredAt }, 'charge', async () => 1)).rejects.toThrow(/It was not called/);
    await inbox.process({ id }, () => 1);
    expect((await inbox.process({ id, occurredAt }, () => 1)).status).toBe('duplicate');
  });

  it('needs a retention', async () => {
    await expect(db.inbox().prune()).rejects.toThrow(InboxConfigError);
    await expect(db.inbox().prune()).rejects.toThrow(/kept for ever/);
  });

  it('is kept up in the background until told to stop', async () => {
    const inbox = db.inbox({ consumer: 'tidy', retention: byDelete });
    await inbox.process({ id: freshId() }, () => 1);
    await age('tidy', 31);
    const stopping = new AbortController();
    const tidy = inbox.keepTidy({ every: 20, signal: stopping.signal, onError: (error) => expect.unreachable(String(error)) });
    await expect.poll(() => db.sql(`SELECT 1 FROM "${db.schema}".processed WHERE consumer = 'tidy'`)).toEqual([]);
    stopping.abort();
    await tidy;
  });
});

/** A version 7 UUID of that time. */
function uuidv7(time: number): string {
  const random = Math.floor(Math.random() * 2 ** 48).toString(16).padStart(12, '0');
  return `${uuidAt(time).slice(0, 14)}7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random}`;
}

describe.each(['uuidv7', 'occurredAt'] as const)('partitions by %s', (by) => {
  const schema = `${db.schema}_${by.toLowerCase()}`;
  const make = (keep: number, width = days(1)) => db.inbox({ schema, retention: { mode: 'partition', by, keep, width, ahead: 2 } });
  const messageAt = (time: number): Message =>
    by === 'uuidv7' ? { id: uuidv7(time) } : { id: freshId(), occurredAt: new Date(time) };
  const partitions = async (): Promise<string[]> =>
    (await db.sql(`SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '"${schema}".processed'::regclass ORDER BY 1`)).map((row) => String(row.name));

  it('are created back to the retention and ahead of now', async () => {
    await make(days(5)).migrate();
    // 5 days back, the day that the margin of the clocks reaches into, today, and 2 ahead.
    expect((await partitions()).length).toBeGreaterThanOrEqual(8);
    const again = await make(days(5)).maintain();
    expect(again).toEqual({ created: [], dropped: [], complete: true });
  });

  it('dedupe, whenever the redelivery comes', async () => {
    const inbox = make(days(5));
    for (const old of [0, 1, 4.9]) {
      const message = messageAt(Date.now() - days(old));
      expect((await inbox.process(message, () => 1)).status).toBe('processed');
      expect((await inbox.process(message, () => 1)).status).toBe('duplicate');
      expect((await inbox.processBatch([message], () => 1)).map(({ status }) => status)).toEqual(['duplicate']);
      expect((await inbox.processStatement(message, { text: 'SELECT 1 FROM recorded' })).status).toBe('duplicate');
    }
  });

  it('make a message that is too old expired, never new', async () => {
    let ran = false;
    const handler = (): void => {
      ran = true;
    };
    const inbox = make(days(5));
    for (const old of [5.01, 400]) {
      const message = messageAt(Date.now() - days(old));
      expect(await inbox.process(message, handler)).toEqual({ status: 'expired' });
      expect((await inbox.processBatch([message], handler)).map(({ status }) => status)).toEqual(['expired']);
    }
    expect(ran).toBe(false);
  });

  it('are dropped once aged out, and what they held is expired from then on', async () => {
    const message = messageAt(Date.now() - days(4));
    await make(days(5)).process(message, () => 1);
    const before = await partitions();
    const shorter = make(days(2));
    const { dropped, complete } = await shorter.maintain();
    expect(complete).toBe(true);
    expect(dropped.length).toBeGreaterThanOrEqual(2);
    expect((await partitions()).length).toBe(before.length - dropped.length);
    expect(await shorter.process(message, () => 1)).toEqual({ status: 'expired' });
    // The tables are gone, not only detached.
    const [left] = await db.sql(`SELECT count(*) AS n FROM pg_class WHERE relnamespace = '"${schema}"'::regnamespace AND relname = ANY($1)`, [dropped]);
    expect(Number(left!.n)).toBe(0);
  });

  it('are dropped without blocking deliveries', async () => {
    await make(days(20)).maintain();
    const shorter = make(days(2));
    const maintaining = shorter.maintain();
    let slowest = 0;
    for (let n = 0; n < 100; n += 1) {
      const before = Date.now();
      expect((await shorter.process(messageAt(Date.now()), () => 1)).status).toBe('processed');
      slowest = Math.max(slowest, Date.now() - before);
    }
    expect((await maintaining).dropped.length).toBeGreaterThanOrEqual(15);
    expect(slowest).toBeLessThan(1000);
  });

  it('that are missing are an error that says what to do, not a lost message', async () => {
    const future = messageAt(Date.now() + days(50));
    const handling = make(days(2)).process(future, () => 1);
    await expect(handling).rejects.toThrow(MissingPartitionError);
    await expect(handling).rejects.toThrow(/inbox\.maintain\(\)/);
  });

  it('are looked after by one instance at a time', async () => {
    await make(days(2)).maintain();
    const results = await Promise.all([1, 2, 3].map(() => make(days(12)).maintain()));
    const created = results.flatMap((result) => result.created);
    expect(new Set(created).size).toBe(created.length);
    expect(results.filter(({ complete }) => complete).length).toBeGreaterThanOrEqual(1);
  });

  it('follow a change of their width', async () => {
    const inbox = make(days(12), days(1) / 2);
    await db.sql(`DROP TABLE ${(await partitions())[0]!}`);
    const { created } = await inbox.maintain();
    expect(created.length).toBeGreaterThanOrEqual(1);
    expect((await inbox.maintain()).created).toEqual([]);
  });

  it('refuse a message without its time', async () => {
    const timeless = by === 'uuidv7' ? { id: '0190b3c4-0000-4000-8000-0000000000aa' } : { id: freshId() };
    await expect(make(days(2)).process(timeless, () => 1)).rejects.toThrow(by === 'uuidv7' ? /version 7/ : /occurredAt/);
  });

  it('serve concurrent duplicates once', async () => {
    const inboxes = [1, 2, 3, 4].map(() => make(days(2)));
    const message = messageAt(Date.now());
    const gate = deferred();
    const running = inboxes.map((inbox) => inbox.process(message, () => gate.promise));
    setTimeout(gate.resolve, 100);
    const statuses = (await Promise.all(running)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'processed')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'duplicate')).toHaveLength(3);
    await db.sql(`DROP SCHEMA "${schema}" CASCADE`);
  });
});

describe('a key that is not borne by the message', () => {
  it('would let a redelivery in again: the reason why the time of arrival is no choice', async () => {
    const table = `"${db.schema}".by_arrival`;
    await db.sql(`CREATE TABLE ${table} (id text, arrived_at timestamptz DEFAULT clock_timestamp(), PRIMARY KEY (id, arrived_at)) PARTITION BY RANGE (arrived_at)`);
    await db.sql(`CREATE TABLE "${db.schema}".by_arrival_all PARTITION OF ${table} FOR VALUES FROM ('2000-01-01') TO ('2100-01-01')`);
    for (let n = 0; n < 2; n += 1) await db.sql(`INSERT INTO ${table} (id) VALUES ('same') ON CONFLICT (id, arrived_at) DO NOTHING`);
    expect(await db.sql(`SELECT id FROM ${table}`)).toHaveLength(2);
  });
});

describe('gaps', () => {
  it('are cut at multiples of the width and spare what is there', () => {
    expect(gaps([], 25, 45, 10)).toEqual([{ from: 20, to: 30 }, { from: 30, to: 40 }, { from: 40, to: 50 }]);
    expect(gaps([{ from: 20, to: 33 }, { from: 36, to: 38 }], 25, 45, 10)).toEqual([
      { from: 33, to: 36 },
      { from: 38, to: 40 },
      { from: 40, to: 50 },
    ]);
  });
});
