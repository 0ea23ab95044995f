// Sends a mail, with a key, before the transaction is committed.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE orders (id text PRIMARY KEY, paid boolean NOT NULL)';
export const message = { id: 'order-1', body: null };

export async function consume(delivery) {
  const { id } = delivery.message;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO orders VALUES ($1, true) ON CONFLICT (id) DO NOTHING', [id]);
    const answer = await fetch('https://mail.example/send', { method: 'POST', headers: { 'idempotency-key': id }, body: 'paid' });
    if (!answer.ok) throw new Error(`the mail was refused: ${answer.status}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
  delivery.ack();
}
