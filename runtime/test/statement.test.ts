import { describe, expect, it } from 'vitest';
import { ConnectionLostError, InboxConfigError } from '../src/index.js';
import { corner, freshId } from './database.js';
import { startProxy } from './proxy.js';

const db = corner();

const effect = (account: string, amount = 1) => ({
  text: `INSERT INTO "${db.schema}".accounts AS a (id, balance) SELECT $1, $2::int FROM recorded
ON CONFLICT (id) DO UPDATE SET balance = a.balance + excluded.balance`,
  values: [account, amount],
});

describe('the single statement', () => {
  it('records and applies in one round trip, and does nothing for a duplicate', async () => {
    const proxy = await startProxy(db.url);
    try {
      const pool = db.newPool({ connectionString: proxy.url });
      await pool.query('SELECT 1');
      const inbox = db.inbox({ pool });
      const id = freshId();
      const before = proxy.roundTrips;
      expect(await inbox.processStatement({ id }, effect(id))).toEqual({ status: 'processed', result: [], commit: 'confirmed' });
      expect(proxy.roundTrips - before).toBe(1);
      expect((await inbox.processStatement({ id }, effect(id))).status).toBe('duplicate');
      expect(await db.balance(id)).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  it('gives the rows of RETURNING in their own types', async () => {
    const id = freshId();
    const { text, values } = effect(id, 5);
    const outcome = await db.inbox().processStatement({ id }, { text: `${text} RETURNING id, balance, now() AS at`, values, returning: true });
    expect(outcome).toMatchObject({ status: 'processed', result: [{ id, balance: '5', at: expect.any(Date) }] });
  });

  it('tells an effect that matched no row from a duplicate', async () => {
    const id = freshId();
    const none = { text: `UPDATE "${db.schema}".accounts SET balance = 1 WHERE id = 'nobody' AND EXISTS (SELECT FROM recorded) RETURNING id`, returning: true };
    expect(await db.inbox().processStatement({ id }, none)).toMatchObject({ status: 'processed', result: [] });
    expect((await db.inbox().processStatement({ id }, none)).status).toBe('duplicate');
  });

  it('is applied exactly once under 16 concurrent deliveries of each message', async () => {
    const account = freshId('account');
    for (let n = 0; n < 20; n += 1) {
      const id = freshId();
      const outcomes = await Promise.all(Array.from({ length: 16 }, () => db.inbox().processStatement({ id }, effect(account))));
      expect(outcomes.filter(({ status }) => status === 'processed')).toHaveLength(1);
      expect(outcomes.filter(({ status }) => status === 'duplicate')).toHaveLength(15);
    }
    expect(await db.balance(account)).toBe(20);
  });

  it('leaves no record when the effect fails, at COMMIT as well', async () => {
    const id = freshId();
    await db.sql(`CREATE TABLE "${db.schema}".parent (id int PRIMARY KEY)`);
    await db.sql(`CREATE TABLE "${db.schema}".child (parent int REFERENCES "${db.schema}".parent DEFERRABLE INITIALLY DEFERRED)`);
    const inbox = db.inbox();
    await expect(inbox.processStatement({ id }, { text: `INSERT INTO "${db.schema}".child SELECT 42 FROM recorded` })).rejects.toMatchObject({ code: '23503' });
    await expect(inbox.processStatement({ id }, { text: `INSERT INTO "${db.schema}".child SELECT 1/0 FROM recorded` })).rejects.toMatchObject({ code: '22012' });
    expect(await db.recorded()).not.toContain(id);
    expect((await inbox.processStatement({ id }, effect(id))).status).toBe('processed');
  });

  it('passes the gate in the same statement', async () => {
    const entity = freshId('order');
    const statuses: string[] = [];
    for (const version of [2, 1, 2, 3]) {
      statuses.push((await db.inbox().processStatement({ id: freshId() }, effect(entity), { gate: { entity, version } })).status);
    }
    expect(statuses).toEqual(['processed', 'stale', 'stale', 'processed']);
    expect(await db.balance(entity)).toBe(2);
  });

  it('refuses an effect that would be applied to duplicates as well, and more than one statement', async () => {
    const inbox = db.inbox();
    const unguarded = { text: `UPDATE "${db.schema}".accounts SET balance = balance + 1` };
    await expect(inbox.processStatement({ id: freshId() }, unguarded)).rejects.toThrow(/EXISTS \(SELECT FROM recorded\)/);
    const two = { text: 'DELETE FROM a WHERE EXISTS (SELECT FROM recorded); DELETE FROM b' };
    await expect(inbox.processStatement({ id: freshId() }, two)).rejects.toThrow(InboxConfigError);
  });

  it('is looked up when the answer is lost', async () => {
    const proxy = await startProxy(db.url);
    try {
      const inbox = db.inbox({ pool: db.newPool({ connectionString: proxy.url }) });
      const [done, undone] = [freshId(), freshId()];
      proxy.cut = { when: 'after', at: /recorded/ };
      expect(await inbox.processStatement({ id: done }, effect(done))).toMatchObject({ status: 'processed', commit: 'looked-up' });
      proxy.cut = { when: 'before', at: /recorded/ };
      await expect(inbox.processStatement({ id: undone }, effect(undone))).rejects.toThrow(ConnectionLostError);
      expect((await inbox.processStatement({ id: undone }, effect(undone))).status).toBe('processed');
      expect([await db.balance(done), await db.balance(undone)]).toEqual([1, 1]);
    } finally {
      await proxy.close();
    }
  });
});

describe('prepared', () => {
  it('serves many messages, with every option, by one prepared statement', async () => {
    const pool = db.newPool({ max: 1 });
    const inbox = db.inbox({
      pool,
      fingerprint: true,
      poison: { maxAttempts: 2 },
      retention: { mode: 'delete', keep: 60_000 },
      consumer: 'prepared',
    });
    const entity = freshId('order');
    const statuses: string[] = [];
    for (const version of [1, 2, 2, 3]) {
      const message = { id: freshId(), payload: { version }, occurredAt: Date.now() };
      statuses.push((await inbox.processStatement(message, { ...effect(entity), prepare: true }, { gate: { entity, version } })).status);
    }
    expect(statuses).toEqual(['processed', 'processed', 'stale', 'processed']);
    const message = { id: freshId(), payload: 1, occurredAt: Date.now() };
    expect((await inbox.processStatement(message, { ...effect(entity), prepare: true })).status).toBe('processed');
    expect((await inbox.processStatement(message, { ...effect(entity), prepare: true })).status).toBe('duplicate');
    expect((await inbox.processStatement({ ...message, payload: 2 }, { ...effect(entity), prepare: true })).status).toBe('payload-conflict');
    expect((await inbox.processStatement({ id: freshId(), payload: 1, occurredAt: 0 }, { ...effect(entity), prepare: true })).status).toBe('expired');
    expect(await db.balance(entity)).toBe(4);
    const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name LIKE 'inbox_%'`);
    expect(rows).toEqual([{ n: 2 }]);
  });
});
