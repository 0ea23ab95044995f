// Gives a message back whose write has failed.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY)';
export const message = { id: 'closed-1', body: { ticket: 'T-1' } };

export async function consume({ message: { body }, ack, nack }) {
  try {
    await pool.query('INSERT INTO archive VALUES ($1) ON CONFLICT DO NOTHING', [body.ticket]);
  } catch (error) {
    console.error(error);
    return nack(); // remove this line
  }
  ack();
}
