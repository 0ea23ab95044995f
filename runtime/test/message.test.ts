import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InboxConfigError, InvalidMessageError, createInbox, days, type InboxOptions, type Message } from '../src/index.js';
import { maxIdBytes, maxNameBytes } from '../src/message.js';
import { literal } from '../src/sql.js';
import { corner, freshId } from './database.js';

const db = corner();

describe('ids', () => {
  const refused: [string, unknown, RegExp][] = [
    ['undefined', undefined, /must be a string, not undefined/],
    ['null', null, /must be a string, not null/],
    ['a number', 42, /String\(event\.id\)/],
    ['an object', { id: 1 }, /must be a string/],
    ['empty', '', /empty/],
    ['with a NUL', 'a\0b', /NUL/],
    ['with half a surrogate pair', 'a\ud800', /surrogate/],
    ['too long', 'x'.repeat(maxIdBytes + 1), /SHA-256/],
    ['too long in bytes', 'é'.repeat(maxIdBytes / 2 + 1), /SHA-256/],
  ];
  it.each(refused)('refuses one that is %s before anything runs', async (_what, id, says) => {
    let ran = false;
    const handling = db.inbox().process({ id } as Message, () => {
      ran = true;
    });
    await expect(handling).rejects.toThrow(InvalidMessageError);
    await expect(handling).rejects.toThrow(says);
    expect(ran).toBe(false);
  });

  it('refuses a message that is none', async () => {
    await expect(db.inbox().process(undefined as unknown as Message, () => 1)).rejects.toThrow(/Pass \{ id, … \}/);
  });

  const strange = [
    "o'reilly",
    'back\\slash',
    "\\'; DROP TABLE accounts; --",
    '$1 $2 ? :name @name %s {}',
    'new\nline\ttab\r',
    'quote"double"',
    '/* comment */',
    'Grüße 漢字 🎈',
    ' leading and trailing ',
    '\u0001\u007f\u0080',
    'x'.repeat(maxIdBytes),
  ];
  it.each(strange)('stores %j as it is', async (text) => {
    const id = `${text.slice(0, maxIdBytes - 8)}`;
    const inbox = db.inbox({ consumer: 'strange' });
    expect((await inbox.process({ id }, () => 1)).status).toBe('processed');
    expect((await inbox.process({ id }, () => 1)).status).toBe('duplicate');
    expect(await db.recorded()).toContain(id);
  });

  it('fit into the index at their longest, incompressible as they may be', async () => {
    const noise = (bytes: number): string => randomBytes(bytes).toString('latin1').replace(/[^!-~]/g, () => String.fromCharCode(33 + Math.floor(Math.random() * 94)));
    const message = { id: noise(maxIdBytes), tenant: noise(maxNameBytes) };
    const inbox = db.inbox({ consumer: noise(maxNameBytes), poison: { maxAttempts: 1 } });
    expect(await inbox.step(message, noise(maxIdBytes), async () => 1)).toBe(1);
    expect((await inbox.process(message, () => 1, { gate: { entity: noise(maxIdBytes), version: 1 } })).status).toBe('processed');
    expect((await inbox.process({ ...message, id: noise(maxIdBytes) }, () => Promise.reject(new Error('no')))).status).toBe('parked');
    await expect(inbox.process({ ...message, tenant: noise(maxNameBytes + 1) }, () => 1)).rejects.toThrow(/tenant has 256 bytes/);
  });

  it('keeps ids apart that only a collation would hold equal', async () => {
    const inbox = db.inbox({ consumer: 'collation' });
    for (const id of ['é', 'e\u0301', 'É', 'e']) expect((await inbox.process({ id }, () => 1)).status).toBe('processed');
  });

  it('takes one UUID in any spelling for the same, where ids are UUIDs', async () => {
    const schema = `${db.schema}_uuid`;
    const inbox = db.inbox({ schema, idType: 'uuid' });
    await inbox.migrate();
    try {
      const id = '0190B3C4-0000-7000-8000-0000000000AA';
      expect((await inbox.process({ id }, () => 1)).status).toBe('processed');
      expect((await inbox.process({ id: id.toLowerCase() }, () => 1)).status).toBe('duplicate');
      await expect(inbox.process({ id: 'order-1' }, () => 1)).rejects.toThrow(/no UUID/);
      expect((await inbox.processBatch([{ id }, { id: id.toLowerCase() }], () => 1)).map((o) => o.status)).toEqual(['duplicate', 'duplicate']);
    } finally {
      await db.sql(`DROP SCHEMA "${schema}" CASCADE`);
    }
  });
});

