import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { pglitePool, startPostgres } from '../src/embedded.js';
import { RolledBackError, createInbox, days } from '../src/index.js';

describe('PGlite', () => {
  it('carries the same API within the process', async () => {
    const db = await PGlite.create();
    const pool = pglitePool(db, 200);
    const inbox = createInbox({ pool, consumer: 'billing', retention: { mode: 'delete', keep: days(1) }, poison: { maxAttempts: 1 }, inFlight: { policy: 'wait', max: 100 } });
    await inbox.migrate();
    expect(await inbox.check()).toEqual(expect.not.arrayContaining([expect.objectContaining({ severity: 'error' })]));
    await pool.query('CREATE TABLE accounts (id text PRIMARY KEY, balance int)');
    const id = "o'hara ?";
    const add = { text: 'INSERT INTO accounts AS a VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET balance = a.balance + 1', values: [id] };
    expect((await inbox.process({ id }, (tx) => tx.query(add))).status).toBe('processed');
    expect((await inbox.process({ id }, (tx) => tx.query(add))).status).toBe('duplicate');
    const both = await Promise.all([inbox.process({ id: 'b' }, (tx) => tx.query(add)), inbox.process({ id: 'c' }, (tx) => tx.query(add))]);
    expect(both.map(({ status }) => status)).toEqual(['processed', 'processed']);
    expect((await pool.query('SELECT balance FROM accounts WHERE id = $1', [id])).rows).toEqual([{ balance: 3 }]);

    const swallowing = createInbox({ pool, consumer: 'billing' }).process({ id: 'd' }, async (tx) => {
      await tx.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(RolledBackError);
    expect((await inbox.process({ id: 'e' }, () => Promise.reject(new Error('poison')))).status).toBe('parked');
    expect((await inbox.processBatch([{ id: 'f' }, { id: 'f' }, { id: 'e' }], (tx) => tx.query(add))).map(({ status }) => status)).toEqual(['processed', 'duplicate', 'parked']);
    expect(await inbox.step({ id: 'g' }, 'call', async () => 1)).toBe(1);
    expect((await inbox.process({ id: 'g' }, () => 1, { gate: { entity: 'x', version: 1 } })).status).toBe('processed');
    expect((await inbox.process({ id: 'h' }, () => 1, { gate: { entity: 'x', version: 1 } })).status).toBe('stale');
    expect(await inbox.prune()).toMatchObject({ complete: true });
    await expect(createInbox({ pool, consumer: 'billing' }).process({ id: 'i' }, () => pool.query('SELECT 1'))).rejects.toThrow(/needs two at once/);
    await db.close();
  });
});

describe('embedded PostgreSQL', () => {
  it('starts, survives a restart without losing what was committed, and goes away', async () => {
    const server = await startPostgres({ flags: ['-c', 'max_connections=20'] });
    const pool = new pg.Pool({ connectionString: server.connectionString });
    pool.on('error', () => undefined);
    const inbox = createInbox({ pool, consumer: 'billing' });
    await inbox.migrate();
    expect((await inbox.process({ id: 'a' }, () => 1)).status).toBe('processed');
    await server.restart();
    expect((await inbox.process({ id: 'a' }, () => 1)).status).toBe('duplicate');
    await pool.end();
    await server.stop();
  });
});
