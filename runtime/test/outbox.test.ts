import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createRelay, type OutboxMessage, type RelayOptions } from '../src/index.js';
import { corner, deferred, freshId, reached } from './database.js';

const db = corner();
const relay = (send: RelayOptions['send'], options: Partial<RelayOptions> = {}) =>
  createRelay({ pool: db.pool, schema: db.schema, send, every: 10, ...options });
const waiting = async (destination: string): Promise<Record<string, unknown>[]> =>
  db.sql(`SELECT * FROM "${db.schema}".outbox WHERE destination = $1 ORDER BY position`, [destination]);

/** Enqueues each in a message of its own, one after the other. */
async function enqueueAll(destination: string, payloads: unknown[], key?: string): Promise<void> {
  for (const payload of payloads) await db.inbox().process({ id: freshId() }, (tx) => tx.enqueue(destination, payload, { key }));
}

describe('an outbox row', () => {
  it('commits with the message, and goes with its failure', async () => {
    const [kept, lost] = [freshId('kept'), freshId('lost')];
    const inbox = db.inbox();
    await inbox.process({ id: freshId() }, (tx) => tx.enqueue(kept, { n: 1 }));
    const failing = inbox.process({ id: freshId() }, async (tx) => {
      await tx.enqueue(lost, { n: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await waiting(kept)).toHaveLength(1);
    expect(await waiting(lost)).toHaveLength(0);
  });

  it('goes with the part of the handler that was undone', async () => {
    const destination = freshId('part');
    await db.inbox().process({ id: freshId() }, async (tx) => {
      await tx.enqueue(destination, 'whole');
      await tx.savepoint(
        async (part) => {
          await part.enqueue(destination, 'part');
          throw new Error('no');
        },
        { optional: true },
      );
    });
    expect((await waiting(destination)).map(({ payload }) => payload)).toEqual(['"whole"']);
  });

  it('has an id that a rerun of the handler gives again', async () => {
    const id = freshId();
    const ids: string[] = [];
    let runs = 0;
    await db.inbox().process({ id }, async (tx) => {
      ids.push(await tx.enqueue('mail', 1), await tx.enqueue('mail', 2));
      if ((runs += 1) === 1) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    });
    expect(runs).toBe(2);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(2);
  });

  it('refuses what cannot be sent', async () => {
    const enqueue = (destination: string, payload: unknown) => db.inbox().process({ id: freshId() }, (tx) => tx.enqueue(destination, payload));
    await expect(enqueue('', 1)).rejects.toThrow(/destination is empty/);
    await expect(enqueue('mail', undefined)).rejects.toThrow(/no JSON/);
  });
});

describe('a relay', () => {
  it('sends what was committed, with its id, key and headers, and forgets it', async () => {
    const destination = freshId('mail');
    const id = (await db.inbox().process({ id: freshId() }, (tx) => tx.enqueue(destination, { to: "o'hara ?" }, { key: 'k', headers: { trace: '1' } })))as { result: string };
    const sent: OutboxMessage[] = [];
    const one = relay(async (message) => void (message.destination === destination && sent.push(message)));
    while ((await one.once()).sent > 0);
    expect(sent).toEqual([
      { id: id.result, destination, key: 'k', payload: { to: "o'hara ?" }, headers: { trace: '1' }, createdAt: expect.any(Date), attempts: 0 },
    ]);
    expect(await waiting(destination)).toEqual([]);
  });

  it('sends again under the same id after a crash between sending and forgetting', async () => {
    const destination = freshId('crash');
    await enqueueAll(destination, [1]);
    const ids: string[] = [];
    for (const then of ['crash', 'go on']) {
      const worker = fork(new URL('relay.worker.mjs', import.meta.url), [db.url, db.schema, then, destination], { stdio: 'pipe' });
      worker.on('message', (id) => ids.push(String(id)));
      await new Promise((resolve) => worker.on('close', resolve));
    }
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(await waiting(destination)).toEqual([]);
  });

  it('keeps a message that failed and all later ones of its key, and sends the others', async () => {
    const destination = freshId('order');
    await enqueueAll(destination, ['a1', 'a2'], 'a');
    await enqueueAll(destination, ['b1', 'b2'], 'b');
    const sent: unknown[] = [];
    let down = true;
    const errors: unknown[] = [];
    const one = relay(
      async ({ destination: to, key, payload }) => {
        if (to !== destination) return;
        if (key === 'a' && down) throw new Error('broker down');
        sent.push(payload);
      },
      { backoff: 2000, onError: (error) => errors.push(error) },
    );
    await one.once();
    expect(sent).toEqual(['b1', 'b2']);
    expect(await one.once()).toEqual({ sent: 0, failed: 0 });
    expect(errors).toHaveLength(1);
    expect((await waiting(destination))[0]).toMatchObject({ attempts: 1, last_error: 'Error: broker down' });
    // A later message of the key does not overtake, though it is due. The wait is long enough for a busy machine.
    await enqueueAll(destination, ['a3'], 'a');
    expect(await one.once()).toEqual({ sent: 0, failed: 0 });
    down = false;
    await expect.poll(() => one.once(), { timeout: 10_000 }).toMatchObject({ sent: 3 });
    expect(sent).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']);
  });

  it('stays in order per key with several relays at once, each message sent once', async () => {
    const destination = freshId('many');
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(keys.map((key) => enqueueAll(destination, Array.from({ length: 20 }, (_, n) => n), key)));
    const sent = new Map<string, unknown[]>(keys.map((key) => [key, []]));
    const relays = Array.from({ length: 4 }, () =>
      relay(
        async ({ destination: to, key, payload }) => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
          if (to === destination) sent.get(key!)!.push(payload);
        },
        { keys: 2, perKey: 3 },
      ),
    );
    const running = relays.map((one) => one.run());
    await expect.poll(async () => (await waiting(destination)).length, { timeout: 20_000 }).toBe(0);
    await Promise.all(relays.map((one) => one.stop()));
    await Promise.all(running);
    for (const key of keys) expect(sent.get(key)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('never sees a key in another order than its commits', async () => {
    const destination = freshId('commit');
    const first = deferred();
    const enqueued = deferred();
    const slow = db.inbox().process({ id: freshId() }, async (tx) => {
      await tx.enqueue(destination, 1, { key: 'k' });
      enqueued.resolve();
      await first.promise;
    });
    await reached(enqueued.promise, slow);
    // Without a lock on the key this would draw a later position, yet commit and be sent first.
    const fast = db.inbox().process({ id: freshId() }, (tx) => tx.enqueue(destination, 2, { key: 'k' }));
    const sent: unknown[] = [];
    const one = relay(async ({ destination: to, payload }) => void (to === destination && sent.push(payload)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await one.once();
    expect(sent).toEqual([]);
    first.resolve();
    await Promise.all([slow, fast]);
    while ((await one.once()).sent > 0);
    expect(sent).toEqual([1, 2]);
  });

  it('survives a database that is away for a while, and stops when told', async () => {
    const destination = freshId('away');
    const errors: unknown[] = [];
    let away = true;
    const pool = { connect: () => (away ? Promise.reject(new Error('ECONNREFUSED')) : db.pool.connect()) };
    const sent: unknown[] = [];
    const one = relay(async ({ destination: to, payload }) => void (to === destination && sent.push(payload)), { pool, onError: (error) => errors.push(error) });
    const running = one.run();
    await enqueueAll(destination, ['x']);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    away = false;
    await expect.poll(() => sent).toEqual(['x']);
    await one.stop();
    await running;
  });
});
