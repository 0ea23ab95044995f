/** An inbox on the pool of an ORM: the tables, a message, and a connection that is not lent again after a failure. */
import knexFactory from 'knex';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createInbox, days, poolOfKnex, poolOfTypeOrm, type Pool } from '../src/index.js';

const url = inject('databaseUrl');
const admin = new pg.Pool({ connectionString: url });
const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
const dataSource = new DataSource({ type: 'postgres', url });

afterAll(async () => {
  await Promise.all([knex.destroy(), dataSource.destroy()]);
  for (const name of ['knex', 'typeorm']) await admin.query(`DROP SCHEMA IF EXISTS inbox_pools_${process.pid}_${name} CASCADE`);
  await admin.end();
});

const pools: { name: string; open: () => Promise<Pool> }[] = [
  { name: 'knex', open: () => Promise.resolve(poolOfKnex(knex)) },
  {
    name: 'typeorm',
    async open() {
      // Made before the data source has a pool.
      const pool = poolOfTypeOrm(dataSource);
      await expect(pool.connect()).rejects.toThrow(/not initialized/);
      await dataSource.initialize();
      return pool;
    },
  },
];

describe.each(pools)('the pool of $name', ({ name, open }) => {
  it('carries an inbox', async () => {
    const inbox = createInbox({ pool: await open(), consumer: 'pools', schema: `inbox_pools_${process.pid}_${name}`, retention: { mode: 'delete', keep: days(1) } });
    await inbox.migrate();
    expect(await inbox.check()).toEqual([]);
    expect(await inbox.process({ id: '1' }, async (tx) => (await tx.query('SELECT 1 AS one')).rows)).toMatchObject({ status: 'processed', result: [{ one: 1 }] });
    expect(await inbox.process({ id: '1' }, () => 'again')).toMatchObject({ status: 'duplicate' });
    await expect(inbox.process({ id: '2' }, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'))).rejects.toThrow();
    expect(await inbox.process({ id: '2' }, () => 'then')).toMatchObject({ status: 'processed', result: 'then' });
  });
});
