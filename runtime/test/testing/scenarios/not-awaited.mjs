// Does not wait for the write, and leaves a trace on the disk of what runs after it.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const client = new pg.Client();
const ready = client.connect();

export const setup = 'CREATE TABLE archive (ticket text PRIMARY KEY)';
export const message = { body: 'T-1' };

export async function consume(delivery) {
  await ready;
  void client.query('INSERT INTO archive VALUES ($1) ON CONFLICT (ticket) DO NOTHING', [delivery.message.body]);
  appendFileSync(process.env.TRACE, `${delivery.attempt} `);
  delivery.ack();
}
