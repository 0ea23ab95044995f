/** Every driver carries the inbox: the conformance suite, and what each reports of a rolled back transaction. */
import { MikroORM } from '@mikro-orm/postgresql';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { Sequelize } from 'sequelize';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { conformanceCases, reportsRollbackAsSuccess, type ConformanceDriver } from '../src/conformance.js';
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromMikroOrm,
  fromPg,
  fromPostgresJs,
  fromPrisma,
  fromSequelize,
  fromTypeOrm,
} from '../src/index.js';
import { prismaClient } from './prisma.js';

const url = inject('databaseUrl');

interface Opened {
  driver: ConformanceDriver;
  close: () => Promise<unknown>;
}

interface Library {
  name: string;
  open: () => Promise<Opened>;
  /** Reports success for a transaction that PostgreSQL rolled back, unless the fence stands before its COMMIT. */
  rollbackAsSuccess: boolean;
}

const libraries: Library[] = [
  { name: 'pg', open: openPg, rollbackAsSuccess: true },
  { name: 'postgres.js', open: openPostgresJs, rollbackAsSuccess: false },
  { name: 'Knex', open: openKnex, rollbackAsSuccess: true },
  { name: 'Kysely', open: openKysely, rollbackAsSuccess: false },
  { name: 'Drizzle over pg', open: openDrizzlePg, rollbackAsSuccess: true },
  { name: 'Drizzle over postgres.js', open: openDrizzlePostgresJs, rollbackAsSuccess: false },
  { name: 'TypeORM', open: openTypeOrm, rollbackAsSuccess: true },
  { name: 'Sequelize', open: openSequelize, rollbackAsSuccess: true },
  { name: 'MikroORM', open: openMikroOrm, rollbackAsSuccess: true },
  { name: 'Prisma', open: openPrisma, rollbackAsSuccess: true },
];

describe.each(libraries)('$name', ({ name, open, rollbackAsSuccess }) => {
  const schema = `inbox_drivers_${process.pid}_${name.replace(/\W/g, '').toLowerCase()}`;
  const pool = new pg.Pool({ connectionString: url });
  let opened: Opened;
  const driver: ConformanceDriver = {
    transaction: (work) => opened.driver.transaction(work),
    outside: (sql) => opened.driver.outside!(sql),
  };

  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    await opened?.close();
    await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await pool.end();
  });

  for (const { name: title, run } of conformanceCases({ driver, pool, schema })) it(title, run);

  it(rollbackAsSuccess ? 'needs the fence: by itself it reports a rollback as success' : 'reports a rollback by itself', async () => {
    expect(await reportsRollbackAsSuccess({ driver, pool, schema })).toBe(rollbackAsSuccess);
  });
});

async function openPg(): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: url });
  return {
    driver: {
      async transaction(work) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const result = await work(fromPg(client));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        } finally {
          client.release();
        }
      },
      outside: fromPg(pool),
    },
    close: () => pool.end(),
  };
}

async function openPostgresJs(): Promise<Opened> {
  const sql = postgres(url, { onnotice: () => undefined });
  return {
    driver: {
      transaction: <T>(work: Parameters<ConformanceDriver['transaction']>[0]) =>
        sql.begin((tx) => work(fromPostgresJs(tx))) as Promise<T>,
      outside: fromPostgresJs(sql),
    },
    close: () => sql.end(),
  };
}

async function openKnex(): Promise<Opened> {
  const db = knex({ client: 'pg', connection: url });
  return {
    driver: { transaction: (work) => db.transaction((trx) => work(fromKnex(trx))), outside: fromKnex(db) },
    close: () => db.destroy(),
  };
}

async function openKysely(): Promise<Opened> {
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
  return {
    driver: { transaction: (work) => db.transaction().execute((trx) => work(fromKysely(trx))), outside: fromKysely(db) },
    close: () => db.destroy(),
  };
}

async function openDrizzlePg(): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: url });
  const db = drizzlePg(pool);
  return {
    driver: { transaction: (work) => db.transaction((tx) => work(fromDrizzle(tx))), outside: fromDrizzle(db) },
    close: () => pool.end(),
  };
}

async function openDrizzlePostgresJs(): Promise<Opened> {
  const sql = postgres(url, { onnotice: () => undefined });
  const db = drizzlePostgresJs(sql);
  return {
    driver: { transaction: (work) => db.transaction((tx) => work(fromDrizzle(tx))), outside: fromDrizzle(db) },
    close: () => sql.end(),
  };
}

async function openTypeOrm(): Promise<Opened> {
  const source = await new DataSource({ type: 'postgres', url }).initialize();
  return {
    driver: {
      transaction: (work) => source.transaction((manager) => work(fromTypeOrm(manager))),
      outside: fromTypeOrm(source),
    },
    close: () => source.destroy(),
  };
}

async function openSequelize(): Promise<Opened> {
  const sequelize = new Sequelize(url, { logging: false });
  return {
    driver: {
      transaction: (work) => sequelize.transaction((transaction) => work(fromSequelize(sequelize, transaction))),
      outside: async (sql) => (await sequelize.query(sql, { raw: true, type: 'SELECT' as never })) as never,
    },
    close: () => sequelize.close(),
  };
}

async function openMikroOrm(): Promise<Opened> {
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  return {
    driver: {
      transaction: (work) => orm.em.fork().transactional((em) => work(fromMikroOrm(em))),
      outside: async (sql) => (await orm.em.getConnection().execute(sql)) as never,
    },
    close: () => orm.close(),
  };
}

async function openPrisma(): Promise<Opened> {
  const prisma = await prismaClient(url);
  return {
    driver: {
      transaction: (work) => prisma.$transaction((tx) => work(fromPrisma(tx)), { maxWait: 10_000, timeout: 20_000 }),
      outside: fromPrisma(prisma),
    },
    close: () => prisma.$disconnect(),
  };
}
