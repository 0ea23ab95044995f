// The same effect behind the inbox.
import { createInbox, settlement } from '@idempotent-consumers/inbox';
import pg from 'pg';

const pool = new pg.Pool();
const inbox = createInbox({ pool, consumer: 'billing' });

export async function setup(db) {
  await db.query(`CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100), (2, 7)`);
  await inbox.migrate();
  await pool.end();
}

export const message = { id: 'transfer-1', body: { account: 1, amount: 10 } };

export async function consume(delivery) {
  const { id, body } = delivery.message;
  const outcome = await inbox.process({ id, payload: body }, async (tx) => {
    await tx.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [body.amount, body.account]);
  });
  if (settlement(outcome) === 'ack') delivery.ack();
  else delivery.nack();
}
