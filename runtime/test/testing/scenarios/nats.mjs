// Acknowledges after the write; EARLY before it.
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';

const pool = new pg.Pool();

export const setup = 'CREATE TABLE trees (id text PRIMARY KEY)';
export const message = { id: 't1', body: { id: 't1' } };

export async function start() {
  const nc = await connect({ servers: 'nats' });
  const consumer = await jetstream(nc).consumers.get('PARKS', 'trees');
  for await (const m of await consumer.consume()) {
    if (process.env.EARLY) m.ack();
    await pool.query('INSERT INTO trees VALUES ($1) ON CONFLICT (id) DO NOTHING', [m.json().id]);
    if (!process.env.EARLY) m.ack();
  }
}
