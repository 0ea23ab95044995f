// One consumer of the soak. Acknowledges what the inbox says is done; everything else it hands back.
import pg from 'pg';
import { createInbox } from '../dist/index.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 6 });
pool.on('error', () => undefined);
const inbox = createInbox({ pool, consumer: 'soak' });

const forms = {
  process: (message) => inbox.process(message, (tx) => apply(tx, message)),
  batch: async (message) => (await inbox.processBatch([message], (tx) => apply(tx, message)))[0],
  // One statement holds one effect; the account follows by the trigger on the ledger.
  statement: (message) =>
    inbox.processStatement(message, {
      text: 'INSERT INTO ledger (message, amount, account) SELECT $1, $2::int, $3::int FROM recorded',
      values: [message.id, message.amount, message.account],
    }),
};

async function apply(tx, { id, account, amount }) {
  await tx.query('UPDATE account SET balance = balance + $1 WHERE id = $2', [amount, account]);
  await tx.query('INSERT INTO ledger (message, amount) VALUES ($1, $2)', [id, amount]);
}

process.on('message', async ({ n, message }) => {
  let status;
  try {
    status = (await forms[message.form](message)).status;
  } catch {
    status = 'failed';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.send?.({ n, status }, () => undefined);
});
process.on('disconnect', () => pool.end());
