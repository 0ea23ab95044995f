// Delivers the same 50 messages twice each, in an order of its own, as one of several processes.
import pg from 'pg';
import { createInbox } from '../dist/index.js';

const [url, schema, account] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 5 });
const inbox = createInbox({ pool, schema, consumer: 'billing' });
const deliveries = Array.from({ length: 100 }, (_, n) => `${account}-${n % 50}`).sort(() => Math.random() - 0.5);

await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let id = deliveries.pop(); id !== undefined; id = deliveries.pop()) {
      const outcome = await inbox.process({ id }, (tx) =>
        tx.query(
          `INSERT INTO "${schema}".accounts AS a VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET balance = a.balance + 1`,
          [account],
        ),
      );
      if (outcome.status !== 'processed' && outcome.status !== 'duplicate') throw new Error(outcome.status);
    }
  }),
);
await pool.end();
process.disconnect();
