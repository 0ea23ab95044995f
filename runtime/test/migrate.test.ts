import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { days, schemaSql, type InboxOptions } from '../src/index.js';
import { sqlFiles } from '../src/schema.js';
import { corner, freshId } from './database.js';

const db = corner();

async function inOwnSchema<T>(work: (schema: string) => Promise<T>): Promise<T> {
  const schema = `${db.schema}_${freshId('s').slice(-8)}`;
  try {
    return await work(schema);
  } finally {
    await db.sql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  }
}

describe('migrate', () => {
  it('can be run again and by several instances at once', async () => {
    await inOwnSchema(async (schema) => {
      await Promise.all([1, 2, 3, 4].map(() => db.inbox({ schema }).migrate()));
      await db.inbox({ schema }).migrate();
      expect((await db.inbox({ schema }).process({ id: 'a' }, () => 1)).status).toBe('processed');
    });
  });

  it('is asked for when the tables are missing', async () => {
    const inbox = db.inbox({ schema: 'nowhere' });
    await expect(inbox.process({ id: 'a' }, () => 1)).rejects.toThrow(/Run inbox\.migrate\(\) once/);
    await expect(inbox.processBatch([{ id: 'a' }], () => 1)).resolves.toMatchObject([{ status: 'failed', error: { message: expect.stringMatching(/inbox\.migrate/) } }]);
  });
});

describe('the SQL files', () => {
  it.each(Object.entries(sqlFiles))('%s holds what migrate runs, and works', async (name, options) => {
    const text = readFileSync(new URL(`../sql/${name}`, import.meta.url), 'utf8');
    expect(text).toBe(schemaSql(options));
    await inOwnSchema(async (schema) => {
      await db.sql(text.replaceAll('"inbox"', `"${schema}"`));
      const inbox = db.inbox({ schema, ...(options as Partial<InboxOptions>) });
      if (options.retention) await inbox.maintain();
      const message = { id: '0190b3c4-0000-7000-8000-0000000000aa', occurredAt: new Date() };
      const fresh = options.retention?.mode === 'partition' && options.retention.by === 'uuidv7' ? 'expired' : 'processed';
      expect((await inbox.process(message, () => 1)).status).toBe(fresh);
      expect((await inbox.check()).filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  });

  it('are all there are', () => {
    expect(readdirSync(new URL('../sql/', import.meta.url)).sort()).toEqual(Object.keys(sqlFiles).sort());
  });
});

describe('check', () => {
  const problems = async (options: Partial<InboxOptions> = {}): Promise<string[]> =>
    (await db.inbox({ retention: { mode: 'delete', keep: days(1) }, ...options }).check()).map(({ severity, message }) => `${severity}: ${message}`);

  it('finds nothing wrong with what migrate made', async () => {
    expect(await problems()).toEqual([]);
  });

  it('names what breaks the promise', async () => {
    await inOwnSchema(async (schema) => {
      expect(await problems({ schema })).toEqual([expect.stringMatching(/error: .*missing/)]);
      await db.inbox({ schema }).migrate();
      await db.sql(`ALTER TABLE "${schema}".processed SET UNLOGGED`);
      await db.sql(`ALTER TABLE "${schema}".processed DROP CONSTRAINT processed_pkey, ADD PRIMARY KEY (consumer, id)`);
      await db.sql(`ALTER TABLE "${schema}".processed ENABLE ROW LEVEL SECURITY`);
      const pool = db.newPool({ options: '-c synchronous_commit=off' });
      const found = (await problems({ schema, pool, retention: { mode: 'partition', by: 'occurredAt', keep: days(1) } })).join('\n');
      for (const expected of [/error: .*UNLOGGED/, /error: .*primary key/, /error: .*not partitioned/, /warning: .*row security/, /warning: synchronous_commit/]) {
        expect(found).toMatch(expected);
      }
    });
  });

  it('warns of records that are kept for ever', async () => {
    expect(await problems({ retention: undefined })).toEqual([expect.stringMatching(/kept for ever/)]);
  });
});

describe('row security', () => {
  it('does not lose the message of one tenant under the id of another, for the tenant is in the key', async () => {
    await inOwnSchema(async (schema) => {
      const inbox = db.inbox({ schema });
      await inbox.migrate();
      const id = freshId();
      expect((await inbox.process({ id, tenant: 'a' }, () => 1)).status).toBe('processed');
      expect((await inbox.process({ id, tenant: 'b' }, () => 1)).status).toBe('processed');
    });
  });
});
