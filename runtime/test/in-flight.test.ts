import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { InFlightPolicy } from '../src/index.js';
import { corner, credit, deferred, freshId, reached } from './database.js';

const db = corner();

const wait: InFlightPolicy = { policy: 'wait', max: 5000 };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Holds a message in flight in an inbox of its own, as another process would. */
function hold(id: string, pool = db.newPool()): { started: Promise<void>; end: (error?: Error) => void; ended: Promise<unknown> } {
  const started = deferred();
  const gate = deferred();
  const ended = db.inbox({ pool }).process({ id }, async (tx) => {
    await tx.query(credit(db.schema, id));
    started.resolve();
    await gate.promise;
  });
  ended.catch(() => undefined);
  return { started: reached(started.promise, ended), end: (error) => (error ? gate.reject(error) : gate.resolve()), ended };
}

describe('a duplicate of a message that another process is handling', () => {
  it('waits for its commit and then skips', async () => {
    const id = freshId();
    const other = hold(id);
    await other.started;
    const waiting = db.inbox({ inFlight: wait }).process({ id }, (tx) => tx.query(credit(db.schema, id)));
    await sleep(100);
    other.end();
    expect((await waiting).status).toBe('duplicate');
    expect(await db.balance(id)).toBe(1);
  });

  it('waits for its failure and then processes', async () => {
    const id = freshId();
    const other = hold(id);
    await other.started;
    const waiting = db.inbox({ inFlight: wait }).process({ id }, (tx) => tx.query(credit(db.schema, id)));
    await sleep(100);
    other.end(new Error('gave up'));
    expect((await waiting).status).toBe('processed');
    expect(await db.balance(id)).toBe(1);
  });

  it('is in-flight after the longest wait, never a duplicate', async () => {
    const id = freshId();
    const other = hold(id);
    await other.started;
    const outcome = await db.inbox({ inFlight: { policy: 'wait', max: 150 } }).process({ id }, () => 1);
    expect(outcome).toEqual({ status: 'in-flight' });
    other.end();
    await other.ended;
  });

  it('is in-flight at once where deferred', async () => {
    const id = freshId();
    const other = hold(id);
    await other.started;
    const before = Date.now();
    expect(await db.inbox({ inFlight: { policy: 'defer' } }).process({ id }, () => 1)).toEqual({ status: 'in-flight' });
    expect(Date.now() - before).toBeLessThan(150);
    other.end();
    await other.ended;
  });

  it('does not hold up a message with another id', async () => {
    const other = hold(freshId());
    await other.started;
    const before = Date.now();
    expect((await db.inbox({ inFlight: wait }).process({ id: freshId() }, () => 1)).status).toBe('processed');
    expect(Date.now() - before).toBeLessThan(1000);
    other.end();
    await other.ended;
  });

  it('finds a record that was written without the lock of the inbox, by waiting for it a bounded time', async () => {
    const id = freshId();
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO "${db.schema}".processed (consumer, tenant, id) VALUES ('billing', '', $1)`, [id]);
    expect((await db.inbox({ inFlight: { policy: 'defer' } }).process({ id }, () => 1)).status).toBe('in-flight');
    await client.query('COMMIT');
    client.release();
    expect((await db.inbox().process({ id }, () => 1)).status).toBe('duplicate');
  });
});

describe('a burst of duplicates of one slow message', () => {
  it.each([
    ['in this process', () => undefined],
    ['in another process', (id: string) => hold(id)],
  ])('does not drain the pool, the slow one being %s', async (_where, elsewhere) => {
    const id = freshId();
    const other = elsewhere(id);
    await other?.started;
    const pool = db.newPool({ max: 4 });
    const inbox = db.inbox({ pool, inFlight: wait });
    const slow = deferred();
    const burst = Array.from({ length: 40 }, () =>
      inbox.process({ id }, async (tx) => {
        await tx.query(credit(db.schema, id));
        await slow.promise;
      }),
    );
    await sleep(200);
    for (let i = 0; i < 5; i += 1) {
      const before = Date.now();
      await pool.query('SELECT 1');
      expect(Date.now() - before).toBeLessThan(150);
      expect(pool.waitingCount).toBe(0);
    }
    slow.resolve();
    other?.end();
    const statuses = (await Promise.all(burst)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'processed')).toHaveLength(other ? 0 : 1);
    expect(statuses.filter((status) => status === 'duplicate')).toHaveLength(other ? 40 : 39);
    expect(await db.balance(id)).toBe(1);
  });
});

describe('within one process', () => {
  it('coalesce shares the failure of the running delivery, wait does not', async () => {
    for (const [policy, runsExpected] of [['coalesce', 1], ['wait', 3]] as const) {
      const id = freshId();
      const inbox = db.inbox({ inFlight: { policy, max: 5000 } });
      let runs = 0;
      const deliveries = Array.from({ length: 3 }, () =>
        inbox.process({ id }, async () => {
          runs += 1;
          await sleep(50);
          throw new Error('broken');
        }),
      );
      const ends = await Promise.allSettled(deliveries);
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(runs).toBe(runsExpected);
    }
  });

  it('defer answers at once', async () => {
    const id = freshId();
    const inbox = db.inbox({ inFlight: { policy: 'defer' } });
    const slow = deferred();
    const running = inbox.process({ id }, () => slow.promise);
    expect(await inbox.process({ id }, () => 1)).toEqual({ status: 'in-flight' });
    slow.resolve();
    await running;
  });
});

describe('several processes', () => {
  it('apply each of many messages once, however often and wherever it is delivered', async () => {
    const account = freshId('account');
    const workers = Array.from({ length: 3 }, () =>
      fork(new URL('duplicates.worker.mjs', import.meta.url), [db.url, db.schema, account], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on('exit', resolve))));
    expect(codes).toEqual([0, 0, 0]);
    expect(await db.balance(account)).toBe(50);
  });
});
