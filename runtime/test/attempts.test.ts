import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { InboxError } from '../src/index.js';
import { corner, credit, freshId } from './database.js';

const db = corner();
const broken = (): never => {
  throw new Error('cannot parse the body');
};

describe('a message that fails again and again', () => {
  it('is parked at the given attempt, which is told by its outcome, and no longer handled', async () => {
    const id = freshId();
    const inbox = db.inbox({ poison: { maxAttempts: 3 } });
    await expect(inbox.process({ id }, broken)).rejects.toThrow('cannot parse');
    await expect(inbox.process({ id }, broken)).rejects.toThrow('cannot parse');
    expect(await inbox.process({ id }, broken)).toMatchObject({ status: 'parked', attempts: 3, error: { message: 'cannot parse the body' } });
    let ran = false;
    const outcome = await inbox.process({ id }, () => {
      ran = true;
    });
    expect(outcome).toEqual({ status: 'parked', attempts: 3 });
    expect(ran).toBe(false);
    expect(await db.recorded()).not.toContain(id);
  });

  it('is parked at once where one attempt is allowed', async () => {
    expect((await db.inbox({ poison: { maxAttempts: 1 } }).process({ id: freshId() }, broken)).status).toBe('parked');
  });

  it('is not parked by an error that is not its own', async () => {
    const id = freshId();
    const inbox = db.inbox({ poison: { maxAttempts: 1 }, retries: 0 });
    const conflict = inbox.process({ id }, (tx) => tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`));
    await expect(conflict).rejects.toMatchObject({ code: '40001' });
    const killed = inbox.process({ id }, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(killed).rejects.toThrow();
    expect((await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).status).toBe('processed');
  });

  it('does not stop other messages, consumers or tenants', async () => {
    const id = freshId();
    await db.inbox({ poison: { maxAttempts: 1 } }).process({ id }, broken);
    for (const options of [{ consumer: 'shipping' }, { tenant: 'acme' }]) {
      expect((await db.inbox({ poison: { maxAttempts: 1 }, ...options }).process({ id }, () => 1)).status).toBe('processed');
    }
  });
});

describe('parked messages', () => {
  const parking = (consumer: string) => db.inbox<{ event: string; body?: unknown }>({
    consumer,
    message: ({ event }) => ({ id: event }),
    poison: { maxAttempts: 1 },
  });

  it('are listed with their error and input, the oldest first and in pages', async () => {
    const inbox = parking('list');
    const events = [freshId(), freshId(), freshId()];
    for (const event of events) await inbox.process({ event, body: { "it's": '?' } }, broken);
    const all = await inbox.parked.list();
    expect(all.map(({ id }) => id)).toEqual(events);
    expect(all[0]).toMatchObject({ attempts: 1, error: expect.stringContaining('cannot parse the body'), input: { event: events[0], body: { "it's": '?' } } });
    const first = await inbox.parked.list({ limit: 2 });
    const second = await inbox.parked.list({ limit: 2, after: first.at(-1)! });
    expect([...first, ...second].map(({ id }) => id)).toEqual(events);
    expect(await inbox.parked.get(events[1]!)).toMatchObject({ id: events[1] });
    expect(await inbox.parked.get('nobody')).toBeUndefined();
  });

  it('can be released and handled again, from the stored input', async () => {
    const inbox = parking('release');
    const event = freshId();
    await inbox.process({ event, body: 7 }, broken);
    const { input } = await inbox.parked.release(event);
    expect(await inbox.process(input!, (tx) => tx.query(credit(db.schema, event)))).toMatchObject({ status: 'processed' });
    expect(await inbox.parked.list()).toEqual([]);
    expect(await db.balance(event)).toBe(1);
  });

  it('can be discarded, and are then duplicates', async () => {
    const inbox = parking('discard');
    const event = freshId();
    await inbox.process({ event }, broken);
    await inbox.parked.discard(event);
    expect((await inbox.process({ event }, () => 1)).status).toBe('duplicate');
    expect(await inbox.parked.list()).toEqual([]);
    await expect(inbox.parked.discard(event)).rejects.toThrow(InboxError);
    await expect(inbox.parked.release(event)).rejects.toThrow(/inbox\.parked\.list/);
  });

  it('are parked even if the input is no JSON', async () => {
    const inbox = parking('no-json');
    const event = freshId();
    const input: { event: string; body: unknown } = { event, body: undefined };
    input.body = input;
    expect((await inbox.process(input, broken)).status).toBe('parked');
    expect(await inbox.parked.get(event)).toMatchObject({ input: undefined });
  });
});

describe('counting starts', () => {
  it('parks a message that kills the process, which counting failures would never notice', async () => {
    const id = freshId();
    const exits: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const worker = fork(new URL('suicidal.worker.mjs', import.meta.url), [db.url, db.schema, id], { stdio: 'pipe' });
      let output = '';
      worker.stdout!.on('data', (data) => (output += String(data)));
      const signal = await new Promise((resolve) => worker.on('close', (_code, how) => resolve(how)));
      exits.push(signal ?? output.trim());
    }
    expect(exits).toEqual(['SIGKILL', 'SIGKILL', 'parked']);
  });

  it('leaves no count behind a success', async () => {
    const id = freshId();
    const inbox = db.inbox({ poison: { maxAttempts: 2, count: 'starts', pool: db.newPool({ max: 1 }) } });
    await expect(inbox.process({ id }, broken)).rejects.toThrow();
    expect((await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id)))).status).toBe('processed');
    expect(await db.sql(`SELECT * FROM "${db.schema}".attempts WHERE id = $1`, [id])).toEqual([]);
    for (let n = 0; n < 5; n += 1) expect((await inbox.process({ id }, () => 1)).status).toBe('duplicate');
  });

  it('parks a failing message at the same attempt', async () => {
    const id = freshId();
    const inbox = db.inbox({ poison: { maxAttempts: 2, count: 'starts', pool: db.newPool({ max: 1 }) } });
    await expect(inbox.process({ id }, broken)).rejects.toThrow();
    expect(await inbox.process({ id }, broken)).toMatchObject({ status: 'parked', attempts: 2 });
    expect((await inbox.process({ id }, broken)).status).toBe('parked');
  });
});
