/**
 * In the place of `ioredis`: a server that outlives the process, as Redis does. Its keys stand in a table of the
 * harness's database, which has them back at their first state before each run; a command is a statement of its own.
 */
import pg from 'pg';

const pool = new pg.Pool();

export default class Redis {
  async set(key, value, ...options) {
    const nx = options.map(String).some((option) => option.toUpperCase() === 'NX');
    const { rowCount } = await pool.query(
      `INSERT INTO redis VALUES ($1, $2) ON CONFLICT (key) DO ${nx ? 'NOTHING' : 'UPDATE SET value = excluded.value'}`,
      [key, String(value)],
    );
    return rowCount ? 'OK' : null;
  }

  setex(key, _seconds, value) {
    return this.set(key, value);
  }

  async setnx(key, value) {
    return (await this.set(key, value, 'NX')) ? 1 : 0;
  }

  async get(key) {
    const { rows } = await pool.query('SELECT value FROM redis WHERE key = $1', [key]);
    return rows[0]?.value ?? null;
  }

  async exists(key) {
    return (await this.get(key)) === null ? 0 : 1;
  }

  async del(key) {
    const { rowCount } = await pool.query('DELETE FROM redis WHERE key = $1', [key]);
    return rowCount;
  }

  async incr(key) {
    return this.incrby(key, 1);
  }

  async incrby(key, amount) {
    const { rows } = await pool.query(
      'INSERT INTO redis VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = (redis.value::bigint + excluded.value::bigint)::text RETURNING value',
      [key, String(amount)],
    );
    return Number(rows[0].value);
  }

  expire() {
    return Promise.resolve(1);
  }

  on() {
    return this;
  }

  quit() {
    return Promise.resolve('OK');
  }
}

export { Redis, Redis as 'module.exports' };
