/**
 * Shows that a driver or ORM can carry the inbox: cases against a real PostgreSQL, to be run by any test runner.
 *
 * ```ts
 * for (const { name, run } of conformanceCases({ pool, driver })) test(name, run);
 * ```
 */
import { InboxError, NotInTransactionError, RolledBackError } from './errors.js';
import type { Executor } from './executor.js';
import { createInbox, type Inbox } from './inbox.js';
import type { InFlightPolicy } from './options.js';
import { autocommit, rowOf, type Pool } from './pool.js';
import { identifier, literal } from './sql.js';

export interface ConformanceDriver {
  /** Runs the work in a transaction of the driver: commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (execute: Executor) => Promise<T>): Promise<T>;
  /** An executor of the driver outside of any transaction, where it has one. */
  outside?: Executor;
}

export interface ConformanceOptions {
  driver: ConformanceDriver;
  /** A pool of `pg` to the same database, for looking at what was committed. */
  pool: Pool;
  /** A schema that the cases may create and drop. Default: `inbox_conformance`. */
  schema?: string;
}

export interface ConformanceCase {
  name: string;
  run: () => Promise<void>;
}

/** The cases, to be run one after the other. Each rejects with a full sentence if the driver does not conform. */
export function conformanceCases(options: ConformanceOptions): ConformanceCase[] {
  const world = new World(options);
  const { outside } = options.driver;
  return [
    { name: 'commits the record and the effect together', run: () => commitsTogether(world) },
    { name: 'rolls both back when the work fails', run: () => rollsBackTogether(world) },
    { name: 'does not run the work of a duplicate', run: () => skipsDuplicates(world) },
    { name: 'refuses to commit after a swallowed error', run: () => refusesSwallowedErrors(world) },
    { name: 'tells a message in flight from a duplicate', run: () => tellsInFlight(world) },
    { name: 'applies concurrent deliveries once', run: () => appliesConcurrentOnce(world) },
    { name: 'passes every character of an id', run: () => passesCharacters(world) },
    { name: 'lets only newer versions through a gate', run: () => gates(world) },
    { name: 'enqueues with the transaction', run: () => enqueues(world) },
    ...(outside ? [{ name: 'is refused outside of a transaction', run: () => refusesOutside(world, outside) }] : []),
  ];
}

/**
 * Whether the driver, without the fence, reports success for a transaction that PostgreSQL rolled back because a
 * statement in it had failed. `true` means that the fence is what stands between a swallowed error and a lost message.
 */
export async function reportsRollbackAsSuccess(options: ConformanceOptions): Promise<boolean> {
  const world = new World(options);
  await world.ready();
  const id = world.freshId();
  const resolved = await options.driver
    .transaction(async (execute) => {
      await execute(world.creditSql(id));
      await swallow(execute('SELECT 1/0'));
    })
    .then(
      () => true,
      () => false,
    );
  await world.expectBalance(id, 0, 'a failed transaction was committed');
  return resolved;
}

class World {
  readonly driver: ConformanceDriver;
  private readonly pool: Pool;
  private readonly schema: string;
  private prepared: Promise<void> | undefined;
  private count = 0;

  constructor(options: ConformanceOptions) {
    this.driver = options.driver;
    this.pool = options.pool;
    this.schema = options.schema ?? 'inbox_conformance';
  }

  inbox(inFlight: InFlightPolicy = { policy: 'wait', max: 5000 }): Inbox {
    return createInbox({ pool: this.pool, schema: this.schema, consumer: 'conformance', inFlight });
  }

  ready(): Promise<void> {
    return (this.prepared ??= this.prepare());
  }

  private async prepare(): Promise<void> {
    await this.inbox().migrate();
    await autocommit(
      this.pool,
      `CREATE TABLE IF NOT EXISTS ${identifier(this.schema)}.accounts (id text PRIMARY KEY, balance integer NOT NULL)`,
    );
  }

  freshId(): string {
    return `${process.pid}-${Date.now()}-${(this.count += 1)}-${Math.random()}`;
  }

  creditSql(id: string): string {
    return `INSERT INTO ${identifier(this.schema)}.accounts AS a (id, balance) VALUES (${literal(id)}, 1)
ON CONFLICT (id) DO UPDATE SET balance = a.balance + 1`;
  }

  /** Records the message and credits its account, in one transaction of the driver. */
  async deliver(id: string, inbox = this.inbox()): Promise<string> {
    return this.driver.transaction(async (execute) => {
      const outcome = await inbox.record(execute, { id }, async () => {
        await execute(this.creditSql(id));
      });
      return outcome.status;
    });
  }

  async expectBalance(id: string, expected: number, otherwise: string): Promise<void> {
    const balance = await this.number(`SELECT coalesce(sum(balance), 0) AS n FROM ${identifier(this.schema)}.accounts WHERE id = ${literal(id)}`);
    expect(balance === expected, `${otherwise}: the account was credited ${balance} times, not ${expected}.`);
  }

  async expectRecorded(id: string, expected: boolean): Promise<void> {
    const count = await this.number(`SELECT count(*) AS n FROM ${identifier(this.schema)}.processed WHERE id = ${literal(id)}`);
    expect(count === (expected ? 1 : 0), `The message is ${expected ? 'not ' : ''}recorded, other than it should be.`);
  }

  async enqueued(id: string): Promise<number> {
    return this.number(`SELECT count(*) AS n FROM ${identifier(this.schema)}.outbox WHERE destination = ${literal(id)}`);
  }

  private async number(sql: string): Promise<number> {
    return Number(rowOf(await autocommit(this.pool, sql)).n);
  }
}

