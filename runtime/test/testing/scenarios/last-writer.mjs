// Writes what the message says, whatever is there.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE shipments (id text PRIMARY KEY, status text NOT NULL, version int NOT NULL)';
export const message = { body: { id: 'S1', status: 'packed', version: 1 } };
export const newer = [{ body: { id: 'S1', status: 'sent', version: 2 } }];

export async function consume(delivery) {
  const { id, status, version } = delivery.message.body;
  await pool.query(
    `INSERT INTO shipments VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, version = excluded.version
     ${process.env.GATED ? 'WHERE shipments.version < excluded.version' : ''}`,
    [id, status, version],
  );
  delivery.ack();
}
