// Handles one message, and dies of it.
import pg from 'pg';
import { createInbox } from '../dist/index.js';

const [connectionString, schema, id] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString });
const counts = new pg.Pool({ connectionString, max: 1 });
const inbox = createInbox({ pool, schema, consumer: 'billing', poison: { maxAttempts: 2, count: 'starts', pool: counts } });
const outcome = await inbox.process({ id }, () => process.kill(process.pid, 'SIGKILL'));
console.log(outcome.status);
await Promise.all([pool.end(), counts.end()]);
process.disconnect();