async function commitsTogether(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  expect((await world.deliver(id)) === 'recorded', 'A new message was not recorded.');
  await world.expectBalance(id, 1, 'The effect was not committed');
  await world.expectRecorded(id, true);
}

async function rollsBackTogether(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  const failing = world.driver.transaction((execute) =>
    world.inbox().record(execute, { id }, async () => {
      await execute(world.creditSql(id));
      throw new Error('the work failed');
    }),
  );
  await expectRejection(failing, /the work failed/, 'The driver swallowed the error of the work.');
  await world.expectBalance(id, 0, 'The effect of a failed transaction stayed');
  await world.expectRecorded(id, false);
}

async function skipsDuplicates(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  await world.deliver(id);
  expect((await world.deliver(id)) === 'duplicate', 'A duplicate was not recognised.');
  await world.expectBalance(id, 1, 'A duplicate was applied');
}

async function refusesSwallowedErrors(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  const swallowing = world.driver.transaction((execute) =>
    world.inbox().record(execute, { id }, async () => {
      await execute(world.creditSql(id));
      await swallow(execute('SELECT 1/0'));
    }),
  );
  const error = await expectRejection(swallowing, /./, 'A transaction that PostgreSQL rolled back was reported as a success.');
  expect(mentions(error, RolledBackError), `The fence did not say what happened, but: ${String(error)}.`);
  await world.expectBalance(id, 0, 'A failed transaction was committed');
  await world.expectRecorded(id, false);
  expect((await world.deliver(id)) === 'recorded', 'The redelivery was not processed.');
}

async function tellsInFlight(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  await world.driver.transaction(async (execute) => {
    await world.inbox().record(execute, { id });
    const other = await world.deliver(id, world.inbox({ policy: 'defer' }));
    expect(other === 'in-flight', `A message that may still fail was called ${other}.`);
    await execute(world.creditSql(id));
    await world.inbox().fence(execute);
  });
  expect((await world.deliver(id)) === 'duplicate', 'A committed message was not called a duplicate.');
  await world.expectBalance(id, 1, 'The message was not applied once');
}

async function appliesConcurrentOnce(world: World): Promise<void> {
  await world.ready();
  const id = world.freshId();
  const statuses = await Promise.all(Array.from({ length: 4 }, () => world.deliver(id)));
  expect(statuses.filter((status) => status === 'recorded').length === 1, `Concurrent deliveries ended as ${statuses.join(', ')}.`);
  await world.expectBalance(id, 1, 'Concurrent deliveries were not applied once');
}

async function passesCharacters(world: World): Promise<void> {
  await world.ready();
  for (const text of ["'", '\\', '"', '?', '??', ':name', '$1', '@a', '%s', ';', '--', '/*', '\n', '🎈', '{}', '`']) {
    const id = `${world.freshId()}${text}`;
    expect((await world.deliver(id)) === 'recorded', `The id ${JSON.stringify(id)} was not recorded.`);
    await world.expectRecorded(id, true);
    await world.expectBalance(id, 1, `The id ${JSON.stringify(id)} was changed on its way`);
  }
}

async function gates(world: World): Promise<void> {
  await world.ready();
  const entity = world.freshId();
  const statuses: string[] = [];
  for (const version of [2, 1, 2, 3]) {
    const id = world.freshId();
    const outcome = await world.driver.transaction((execute) =>
      world.inbox().record(execute, { id }, async () => void (await execute(world.creditSql(entity))), { gate: { entity, version } }),
    );
    statuses.push(outcome.status);
    await world.expectRecorded(id, outcome.status === 'recorded');
  }
  expect(statuses.join() === 'recorded,stale,stale,recorded', `Versions 2, 1, 2, 3 ended as ${statuses.join(', ')}.`);
  await world.expectBalance(entity, 2, 'A stale version was applied');
}

async function enqueues(world: World): Promise<void> {
  await world.ready();
  const [kept, lost] = [world.freshId(), world.freshId()];
  await world.driver.transaction(async (execute) => {
    await world.inbox().enqueue(execute, { id: kept }, kept, { text: "it's ?:$1" }, { key: 'k' });
  });
  const failing = world.driver.transaction(async (execute) => {
    await world.inbox().enqueue(execute, { id: lost }, lost, {});
    throw new Error('the work failed');
  });
  await expectRejection(failing, /the work failed/, 'The driver swallowed the error of the work.');
  expect((await world.enqueued(kept)) === 1, 'A committed message is not in the outbox.');
  expect((await world.enqueued(lost)) === 0, 'A message of a failed transaction is in the outbox.');
}

async function refusesOutside(world: World, outside: Executor): Promise<void> {
  await world.ready();
  const id = world.freshId();
  const error = await expectRejection(
    world.inbox().record(outside, { id }, async () => void (await outside(world.creditSql(id)))),
    /./,
    'A record outside of a transaction was taken.',
  );
  expect(mentions(error, NotInTransactionError), `The fence did not say what happened, but: ${String(error)}.`);
  await world.expectRecorded(id, false);
}

async function swallow(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => undefined);
}

/** An ORM may wrap the error that the work threw. */
function mentions(error: unknown, kind: new (...args: never[]) => Error): boolean {
  return error instanceof kind || (error instanceof Error && mentions(error.cause, kind));
}

async function expectRejection(promise: Promise<unknown>, pattern: RegExp, otherwise: string): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    expect(pattern.test(String(error)), `Another error than expected: ${String(error)}`);
    return error;
  }
  throw new InboxError(otherwise);
}

function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new InboxError(otherwise);
}
