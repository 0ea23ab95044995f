import { describe, expect, it } from 'vitest';
import { readTableKeys } from './classify.js';

describe('CREATE TABLE', () => {
  it('reads keys of columns and of the table', () => {
    expect(
      readTableKeys(`
        CREATE TABLE IF NOT EXISTS shop.payments (
          id          bigserial PRIMARY KEY,
          event_id    uuid NOT NULL UNIQUE,
          order_id    uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
          cents       numeric(10, 2) DEFAULT 0 CHECK (cents >= 0),
          "paidAt"    timestamp with time zone NOT NULL DEFAULT now(),
          UNIQUE (order_id, "paidAt"),
          CONSTRAINT by_day UNIQUE NULLS NOT DISTINCT (order_id, cents),
          FOREIGN KEY (order_id) REFERENCES orders (id)
        );`),
    ).toEqual([
      {
        table: 'payments',
        uniqueKeys: [['id'], ['event_id'], ['order_id', 'paidAt'], ['order_id', 'cents']],
        generated: ['id'],
        created: true,
      },
    ]);
  });

  it.each([
    ['id serial PRIMARY KEY'],
    ['id uuid PRIMARY KEY DEFAULT gen_random_uuid()'],
    ['id uuid DEFAULT (uuid_generate_v4()) NOT NULL PRIMARY KEY'],
    ["id bigint DEFAULT nextval('t_id_seq'::regclass) PRIMARY KEY"],
    ['id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
    ['`id` int unsigned NOT NULL AUTO_INCREMENT, PRIMARY KEY (`id`)'],
    ['id INTEGER PRIMARY KEY AUTOINCREMENT'],
    ['[id] INT NOT NULL IDENTITY(1,1), CONSTRAINT [t_pkey] PRIMARY KEY CLUSTERED ([id])'],
    ['id uniqueidentifier DEFAULT NEWID() PRIMARY KEY'],
  ])('knows that the database makes %s', (column) => {
    expect(readTableKeys(`CREATE TABLE t (${column}, a text)`)).toEqual([
      { table: 't', uniqueKeys: [['id']], generated: ['id'], created: true },
    ]);
  });

  it.each([
    ['id PRIMARY KEY, a', [['id']]],
    ['id uuid NOT NULL, created_at timestamptz DEFAULT now(), PRIMARY KEY (id)', [['id']]],
    ["kind text DEFAULT 'a, b) UNIQUE' NOT NULL UNIQUE", [['kind']]],
    ['a int, b int, UNIQUE KEY `ab` (`a`, `b`(20) DESC), KEY `b` (`b`)', [['a', 'b']]],
    ['total int GENERATED ALWAYS AS (a + b) STORED UNIQUE', [['total']]],
    ['key text, value text, PRIMARY KEY (key)', [['key']]],
    ['a int -- UNIQUE\n, b int /* PRIMARY KEY */ UNIQUE', [['b']]],
  ])('reads %s', (columns, uniqueKeys) => {
    expect(readTableKeys(`create table t (${columns}) ENGINE=InnoDB;`)).toEqual([
      { table: 't', uniqueKeys, generated: [], created: true },
    ]);
  });
});

describe('later statements', () => {
  const base = 'CREATE TABLE t (id uuid, a text, b text);';

  it.each([
    [
      'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON public.t USING btree (a, lower(b)) WHERE a IS NOT NULL',
      [['a', 'b']],
    ],
    ['CREATE UNIQUE INDEX ON ONLY "t" (a COLLATE "C" DESC NULLS LAST) INCLUDE (b)', [['a']]],
    ['CREATE UNIQUE NONCLUSTERED INDEX [i] ON [dbo].[t]([a])', [['a']]],
    ['CREATE INDEX i ON t (a)', []],
    ['ALTER TABLE ONLY t ADD CONSTRAINT pk PRIMARY KEY (id), ADD UNIQUE (a, b)', [['id'], ['a', 'b']]],
    ['ALTER TABLE t ADD COLUMN IF NOT EXISTS event_id text UNIQUE', [['event_id']]],
    ['ALTER TABLE t ADD UNIQUE INDEX `u` (`a`)', [['a']]],
    ['ALTER TABLE t WITH CHECK ADD CONSTRAINT u UNIQUE (b)', [['b']]],
    ['ALTER TABLE t ADD UNIQUE (a); ALTER TABLE t DROP CONSTRAINT t_a_key', []],
    ['ALTER TABLE t ADD CONSTRAINT u UNIQUE (a); ALTER TABLE t DROP CONSTRAINT IF EXISTS "u"', []],
    ['CREATE UNIQUE INDEX i ON t (a); DROP INDEX IF EXISTS public.i', []],
    ['CREATE UNIQUE INDEX i ON t (a, b); ALTER TABLE t DROP COLUMN b', []],
    ['CREATE UNIQUE INDEX i ON t (a); ALTER TABLE t RENAME COLUMN a TO c', [['c']]],
  ])('%s', (sql, uniqueKeys) => {
    expect(readTableKeys(`${base} ${sql};`)).toEqual([{ table: 't', uniqueKeys, generated: [], created: true }]);
  });

  it('follow a table through its names', () => {
    const keys = [{ table: 't', uniqueKeys: [['id']], generated: [], created: true }];
    expect(
      readTableKeys('CREATE TABLE "new_t" (id int PRIMARY KEY); DROP TABLE "t"; ALTER TABLE "new_t" RENAME TO "t";'),
    ).toEqual(keys);
    expect(readTableKeys("CREATE TABLE _new_T (id int PRIMARY KEY)\nGO\nEXEC sp_rename N'dbo._new_T', N'T'")).toEqual(
      keys,
    );
    expect(readTableKeys('CREATE TABLE t (id int PRIMARY KEY); DROP TABLE IF EXISTS t CASCADE;')).toEqual([]);
  });

  it('may make an id the database’s business', () => {
    expect(readTableKeys(`${base} ALTER TABLE t ALTER COLUMN id SET DEFAULT gen_random_uuid()`)).toEqual([
      { table: 't', uniqueKeys: [], generated: ['id'], created: true },
    ]);
  });
});

it('knows a table that it has not seen made by its keys alone', () => {
  expect(readTableKeys('ALTER TABLE t ADD UNIQUE (a); ALTER TABLE u ADD COLUMN b text')).toEqual([
    { table: 't', uniqueKeys: [['a']], generated: [], created: false },
  ]);
});

it('passes over what is no table', () => {
  expect(
    readTableKeys(`
      CREATE FUNCTION f() RETURNS void AS $$ BEGIN CREATE TABLE x (id int PRIMARY KEY); END $$ LANGUAGE plpgsql;
      INSERT INTO a VALUES ('CREATE TABLE y (id int PRIMARY KEY);');
      CREATE TABLE z (id int PRIMARY KEY)`),
  ).toEqual([{ table: 'z', uniqueKeys: [['id']], generated: [], created: true }]);
  expect(readTableKeys('')).toEqual([]);
});
