// A second delivery breaks on the key, again and again.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE payments (id text PRIMARY KEY, paid_at timestamptz NOT NULL DEFAULT now())';
export const message = { id: 'payment-1', body: null };

export async function consume(delivery) {
  await pool.query('INSERT INTO payments (id) VALUES ($1)', [delivery.message.id]);
  delivery.ack();
}
