// One statement through each driver or ORM.
import pg from 'pg';

const url = process.env.DATABASE_URL;
const text = 'INSERT INTO notes VALUES (1)';

const drivers = {
  pg: () => new pg.Pool().query(text),
  prepared: () => new pg.Pool().query({ name: 'note', text: 'INSERT INTO notes VALUES ($1)', values: [1] }),
  async postgres() {
    const { default: postgres } = await import('postgres');
    await postgres(url)`INSERT INTO notes VALUES (${1})`;
  },
  async knex() {
    const { default: knex } = await import('knex');
    await knex({ client: 'pg', connection: url })('notes').insert({ id: 1 });
  },
  async kysely() {
    const { Kysely, PostgresDialect, sql } = await import('kysely');
    await sql.raw(text).execute(new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) }));
  },
  async drizzle() {
    const { drizzle } = await import('drizzle-orm/node-postgres');
    await drizzle(new pg.Pool()).execute(text);
  },
  async sequelize() {
    const { Sequelize } = await import('sequelize');
    await new Sequelize(url, { logging: false }).query(text);
  },
  async typeorm() {
    const { DataSource } = await import('typeorm');
    await (await new DataSource({ type: 'postgres', url }).initialize()).query(text);
  },
};

export const acknowledge = 'return';
export const setup = 'CREATE TABLE notes (id int)';
export const message = { body: null };

export const consume = () => drivers[process.env.DRIVER]();