describe('other fields', () => {
  it.each([[1.5], [Number.NaN], [2 ** 53], ['3'], [2n ** 63n]])('refuses the version %s', async (version) => {
    const message = { id: freshId(), version } as unknown as Message;
    await expect(db.inbox().process(message, () => 1)).rejects.toThrow(/safe integer or a bigint/);
  });

  it.each([['yesterday-ish'], [Number.NaN], [true], [new Date(Number.NaN)]])('refuses occurredAt %s', async (occurredAt) => {
    const message = { id: freshId(), occurredAt } as unknown as Message;
    await expect(db.inbox().process(message, () => 1)).rejects.toThrow(/no point in time/);
  });
});

describe('literals', () => {
  it('hold no character that could end them or that a driver takes for a placeholder', () => {
    for (let code = 1; code < 128; code += 1) {
      const text = literal(`a${String.fromCharCode(code)}b`);
      expect(text.slice(text.indexOf("'") + 1, -1)).not.toMatch(/['?$:;%"`&]/);
    }
  });

  it('come back as they went, under both settings of standard_conforming_strings', async () => {
    const all = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code + 1)).join('');
    for (const setting of ['on', 'off']) {
      const client = await db.pool.connect();
      try {
        await client.query(`SET standard_conforming_strings = ${setting}`);
        expect((await client.query(`SELECT ${literal(all)} AS text`)).rows[0].text).toBe(all);
      } finally {
        client.release(true);
      }
    }
  });
});

describe('settings', () => {
  const pool = db.pool;
  const wrong: [string, Partial<InboxOptions>, RegExp][] = [
    ['no pool', { pool: undefined as never }, /new Pool/],
    ['no consumer', { consumer: '' }, /consumer is empty/],
    ['an empty schema', { schema: '' }, /non-empty/],
    ['a schema that would be cut off', { schema: 'x'.repeat(64) }, /longer than 63 bytes/],
    ['two tables of one name', { tables: { gates: 'processed' } }, /same name/],
    ['a negative wait', { inFlight: { policy: 'wait', max: -1 } }, /inFlight\.max/],
    ['an unknown policy', { inFlight: { policy: 'hope' as never, max: 1 } }, /'wait', 'defer' or 'coalesce'/],
    ['an unknown isolation', { isolation: 'chaos' as never }, /read committed/],
    ['a fraction of retries', { retries: 0.5 }, /whole number/],
    ['a retention of zero', { retention: { mode: 'delete', keep: 0 } }, /no duplicate would ever be found/],
    ['starts without a second pool', { poison: { maxAttempts: 3, count: 'starts' } }, /poison\.pool/],
    ['a retention within the redelivery horizon', { retention: { mode: 'delete', keep: days(14), redeliveryHorizon: days(14) } }, /must exceed .*redeliveryHorizon/],
    ['partitions without a key', { retention: { mode: 'partition', by: 'arrival' as never, keep: days(1) } }, /'uuidv7' or 'occurredAt'/],
    ['too many partitions', { retention: { mode: 'partition', by: 'uuidv7', keep: days(400), width: 1000 } }, /2,000 partitions/],
  ];
  it.each(wrong)('refuses %s', (_what, options, says) => {
    const make = (): unknown => createInbox({ pool, consumer: 'billing', ...options });
    expect(make).toThrow(InboxConfigError);
    expect(make).toThrow(says);
  });

  it('quotes every name', async () => {
    const schema = `${db.schema}"; DROP`;
    const tables = { processed: 'done "so far"', attempts: 'a;b', gates: 'SELECT', steps: "it's", outbox: 'Out Box' };
    const inbox = db.inbox({ schema, tables, poison: { maxAttempts: 1 } });
    await inbox.migrate();
    try {
      const id = freshId();
      expect((await inbox.process({ id }, (tx) => tx.enqueue('mail', {}), { gate: { entity: 'e', version: 1 } })).status).toBe('processed');
      expect((await inbox.process({ id }, () => 1)).status).toBe('duplicate');
      expect((await inbox.process({ id: freshId() }, () => Promise.reject(new Error('no')))).status).toBe('parked');
      expect(await inbox.step({ id }, 'call', async () => 'ok')).toBe('ok');
      expect(await inbox.check()).toEqual([expect.objectContaining({ severity: 'warning' })]);
    } finally {
      await db.sql(`DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`);
    }
  });
});
