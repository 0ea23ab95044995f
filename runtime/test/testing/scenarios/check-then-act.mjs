// Looks whether the message was there before; two deliveries at once both see that it was not.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = `CREATE TABLE seen (id text);
CREATE TABLE counters (name text PRIMARY KEY, n int NOT NULL);
INSERT INTO counters VALUES ('visits', 0)`;
export const message = { id: 'visit-1', body: null };

export async function consume(delivery) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT 1 FROM seen WHERE id = $1', [delivery.message.id]);
    if (rows.length === 0) {
      await client.query('INSERT INTO seen VALUES ($1)', [delivery.message.id]);
      await client.query("UPDATE counters SET n = n + 1 WHERE name = 'visits'");
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
  delivery.ack();
}
