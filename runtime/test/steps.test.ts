import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { StepError } from '../src/index.js';
import { corner, credit, freshId } from './database.js';

const db = corner();

/** A payment service that recognises the key of a request, as Stripe does. */
function paymentService(): { charges: Map<string, number>; calls: string[]; charge: (key: string, amount: number) => Promise<{ id: string; amount: number }> } {
  const charges = new Map<string, number>();
  const calls: string[] = [];
  return {
    charges,
    calls,
    async charge(key, amount) {
      calls.push(key);
      charges.set(key, charges.get(key) ?? amount);
      return { id: `ch_${key}`, amount: charges.get(key)! };
    },
  };
}

describe('an external step', () => {
  it('is called once; a redelivery gets the stored result without a call', async () => {
    const service = paymentService();
    const message = { id: freshId() };
    const first = await db.inbox().step(message, 'charge', (key) => service.charge(key, 5));
    const second = await db.inbox().step(message, 'charge', (key) => service.charge(key, 5));
    expect(second).toEqual(first);
    expect(service.calls).toHaveLength(1);
  });

  it('gets a key that depends on consumer, tenant, message and step, and on nothing else', async () => {
    const id = freshId();
    const keyOf = async (options: object, step: string, message = { id }): Promise<string> => {
      let seen = '';
      await db.inbox(options).step(message, step, async (key) => void (seen = key)).catch(() => undefined);
      return seen;
    };
    const keys = [
      await keyOf({}, 'charge'),
      await keyOf({}, 'mail'),
      await keyOf({ consumer: 'shipping' }, 'charge'),
      await keyOf({ tenant: 'acme' }, 'charge'),
      await keyOf({}, 'charge', { id: freshId() }),
    ];
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is called again with the same key after a crash between call and store', async () => {
    const id = freshId();
    const calls: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const worker = fork(new URL('step.worker.mjs', import.meta.url), [db.url, db.schema, id, n === 0 ? 'crash' : 'go on'], { stdio: 'pipe' });
      worker.on('message', (key) => calls.push(String(key)));
      await new Promise((resolve) => worker.on('close', resolve));
    }
    expect(calls).toHaveLength(2);
    expect(calls[0]).toBe(calls[1]);
    expect(await db.inbox().step({ id }, 'charge', () => Promise.reject(new Error('called again')))).toEqual({ paid: true });
  });

  it('stores nothing when the call fails, and calls again with the same key', async () => {
    const message = { id: freshId() };
    const keys: string[] = [];
    const failing = db.inbox().step(message, 'charge', async (key) => {
      keys.push(key);
      throw new Error('timeout');
    });
    await expect(failing).rejects.toThrow('timeout');
    await db.inbox().step(message, 'charge', async (key) => void keys.push(key));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('gives the first call the same shape as every later one', async () => {
    const message = { id: freshId() };
    const call = async () => ({ at: new Date(0), nothing: undefined, list: [1, undefined] });
    const first = await db.inbox().step(message, 'charge', call);
    const second = await db.inbox().step(message, 'charge', call);
    expect(first).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [1, null] });
    expect(second).toEqual(first);
    const at: string = first.at;
    expect(typeof at).toBe('string');
    expect(await db.inbox().step(message, 'void', async () => undefined)).toBeNull();
    expect(await db.inbox().step(message, 'text', async () => "it's \\ $1 \0 🎈")).toBe("it's \\ $1 \0 🎈");
  });

  it('is shared by deliveries within the process, and the first stored result by all', async () => {
    const message = { id: freshId() };
    let calls = 0;
    const slow = async (): Promise<number> => {
      calls += 1;
      const mine = calls;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return mine;
    };
    const inbox = db.inbox();
    expect(await Promise.all([inbox.step(message, 's', slow), inbox.step(message, 's', slow)])).toEqual([1, 1]);
    const other = { id: freshId() };
    const both = await Promise.all([db.inbox().step(other, 's', slow), db.inbox().step(other, 's', slow)]);
    expect(both[0]).toBe(both[1]);
  });

  it('is refused inside a transaction, its own or the one that a message was recorded in', async () => {
    const inbox = db.inbox();
    const message = { id: freshId() };
    const never = (): Promise<never> => Promise.reject(new Error('called'));
    const inside = inbox.process(message, () => inbox.step(message, 'charge', never));
    await expect(inside).rejects.toThrow(StepError);
    await expect(inside).rejects.toThrow(/first and inbox\.process\(\) after it/);
    await expect(inbox.processBatch([message], () => inbox.step(message, 'charge', never))).resolves.toMatchObject([{ status: 'failed', error: expect.any(StepError) }]);
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await expect(inbox.record(client, message, () => inbox.step(message, 'charge', never))).rejects.toThrow(StepError);
    await client.query('ROLLBACK');
    client.release();
  });

  it('says so when the result cannot be stored', async () => {
    const message = { id: freshId() };
    await expect(db.inbox().step(message, 'charge', async () => ({ n: 1n }))).rejects.toThrow(/calls again with the same key/);
    await expect(db.inbox().step(message, '', async () => 1)).rejects.toThrow(/name of the step/);
  });

  it('and the transaction together make the whole message idempotent', async () => {
    const service = paymentService();
    const id = freshId();
    const inbox = db.inbox();
    const handle = async (): Promise<string> => {
      const charge = await inbox.step({ id }, 'charge', (key) => service.charge(key, 5));
      return (await inbox.process({ id }, (tx) => tx.query(credit(db.schema, id, charge.amount)))).status;
    };
    expect([await handle(), await handle(), await handle()]).toEqual(['processed', 'duplicate', 'duplicate']);
    expect(service.charges.size).toBe(1);
    expect(await db.balance(id)).toBe(5);
  });
});
