// Adds to a balance and acknowledges afterwards: a redelivery adds again.
import pg from 'pg';

const pool = new pg.Pool();

export const setup = `CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100), (2, 7)`;

export const message = { id: 'transfer-1', body: { account: 1, amount: 10 } };

export async function consume(delivery) {
  const { account, amount } = delivery.message.body;
  await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', [amount, account]);
  delivery.ack();
}
