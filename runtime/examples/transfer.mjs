// Adds to a balance once for each message.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = `CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100);
CREATE TABLE handled (message_id text PRIMARY KEY)`;
export const message = { id: 'transfer-1', body: { account: 1, amount: 10 } };

export async function consume({ message: { id, body }, ack }) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rowCount } = await client.query('INSERT INTO handled VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    if (rowCount === 1) // remove this line
      await client.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [body.amount, body.account]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
  ack();
}
