import { describe, expect, it } from 'vitest';
import { InvalidMessageError, type Message, type Transaction } from '../src/index.js';
import { corner, credit, deferred, freshId, reached } from './database.js';
import { startProxy } from './proxy.js';

const db = corner();
const messages = (count: number): Message[] => Array.from({ length: count }, () => ({ id: freshId() }));

/** One statement for the whole batch. */
const creditAll = (tx: Transaction, batch: Message[]) =>
  tx.query(
    `INSERT INTO "${db.schema}".accounts AS a (id, balance) SELECT id, 1 FROM unnest($1::text[]) AS id
ON CONFLICT (id) DO UPDATE SET balance = a.balance + 1`,
    [batch.map(({ id }) => id)],
  );
const statuses = (outcomes: { status: string }[]): string[] => outcomes.map(({ status }) => status);

describe('a batch', () => {
  it('is recorded and handled as a whole, in three round trips', async () => {
    const proxy = await startProxy(db.url);
    try {
      const pool = db.newPool({ connectionString: proxy.url });
      await pool.query('SELECT 1');
      const batch = messages(100);
      const before = proxy.roundTrips;
      const outcomes = await db.inbox({ pool }).processBatch(batch, creditAll);
      expect(proxy.roundTrips - before).toBe(3);
      expect(new Set(statuses(outcomes))).toEqual(new Set(['processed']));
      for (const { id } of batch) expect(await db.balance(id)).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  it('gives the handler the new messages only, and every input its outcome in its place', async () => {
    const [a, b, c] = messages(3) as [Message, Message, Message];
    const inbox = db.inbox();
    await inbox.process(b, (tx) => tx.query(credit(db.schema, b.id)));
    let handled: string[] = [];
    const outcomes = await inbox.processBatch([a, b, c], async (tx, batch) => {
      handled = batch.map(({ id }) => id);
      await creditAll(tx, batch);
    });
    expect(statuses(outcomes)).toEqual(['processed', 'duplicate', 'processed']);
    expect(handled).toEqual([a.id, c.id]);
    for (const { id } of [a, b, c]) expect(await db.balance(id)).toBe(1);
  });

  it('does not run the handler for nothing but duplicates, or for no messages', async () => {
    const batch = messages(3);
    const inbox = db.inbox();
    await inbox.processBatch(batch, creditAll);
    const never = (): never => {
      throw new Error('ran');
    };
    expect(statuses(await inbox.processBatch(batch, never))).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(await inbox.processBatch([], never)).toEqual([]);
  });

  it('handles an id that comes twice in it once, and acknowledges both', async () => {
    const [a, b] = messages(2) as [Message, Message];
    const outcomes = await db.inbox().processBatch([a, b, { ...a }, a], creditAll);
    expect(statuses(outcomes)).toEqual(['processed', 'processed', 'duplicate', 'duplicate']);
    expect(await db.balance(a.id)).toBe(1);
  });

  it('does not take the others along with a poisoned message, nor leave it recorded', async () => {
    const batch = messages(20);
    const poisoned = [batch[3]!.id, batch[17]!.id];
    const handler = async (tx: Transaction, part: Message[]): Promise<void> => {
      await creditAll(tx, part);
      if (part.some(({ id }) => poisoned.includes(id))) throw new Error('cannot parse');
    };
    const inbox = db.inbox();
    const outcomes = await inbox.processBatch(batch, handler);
    for (const [index, { id }] of batch.entries()) {
      const bad = poisoned.includes(id);
      expect(outcomes[index]!.status).toBe(bad ? 'failed' : 'processed');
      expect(await db.balance(id)).toBe(bad ? 0 : 1);
    }
    const recorded = await db.recorded();
    for (const id of poisoned) expect(recorded).not.toContain(id);
    // The redelivery of the whole batch finds only the failed ones to do.
    expect(statuses(await inbox.processBatch(batch, creditAll)).filter((status) => status === 'processed')).toHaveLength(2);
    for (const { id } of batch) expect(await db.balance(id)).toBe(1);
  });

  it('fails an unusable message alone', async () => {
    const [a] = messages(1) as [Message];
    const outcomes = await db.inbox().processBatch([{ id: '' }, a], creditAll);
    expect(outcomes[0]).toMatchObject({ status: 'failed', error: expect.any(InvalidMessageError) });
    expect(outcomes[1]!.status).toBe('processed');
  });

  it('holds a swallowed error for a failure of the message that caused it', async () => {
    const [a, b] = messages(2) as [Message, Message];
    const outcomes = await db.inbox().processBatch([a, b], async (tx, part) => {
      await creditAll(tx, part);
      if (part.includes(b)) await tx.query('SELECT 1/0').catch(() => undefined);
    });
    expect(statuses(outcomes)).toEqual(['processed', 'failed']);
    expect(await db.balance(a.id)).toBe(1);
    expect(await db.balance(b.id)).toBe(0);
  });

  it('parks a message that fails too often', async () => {
    const [a, b] = messages(2) as [Message, Message];
    const inbox = db.inbox({ poison: { maxAttempts: 2 } });
    const handler = async (tx: Transaction, part: Message[]): Promise<void> => {
      await creditAll(tx, part);
      if (part.some(({ id }) => id === b.id)) throw new Error('poison');
    };
    expect(statuses(await inbox.processBatch([a, b], handler))).toEqual(['processed', 'failed']);
    expect(statuses(await inbox.processBatch([a, b], handler))).toEqual(['duplicate', 'parked']);
    expect(statuses(await inbox.processBatch([a, b], handler))).toEqual(['duplicate', 'parked']);
  });

  it('tells another payload under the same id, within the batch as well', async () => {
    const id = freshId();
    const inbox = db.inbox({ fingerprint: true });
    const outcomes = await inbox.processBatch([{ id, payload: { n: 1 } }, { id, payload: { n: 2 } }, { id, payload: { n: 1 } }], creditAll);
    expect(statuses(outcomes)).toEqual(['processed', 'payload-conflict', 'duplicate']);
    expect(statuses(await inbox.processBatch([{ id, payload: { n: 3 } }], creditAll))).toEqual(['payload-conflict']);
  });
});

describe('concurrent batches', () => {
  it('that overlap in opposite order do not deadlock, and apply each message once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const batch = messages(400);
      // No retry could hide a deadlock.
      const inboxes = [0, 1, 2, 3].map(() => db.inbox({ retries: 0, inFlight: { policy: 'wait', max: 10_000 } }));
      const ends = await Promise.all(
        inboxes.map((inbox, index) => inbox.processBatch(index % 2 === 0 ? batch : [...batch].reverse(), creditAll)),
      );
      for (const index of batch.keys()) {
        // A deadlock would show as a failed outcome.
        const ofOne = ends.map((outcomes, n) => outcomes[n % 2 === 0 ? index : batch.length - 1 - index]!.status);
        expect(ofOne.filter((status) => status === 'processed')).toHaveLength(1);
        expect(ofOne.filter((status) => status === 'duplicate')).toHaveLength(3);
      }
      const [{ sum }] = (await db.sql(`SELECT sum(balance) FROM "${db.schema}".accounts WHERE id = ANY($1)`, [batch.map(({ id }) => id)])) as [{ sum: string }];
      expect(Number(sum)).toBe(400);
    }
  });

  it('insert in the order of the key, which is what keeps them from deadlocks', async () => {
    const inbox = db.inbox({ consumer: 'sorted' });
    const batch = messages(50).sort(() => Math.random() - 0.5);
    await inbox.processBatch(batch, () => 1);
    const inserted = await db.sql(`SELECT id FROM "${db.schema}".processed WHERE consumer = 'sorted' ORDER BY ctid`);
    expect(inserted.map(({ id }) => id)).toEqual(batch.map(({ id }) => id).sort());
  });

  it('wait for a message that is in flight elsewhere, and do not hold up the rest', async () => {
    const batch = messages(8);
    const held = batch[5]!.id;
    const started = deferred();
    const goOn = deferred();
    const other = db.inbox().process({ id: held }, async (tx) => {
      await tx.query(credit(db.schema, held));
      started.resolve();
      await goOn.promise;
    });
    await reached(started.promise, other);
    const deferring = await db.inbox({ inFlight: { policy: 'defer' } }).processBatch(batch, creditAll);
    expect(statuses(deferring)).toEqual(batch.map(({ id }) => (id === held ? 'in-flight' : 'processed')));
    const waiting = db.inbox({ inFlight: { policy: 'wait', max: 5000 } }).processBatch(batch, creditAll);
    setTimeout(goOn.resolve, 300);
    expect(statuses(await waiting)).toEqual(batch.map(() => 'duplicate'));
    await other;
    for (const { id } of batch) expect(await db.balance(id)).toBe(1);
  });
});
