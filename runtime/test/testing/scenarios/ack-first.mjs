// Acknowledges and then works.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY, agent text)';
export const message = { id: 'm1', body: { ticket: 'T-1', agent: 'Ada' } };

export async function consume(delivery) {
  const { ticket, agent } = delivery.message.body;
  delivery.ack();
  await pool.query('INSERT INTO archive VALUES ($1, $2) ON CONFLICT (ticket) DO NOTHING', [ticket, agent]);
}
