import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionLostError, UnknownCommitError } from '../src/index.js';
import { corner, credit, deferred, freshId, reached } from './database.js';
import { atCommit, startProxy, type Proxy } from './proxy.js';

const db = corner();
let proxy: Proxy;

beforeEach(async () => {
  proxy = await startProxy(db.url);
});
afterEach(() => proxy.close());

const throughProxy = (resolveWithin = 3000) => db.inbox({ pool: db.newPool({ connectionString: proxy.url, max: 2 }), resolveWithin });

describe('a connection lost at COMMIT', () => {
  it('is processed if the record is found on a new connection', async () => {
    const id = freshId();
    proxy.cut = { when: 'after', at: atCommit };
    const outcome = await throughProxy().process({ id }, async (tx) => {
      await tx.query(credit(db.schema, id));
      return 'paid';
    });
    expect(outcome).toEqual({ status: 'processed', result: 'paid', commit: 'looked-up' });
    expect(await db.balance(id)).toBe(1);
  });

  it('is an error that promises a rollback if COMMIT never arrived', async () => {
    const id = freshId();
    const inbox = throughProxy();
    proxy.cut = { when: 'before', at: atCommit };
    await expect(inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).rejects.toThrow(ConnectionLostError);
    expect(await db.balance(id)).toBe(0);
    expect((await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).status).toBe('processed');
    expect(await db.balance(id)).toBe(1);
  });

  it('is told as unknown if no new connection can be had', async () => {
    const id = freshId();
    const inbox = throughProxy(300);
    const handling = inbox.process({ id }, async (tx) => {
      await tx.query(credit(db.schema, id));
      proxy.cut = { when: 'after', at: atCommit };
      proxy.refuse = true;
    });
    await expect(handling).rejects.toThrow(UnknownCommitError);
    await expect(handling).rejects.toThrow(/Do not acknowledge/);
    proxy.refuse = false;
    expect((await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).status).toBe('duplicate');
    expect(await db.balance(id)).toBe(1);
  });

  it.each(['with', 'without'])('is not called lost while the old transaction, %s the lock of the inbox, may still commit', async (lock) => {
    const id = freshId();
    const blocker = await db.pool.connect();
    await blocker.query('BEGIN');
    if (lock === 'with') await db.inbox().record(blocker, { id });
    else await blocker.query(`INSERT INTO "${db.schema}".processed (consumer, tenant, id) VALUES ('billing', '', $1)`, [id]);
    const { resolveCommit } = await import('../src/commit.js');
    const { settings } = await import('../src/options.js');
    const { check } = await import('../src/record.js');
    const set = settings({ pool: db.pool, schema: db.schema, consumer: 'billing', resolveWithin: 500 });
    const checked = check(set, { id });
    await expect(resolveCommit(set, checked, new Error('cut'))).rejects.toThrow(UnknownCommitError);
    await blocker.query('COMMIT');
    blocker.release();
    expect(await resolveCommit(set, checked, new Error('cut'))).toBe(true);
  });

  it('leaves no failed transaction on a connection of the pool after the look-up had to wait', async () => {
    const id = freshId();
    const pool = db.newPool({ connectionString: proxy.url, max: 1 });
    const blocker = await db.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query(`INSERT INTO "${db.schema}".processed (consumer, tenant, id) VALUES ('billing', '', $1)`, [id]);
    const { resolveCommit } = await import('../src/commit.js');
    const { settings } = await import('../src/options.js');
    const { check } = await import('../src/record.js');
    const set = settings({ pool, schema: db.schema, consumer: 'billing', resolveWithin: 500 });
    proxy.lateStatus = true;
    await expect(resolveCommit(set, check(set, { id }), new Error('cut'))).rejects.toThrow(UnknownCommitError);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await blocker.query('ROLLBACK');
    blocker.release();
  });

  it('resolves each message of a batch', async () => {
    const ids = [freshId(), freshId(), freshId()];
    proxy.cut = { when: 'after', at: atCommit };
    const outcomes = await throughProxy().processBatch(
      ids.map((id) => ({ id })),
      async (tx, messages) => {
        for (const { id } of messages) await tx.query(credit(db.schema, id));
      },
    );
    expect(outcomes).toEqual(ids.map(() => expect.objectContaining({ status: 'processed', commit: 'looked-up' })));
    for (const id of ids) expect(await db.balance(id)).toBe(1);
  });
});

describe('a connection lost while the handler runs', () => {
  it('rejects, leaves no record, and does not end the process when no query is under way', async () => {
    const id = freshId();
    const inside = deferred();
    const goOn = deferred();
    const inbox = db.inbox();
    const handling = inbox.process({ id }, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await tx.query(credit(db.schema, id));
      await db.sql('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      inside.resolve();
      await goOn.promise;
    });
    await reached(inside.promise, handling);
    await new Promise((resolve) => setTimeout(resolve, 100));
    goOn.resolve();
    await expect(handling).rejects.toThrow();
    expect(await db.balance(id)).toBe(0);
    expect((await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).status).toBe('processed');
    expect(await db.balance(id)).toBe(1);
  });

  it('is ended by the server when the handler goes silent for longer than idleTimeout', async () => {
    const id = freshId();
    const silent = db.inbox({ idleTimeout: 200 }).process({ id }, async (tx) => {
      await tx.query(credit(db.schema, id));
      await new Promise((resolve) => setTimeout(resolve, 600));
      await tx.query('SELECT 1');
    });
    await expect(silent).rejects.toThrow();
    expect((await db.inbox().process({ id }, () => 1)).status).toBe('processed');
  });

  it('leaves no setting behind on the connection', async () => {
    const pool = db.newPool({ max: 1 });
    await db.inbox({ pool, idleTimeout: 1234 }).process({ id: freshId() }, () => 1);
    const { rows } = await pool.query(
      `SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('lock_timeout') AS lock`,
    );
    expect(rows).toEqual([{ idle: '0', lock: '0' }]);
  });

  it('gives the handler the lock_timeout of its role, not that of the record', async () => {
    const pool = db.newPool({ max: 1, options: '-c lock_timeout=7s' });
    const outcome = await db.inbox({ pool }).process({ id: freshId() }, async (tx) =>
      (await tx.query<{ lock_timeout: string }>('SHOW lock_timeout')).rows[0]!.lock_timeout,
    );
    expect(outcome).toMatchObject({ result: '7s' });
  });
});

describe('an orphan', () => {
  it('does not hold its message: a killed backend frees it', async () => {
    const id = freshId();
    const client = await db.newPool().connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    const inbox = db.inbox({ inFlight: { policy: 'wait', max: 5000 } });
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await inbox.record(client, { id });
    const waiting = inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await db.sql('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    expect((await waiting).status).toBe('processed');
    client.release(true);
  });
});
