/**
 * Consumers in processes of their own, on the brokers of this machine, which lose their connection to the broker and are
 * killed: once before the write of a message, once between the write and its acknowledgement. The broker delivers again
 * by itself; what the database then holds is compared with what the analyzer says of the same file.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { answers, brokers, type Broker, type Queue } from './brokers.js';
import { cuttable } from './cuttable.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = 'fixtures/brokers';

/** What is left of a message when its broker is done with it. */
type Outcome = 'lost' | 'repeated';
const announced: Record<string, Outcome> = { 'ack-after-commit': 'lost', 'no-delta-write': 'repeated' };

type Moment = 'before the write' | 'between the write and the ack';

/** The rules that the analyzer reports in each file. */
let verdicts: Map<string, string[]>;
/** The lines of this test in docs/proof.md. */
const rows: { fixture: string; path: string; found: string[]; observed: string[] }[] = [];
const databaseUrl = inject('databaseUrl');
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

beforeAll(async () => {
  verdicts = await analyze();
});
afterAll(() => pool.end());

describe.each(brokers.map((broker) => [broker.name, broker] as const))('%s', (_, broker) => {
  const files = readdirSync(`${root}${folder}/${broker.fixtures}`).map((name) => `${folder}/${broker.fixtures}/${name}`);

  let missing: string | undefined;
  beforeAll(async () => {
    if (await answers(broker)) return;
    missing = `${broker.name}: no answer at ${broker.url}; ${broker.variable} may name another server`;
    if (!process.env.CI) console.warn(`Left out: the tests with ${missing}.`);
  });

  it.concurrent.for(files)('%s does what the analyzer says', { timeout: 60_000 }, async (file, { skip, expect }) => {
    if (missing !== undefined) {
      if (process.env.CI) throw new Error(missing);
      skip(missing);
    }
    const outcomes = new Map<Outcome, string>();
    for (const moment of ['before the write', 'between the write and the ack'] as const) {
      const times = await timesWritten(broker, file, moment);
      if (times !== 1) outcomes.set(times === 0 ? 'lost' : 'repeated', `cut off ${moment}: written ${times} times`);
    }
    const found = verdicts.get(file) ?? [];
    expect([...outcomes.keys()]).toEqual(found.map((rule) => announced[rule]));
    rows.push({ fixture: file.replace(`${folder}/`, ''), path: file, found, observed: [...outcomes].map(([kind, words]) => `${kind}: ${words}`) });
  });
});

it('docs/proof.md tells what was observed', async ({ skip, expect }) => {
  if (!process.env.CI && rows.length < verdicts.size) skip('not all brokers were there');
  const table = rows.sort((a, b) => (a.fixture < b.fixture ? -1 : 1));
  await expect(`${JSON.stringify(table, null, 2)}\n`).toMatchFileSnapshot(`${root}fixtures/proof-runner/observed/brokers.json`);
});

