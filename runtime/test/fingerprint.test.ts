import { describe, expect, it } from 'vitest';
import { InvalidMessageError } from '../src/index.js';
import { fingerprint } from '../src/fingerprint.js';
import { corner, freshId } from './database.js';

const db = corner();

describe('the fingerprint of a payload', () => {
  it('tells another payload under the same id from a duplicate', async () => {
    const id = freshId();
    const inbox = db.inbox({ fingerprint: true });
    expect((await inbox.process({ id, payload: { amount: 5, currency: 'EUR' } }, () => 1)).status).toBe('processed');
    expect((await inbox.process({ id, payload: { currency: 'EUR', amount: 5 } }, () => 1)).status).toBe('duplicate');
    expect((await inbox.process({ id, payload: { amount: 6, currency: 'EUR' } }, () => 1)).status).toBe('payload-conflict');
  });

  it('is not fooled by a delivery that waited for the other one in memory', async () => {
    const id = freshId();
    const inbox = db.inbox({ fingerprint: true, inFlight: { policy: 'coalesce', max: 5000 } });
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));
    const outcomes = await Promise.all([1, 1, 2].map((amount) => inbox.process({ id, payload: amount }, slow)));
    expect(outcomes.map(({ status }) => status)).toEqual(['processed', 'duplicate', 'payload-conflict']);
  });

  it('can be made by a function', async () => {
    const id = freshId();
    const inbox = db.inbox({ fingerprint: ({ payload }) => String((payload as { total: number }).total) });
    await inbox.process({ id, payload: { total: 5, sentAt: 1 } }, () => 1);
    expect((await inbox.process({ id, payload: { total: 5, sentAt: 2 } }, () => 1)).status).toBe('duplicate');
    expect((await inbox.process({ id, payload: { total: 6, sentAt: 2 } }, () => 1)).status).toBe('payload-conflict');
  });

  it('does not compare with records from before it was switched on', async () => {
    const id = freshId();
    await db.inbox().process({ id, payload: 1 }, () => 1);
    expect((await db.inbox({ fingerprint: true }).process({ id, payload: 2 }, () => 1)).status).toBe('duplicate');
  });

  it('differs where values differ', () => {
    const values = [null, 0, '0', 0n, false, '', [], {}, [1, 2], [2, 1], [[1], 2], { a: 1 }, { a: '1' }, { a: { b: 1 } }, { ab: 1 }, Buffer.from('a'), 'a', new Date(0)];
    const prints = values.map((value) => fingerprint(value).toString('hex'));
    expect(new Set(prints).size).toBe(values.length);
    expect(fingerprint({ a: 1, b: undefined })).toEqual(fingerprint({ a: 1 }));
  });

  it.each([['a cycle', cyclic()], ['a Map', new Map()], ['a function', { f: () => 1 }]])('refuses %s', async (what, payload) => {
    const handling = db.inbox({ fingerprint: true }).process({ id: freshId(), payload }, () => 1);
    await expect(handling).rejects.toThrow(InvalidMessageError);
    await expect(handling).rejects.toThrow(what);
  });
});

function cyclic(): object {
  const loop: { self?: object } = {};
  loop.self = loop;
  return loop;
}
