// Relays the outbox once, and may crash between sending and forgetting.
import pg from 'pg';
import { createRelay } from '../dist/index.js';

const [connectionString, schema, then, destination] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString });
await createRelay({
  pool,
  schema,
  send: async (message) => {
    if (message.destination !== destination) throw new Error('not mine');
    await new Promise((resolve) => process.send(message.id, resolve));
    if (then === 'crash') process.kill(process.pid, 'SIGKILL');
  },
}).once();
await pool.end();
process.disconnect();
