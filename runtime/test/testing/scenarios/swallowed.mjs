// Logs the failure and acknowledges all the same.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY)';
export const message = { body: { ticket: 'T-1' } };

export async function consume(delivery) {
  try {
    await pool.query('INSERT INTO archive VALUES ($1) ON CONFLICT (ticket) DO NOTHING', [delivery.message.body.ticket]);
  } catch (error) {
    console.error(error);
  }
  delivery.ack();
}
