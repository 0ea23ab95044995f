// Remembers in the process what it has seen, and numbers its rows.
import pg from 'pg';

const pool = new pg.Pool();
const seen = new Set();

export const setup = 'CREATE TABLE entries (id bigserial PRIMARY KEY, note text, at timestamptz)';
export const message = { id: 'entry-1', body: 'hello' };

export async function consume(delivery) {
  if (!seen.has(delivery.message.id)) {
    await pool.query('INSERT INTO entries (note, at) VALUES ($1, now())', [delivery.message.body]);
    seen.add(delivery.message.id);
  }
  delivery.ack();
}
