// Charges once, and may crash between the call and the storing of its result.
import pg from 'pg';
import { createInbox } from '../dist/index.js';

const [connectionString, schema, id, then] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString });
await createInbox({ pool, schema, consumer: 'billing' }).step({ id }, 'charge', async (key) => {
  await new Promise((resolve) => process.send(key, resolve));
  if (then === 'crash') process.kill(process.pid, 'SIGKILL');
  return { paid: true };
});
await pool.end();
process.disconnect();