/** The rules of the findings in each file, of those that a cut can show. */
async function analyze(): Promise<Map<string, string[]>> {
  const command = [`${root}dist/src/cli/main.js`, '--preset', 'strict', '--format', 'json', folder];
  // The exit code is 1 if there are findings.
  const stdout = await promisify(execFile)(process.execPath, command, { cwd: root }).then(
    (result) => result.stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const { handlers } = JSON.parse(stdout) as { handlers: { file: string; findings: { rule: string }[] }[] };
  return new Map(handlers.map(({ file, findings }) => [file, findings.map(({ rule }) => rule).filter((rule) => rule in announced)]));
}

let count = 0;

/** How often a message is written whose consumer is cut off at this moment, when the broker has nothing left of it. */
async function timesWritten(broker: Broker, file: string, moment: Moment): Promise<number> {
  const name = `cut_${process.pid}_${(count += 1)}`;
  const [first, second] = [`${name}-first`, `${name}-second`];
  await pool.query(`CREATE SCHEMA ${name}`);
  const table = await Table.open(name);
  const queue = await broker.open(name);
  try {
    await queue.send({ parcel: first, box: 'first' });
    if (moment === 'before the write') await cutBeforeWrite(broker, file, table);
    else await cutAfterWrite(broker, file, table, first);
    // The second message shows that the next consumer works.
    await queue.send({ parcel: second, box: 'second' });
    await consumeRest(broker, file, table, queue);
    return await table.times('first');
  } finally {
    await queue.remove();
    await table.close();
    await pool.query(`DROP SCHEMA ${name} CASCADE`);
  }
}

async function cutBeforeWrite(broker: Broker, file: string, table: Table): Promise<void> {
  const proxy = await cuttable(broker.url);
  const unlock = await table.lock();
  const consumer = new Consumer(file, table, { [broker.variable]: proxy.url });
  await consumer.until('it writes', () => table.someoneWaits());
  // An acknowledgement that is on its way gets there.
  await sleep(200);
  await proxy.cut();
  await consumer.kill();
  await unlock();
}

async function cutAfterWrite(broker: Broker, file: string, table: Table, message: string): Promise<void> {
  const proxy = await cuttable(broker.url);
  proxy.deafAfter = message;
  const consumer = new Consumer(file, table, { [broker.variable]: proxy.url });
  await consumer.until('it has written', async () => (await table.times('first')) === 1);
  await proxy.cut();
  await consumer.kill();
}

async function consumeRest(broker: Broker, file: string, table: Table, queue: Queue): Promise<void> {
  const consumer = new Consumer(file, table, { [broker.variable]: broker.url });
  await consumer.until('the second message is written and none is left', async () => (await table.times('second')) > 0 && (await queue.idle()));
  await consumer.kill();
}

/** The tables of one run, in a schema of their own. */
class Table {
  readonly url: string;

  private constructor(
    readonly schema: string,
    private readonly client: pg.PoolClient,
  ) {
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', schema);
    url.searchParams.set('options', `-c search_path=${schema}`);
    this.url = url.href;
  }

  static async open(schema: string): Promise<Table> {
    const client = await pool.connect();
    await client.query(`SET search_path = ${schema}`);
    await client.query(readFileSync(`${root}${folder}/schema.sql`, 'utf8'));
    await client.query("INSERT INTO boxes VALUES ('first'), ('second')");
    return new Table(schema, client);
  }

  async close(): Promise<void> {
    await this.endSessions();
    // The path of the tables must not go back to the pool.
    this.client.release(true);
  }

  async times(box: string): Promise<number> {
    const { rows } = await this.client.query<{ times: number }>(
      'SELECT (SELECT parcels FROM boxes WHERE name = $1) + (SELECT count(*)::int FROM arrivals WHERE box = $1) AS times',
      [box],
    );
    return rows[0]?.times ?? 0;
  }

  /** Lets nobody write until the returned function is called, which also ends those who wait. */
  async lock(): Promise<() => Promise<void>> {
    await this.client.query('BEGIN');
    await this.client.query('LOCK TABLE boxes, arrivals IN EXCLUSIVE MODE');
    return async () => {
      await this.endSessions();
      await this.client.query('COMMIT');
    };
  }

  async someoneWaits(): Promise<boolean> {
    const { rows } = await pool.query("SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'", [this.schema]);
    return rows.length > 0;
  }

  private async endSessions(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [this.schema]);
      if (rows.length === 0) return;
      await sleep(10);
    }
  }
}

class Consumer {
  private readonly child: ChildProcess;
  private output = '';

  constructor(
    private readonly file: string,
    table: Table,
    env: Record<string, string>,
  ) {
    this.child = spawn(process.execPath, [`${root}${file}`], {
      env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: table.url, QUEUE: table.schema, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (data) => (this.output += String(data)));
  }

  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20)) {
      if (await holds()) return;
      if (this.child.exitCode !== null) throw new Error(`${this.file} ended before ${what}.\n${this.output}`);
    }
    await this.kill();
    throw new Error(`${this.file}: not within 20 seconds: ${what}.\n${this.output}`);
  }

  /** Nothing of it runs after this. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
