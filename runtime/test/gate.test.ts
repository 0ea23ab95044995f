import { describe, expect, it } from 'vitest';
import { InboxConfigError, InvalidMessageError, upsertIfNewer } from '../src/index.js';
import { corner, credit, freshId } from './database.js';
import { startProxy } from './proxy.js';

const db = corner();
const shuffled = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1).sort(() => Math.random() - 0.5);

describe('the gate of process', () => {
  it('lets only newer versions of an entity pass; stale ones change nothing, not even the record', async () => {
    const entity = freshId('order');
    const inbox = db.inbox();
    const statuses: string[] = [];
    for (const version of [5, 3, 5, 6n, Number.MAX_SAFE_INTEGER]) {
      const id = freshId();
      const outcome = await inbox.process({ id }, (tx) => tx.query(credit(db.schema, entity)), { gate: { entity, version } });
      statuses.push(outcome.status);
      expect((await db.recorded()).includes(id)).toBe(outcome.status === 'processed');
    }
    expect(statuses).toEqual(['processed', 'stale', 'stale', 'processed', 'processed']);
    expect(await db.balance(entity)).toBe(3);
  });

  it('is not raised by a handler that fails', async () => {
    const entity = freshId('order');
    const inbox = db.inbox();
    const failing = inbox.process({ id: freshId() }, () => Promise.reject(new Error('no')), { gate: { entity, version: 9 } });
    await expect(failing).rejects.toThrow('no');
    expect((await inbox.process({ id: freshId() }, () => 1, { gate: { entity, version: 2 } })).status).toBe('processed');
  });

  it('is not raised by a duplicate', async () => {
    const entity = freshId('order');
    const id = freshId();
    const inbox = db.inbox();
    await inbox.process({ id }, () => 1, { gate: { entity, version: 1 } });
    expect((await inbox.process({ id }, () => 1, { gate: { entity, version: 7 } })).status).toBe('duplicate');
    expect((await inbox.process({ id: freshId() }, () => 1, { gate: { entity, version: 2 } })).status).toBe('processed');
  });

  it('costs no round trip of its own', async () => {
    const proxy = await startProxy(db.url);
    try {
      const pool = db.newPool({ connectionString: proxy.url });
      await pool.query('SELECT 1');
      const before = proxy.roundTrips;
      await db.inbox({ pool }).process({ id: freshId() }, (tx) => tx.query('SELECT 1'), { gate: { entity: freshId(), version: 1 } });
      expect(proxy.roundTrips - before).toBe(3);
    } finally {
      await proxy.close();
    }
  });

  it('ends at the highest of 200 shuffled versions from 8 consumers, and never goes back', async () => {
    const entity = freshId('order');
    await db.sql(`CREATE TABLE "${db.schema}".history (n serial, version int)`);
    const versions = shuffled(200);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let version = versions.pop(); version !== undefined; version = versions.pop()) {
          const now = version;
          await db.inbox().process({ id: freshId() }, (tx) => tx.query(`INSERT INTO "${db.schema}".history (version) VALUES ($1)`, [now]), {
            gate: { entity, version: now },
          });
        }
      }),
    );
    const applied = (await db.sql(`SELECT version FROM "${db.schema}".history ORDER BY n`)).map((row) => Number(row.version));
    expect(applied).toEqual([...applied].sort((a, b) => a - b));
    expect(applied.at(-1)).toBe(200);
  });

  it('keeps the entities of consumers and tenants apart', async () => {
    const entity = freshId('order');
    for (const options of [{}, { consumer: 'shipping' }, { tenant: 'acme' }]) {
      expect((await db.inbox(options).process({ id: freshId() }, () => 1, { gate: { entity, version: 1 } })).status).toBe('processed');
    }
  });

  it.each([{ entity: '', version: 1 }, { entity: 'x', version: 0.5 }])('refuses %j', async (gate) => {
    await expect(db.inbox().process({ id: freshId() }, () => 1, { gate })).rejects.toThrow(InvalidMessageError);
  });
});

describe('inbox.gate inside a handler', () => {
  it('answers whether the version is new, for several entities in one message', async () => {
    const [a, b] = [freshId('a'), freshId('b')];
    const inbox = db.inbox();
    await inbox.process({ id: freshId() }, (tx) => inbox.gate(tx, { entity: a, version: 5 }));
    const outcome = await inbox.process({ id: freshId() }, async (tx) => [
      await inbox.gate(tx, { entity: a, version: 4 }),
      await inbox.gate(tx, { entity: b, version: 1 }),
    ]);
    expect(outcome).toMatchObject({ result: [false, true] });
  });
});

describe('upsertIfNewer', () => {
  const write = (id: string, seq: number, state: unknown) =>
    db.inbox().process({ id: freshId() }, (tx) =>
      upsertIfNewer(tx, {
        table: [db.schema, 'Orders'],
        key: { id },
        version: { column: 'seq no', value: seq },
        values: { state, paid: true, at: new Date(0), raw: Buffer.from([0, 255]) },
      } as never),
    );

  it('writes a row if it is new or newer, in a table that has a version column', async () => {
    await db.sql(`CREATE TABLE "${db.schema}"."Orders" (id text PRIMARY KEY, "seq no" bigint, state jsonb, paid boolean, at timestamptz, raw bytea)`);
    const id = freshId("o'rder");
    const results: unknown[] = [];
    for (const seq of [2, 1, 2, 3]) results.push(await write(id, seq, { "it's": seq }));
    expect(results.map((outcome) => (outcome as { result: unknown }).result)).toEqual([true, false, false, true]);
    const rows = await db.sql(`SELECT * FROM "${db.schema}"."Orders" WHERE id = $1`, [id]);
    expect(rows).toEqual([{ id, 'seq no': '3', state: { "it's": 3 }, paid: true, at: new Date(0), raw: Buffer.from([0, 255]) }]);
  });

  it('needs a key', async () => {
    const handling = db.inbox().process({ id: freshId() }, (tx) =>
      upsertIfNewer(tx, { table: 'x', key: {}, version: { column: 'v', value: 1 }, values: {} }),
    );
    await expect(handling).rejects.toThrow(InboxConfigError);
  });
});
