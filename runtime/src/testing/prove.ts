/** The proof: one clean delivery, then everything that can go wrong with it, each compared with the clean one. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fakeClients } from './brokers/index.js';
import { chance } from './chance.js';
import { commitAfterCall, crashPoints, effectNames, failures, type Point } from './points.js';
import type { Event, Orders } from './protocol.js';
import type { Difference, Proof, ProofOptions } from './proof.js';
import { report } from './report.js';
import type { Message } from './scenario.js';
import { server } from './server.js';
import { isDone, Stage, type Chain } from './stage.js';
import { loadersFor } from './typescript.js';
import { compare, findVolatile, untouched, type Baseline, type Change, type World } from './world.js';

/** The scenario cannot be put to the test: it does not load, or its clean delivery is not acknowledged. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}

/**
 * Runs the consumer of a scenario module under crashes, failures and duplicates, and tells what they change. `scenario`
 * is a path (relative to the working directory) or a `file:` URL of a module with the exports of {@link Scenario}.
 *
 * Rejects with {@link ScenarioError} if not even the clean delivery works.
 */
export async function proveHandler(scenario: string | URL, options: ProofOptions = {}): Promise<Proof> {
  const began = Date.now();
  const { seed = 1, execArgv = [] } = options;
  const located = locate(scenario);
  const loaders = loadersFor(located, execArgv);
  if (!loaders) {
    throw new ScenarioError(`${located} is TypeScript, which Node.js ${process.versions.node} does not load. Run: npm install --save-dev tsx`);
  }
  const database = await server(options.databaseUrl);
  try {
    const stage = await Stage.open({
      scenario: located,
      serverUrl: database.url,
      databaseVariables: options.databaseVariables ?? [],
      env: options.env ?? {},
      execArgv,
      loaders,
      passThrough: options.passThrough ?? [],
      fakes: fakesOf(options.fakes ?? {}),
      keyHeaders: (options.idempotencyHeaders ?? ['idempotency-key', 'x-idempotency-key', 'paypal-request-id']).map((name) => name.toLowerCase()),
      respond: options.respond,
      commonjs: options.commonjs ?? false,
      callKey: options.callKey ?? (() => undefined),
      seed,
      maxDeliveries: options.maxDeliveries ?? 5,
      deliveryTimeout: options.deliveryTimeout ?? 10_000,
    });
    try {
      const found = await new Examination(stage, options, began).examine();
      const proof = { ...found, seed, elapsed: Date.now() - began };
      return { ...proof, report: report(proof) };
    } finally {
      await stage.close();
    }
  } finally {
    await database.stop();
  }
}

function locate(scenario: string | URL): string {
  const text = String(scenario);
  return text.startsWith('file:') ? text : resolve(text);
}

function fakesOf(own: Record<string, string | false>): Record<string, string> {
  const urls = Object.entries({ ...fakeClients, ...own }).filter((entry): entry is [string, string] => entry[1] !== false);
  return Object.fromEntries(urls.map(([name, at]) => [name, at.startsWith('file:') ? at : pathToFileURL(resolve(at)).href]));
}

type Found = Omit<Proof, 'seed' | 'elapsed' | 'report'>;

class Examination {
  private readonly differences: Difference[] = [];
  private readonly runs: string[] = [];
  private readonly limits: string[] = [];
  private message!: Message;
  private newer: Message[] = [];
  private events: Event[] = [];
  private clean!: World;
  private baseline!: Baseline;
  private cleanDuration = 0;
  private left: string[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly options: ProofOptions,
    private readonly began: number,
  ) {}

  async examine(): Promise<Found> {
    const { message, newer } = await this.stage.setUp().catch((error: unknown) => {
      throw new ScenarioError(error instanceof Error ? error.message : String(error), { cause: error });
    });
    this.message = message;
    this.newer = newer;
    await this.deliverCleanly();
    const points = this.chosen(crashPoints(this.events));
    for (const point of points) await this.crash(point);
    for (const { fail, what } of failures(this.events)) await this.fails(what, (attempt) => (attempt === 1 ? { fail } : {}));
    await this.twiceInARow();
    for (const point of points) await this.twiceAtOnce(point);
    await this.late();
    await this.rolledBackForGood();
    if (this.left.length > 0) {
      this.limits.push(`${this.left.length} runs did not fit into timeBudget (${this.budget} ms): ${this.left.slice(0, 3).join('; ')}${this.left.length > 3 ? '; …' : ''}`);
    }
    return {
      verdict: this.differences.length > 0 ? 'broken' : this.limits.length > 0 ? 'incomplete' : 'idempotent',
      differences: this.differences,
      runs: this.runs,
      effects: effectNames(this.events),
      limits: this.limits,
      notCompared: [...this.baseline.volatile, ...this.baseline.volatileCalls].sort(),
    };
  }

  private get budget(): number {
    return this.options.timeBudget ?? 60_000;
  }

  /** Twice, so that what differs by itself is known. */
  private async deliverCleanly(): Promise<void> {
    const first = await this.stage.run(() => Promise.resolve([]));
    const began = Date.now();
    const a = await this.cleanRun('delivered once');
    this.cleanDuration = Date.now() - began;
    const b = await this.cleanRun('delivered once, in another process');
    this.clean = a.world;
    this.events = a.chains[0]?.deliveries[0] ?? [];
    this.baseline = {
      first: first.world.tables,
      facts: await this.stage.database.facts(),
      ...findVolatile(a.world, b.world),
      ignore: new Set(this.options.ignore ?? []),
    };
  }

  private async cleanRun(name: string): Promise<{ world: World; chains: Chain[] }> {
    this.runs.push(name);
    const ran = await this.stage.run(async () => [await this.stage.deliver(this.message)]);
    const [chain] = ran.chains;
    if (chain?.settlement === 'acknowledged' && chain.deliveries.length === 1) return ran;
    throw new ScenarioError(`The message is not acknowledged at its first delivery, with nothing going wrong: ${endOf(chain)}.`);
  }

  /** Those that `maxCrashes` allows, in their order. */
  private chosen(points: Point[]): Point[] {
    const { maxCrashes = 100, seed = 1 } = this.options;
    if (points.length <= maxCrashes) return points;
    this.limits.push(`${points.length - maxCrashes} of ${points.length} crash points are more than maxCrashes (${maxCrashes})`);
    const next = chance(seed);
    const ranked = points.map((point) => ({ point, rank: next() })).sort((a, b) => a.rank - b.rank);
    return ranked.slice(0, maxCrashes).map(({ point }) => point).sort((a, b) => a.event - b.event);
  }

  private async crash(point: Point): Promise<void> {
    const name = `crash ${point.where}`;
    await this.attempt(name, async () => {
      const chain = await this.stage.deliver(this.message, (attempt) => (attempt === 1 ? { freezeAt: point.event } : {}));
      this.mustReach(point, chain.deliveries[0], name);
      return [chain];
    });
  }

  /** A consumer that goes another way at each delivery cannot be stopped where it was seen to go. */
  private mustReach(point: Point, events: Event[] | undefined, name: string): void {
    if (events && events.length > point.event) return;
    this.limits.push(`${name} (the delivery took another way than the clean one and did not get there)`);
  }

  private async fails(what: string, orders: (attempt: number) => Orders): Promise<void> {
    await this.attempt(what, async () => [await this.stage.deliver(this.message, orders)]);
  }

  private async twiceInARow(): Promise<void> {
    await this.attempt('delivered twice in a row', async () => {
      const thread = this.stage.thread();
      const first = await this.stage.deliver(this.message, undefined, { thread });
      return [first, await this.stage.deliver(this.message, undefined, { thread, from: 2 })];
    });
    await this.attempt('delivered again to another process', async () => [
      await this.stage.deliver(this.message),
      await this.stage.deliver(this.message, undefined, { from: 2 }),
    ]);
  }

  /** One delivery stops at the point; the other goes as far as it can; then the first goes on. */
  private async twiceAtOnce(point: Point): Promise<void> {
    const acked = this.events.findIndex(({ kind, edge }) => kind === 'ack' && edge === 'start');
    if (!point.after || (acked >= 0 && point.event >= acked)) return;
    const name = `delivered twice at once, one of them waiting ${point.where}`;
    await this.attempt(name, async () => {
      const thread = this.stage.thread();
      const slow = this.stage.begin(thread, this.message, 1, { freezeAt: point.event });
      await slow.frozenOrOver;
      this.mustReach(point, slow.events, name);
      const fast = this.stage.deliver(this.message, undefined, { from: 2 });
      await this.untilOverOrStuck(fast);
      thread.release();
      const ending = await slow.over;
      const one: Chain = { deliveries: [slow.events], settlement: slow.settlement, ending };
      const two = await fast;
      return [isDone(one) ? one : await this.stage.deliver(this.message, undefined, { from: 2 }), two];
    });
  }

  /** Until the delivery is over, waits for a lock, or has taken far longer than a clean one. */
  private async untilOverOrStuck(delivery: Promise<unknown>): Promise<void> {
    let over = false;
    void delivery.then(() => (over = true));
    const deadline = Date.now() + Math.max(2000, 5 * this.cleanDuration);
    for (let waits = 0; !over && waits < 2 && Date.now() < deadline; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      waits = (await this.stage.database.someoneWaits()) ? waits + 1 : 0;
    }
  }

  private async late(): Promise<void> {
    if (this.newer.length === 0) return;
    let ordered: World | undefined;
    await this.attempt('delivered before the newer ones, in order', async () => this.inTurn([this.message, ...this.newer]), (world) => {
      ordered = world;
      return [];
    });
    const expected = ordered;
    if (!expected) return;
    const judge = (world: World): Change[] =>
      compare({ ...expected, settlements: world.settlements }, world, this.baseline).map((change) =>
        change.kind === 'changed' || change.kind === 'lost' ? { ...change, kind: 'overwritten' } : change,
      );
    const count = this.newer.length > 1 ? `${this.newer.length} newer ones` : 'a newer one';
    await this.attempt(`delivered again after ${count}`, async () => this.inTurn([this.message, ...this.newer, this.message]), judge);
    await this.attempt(`delivered late, after ${count}`, async () => this.inTurn([...this.newer, this.message]), judge);
  }

  private async inTurn(messages: Message[]): Promise<Chain[]> {
    const chains: Chain[] = [];
    for (const message of messages) chains.push(await this.stage.deliver(message));
    return chains;
  }

  /** A transaction that never commits must not have called anybody. */
  private async rolledBackForGood(): Promise<void> {
    const failure = commitAfterCall(this.events);
    if (!failure) return;
    await this.attempt(
      failure.what,
      async () => [await this.stage.deliver(this.message, () => ({ fail: failure.fail }))],
      (world) =>
        untouched(world, this.baseline)
          ? [...new Set(world.calls.map(({ name }) => name))].map((name) => ({
              kind: 'stray',
              what: `${name} was made in a transaction that was rolled back; the database has nothing of it`,
              call: name,
            }))
          : [],
    );
  }

  /** A run and what it changed. */
  private async attempt(name: string, work: () => Promise<Chain[]>, judge?: (world: World) => Change[]): Promise<void> {
    if (Date.now() - this.began > this.budget) {
      this.left.push(name);
      return;
    }
    this.runs.push(name);
    const { world, chains } = await this.stage.run(work);
    const changes = judge ? judge(world) : this.judge(world, chains);
    this.differences.push(...changes.map((change) => ({ run: name, ...change })));
  }

  private judge(world: World, chains: Chain[]): Change[] {
    // A message among the dead letters is not lost, if nothing of it was done, or all.
    if (world.settlements.includes('dead-lettered') && untouched(world, this.baseline) && world.calls.length === 0) return [];
    const changes = compare(this.clean, world, this.baseline);
    const stuck = chains.find((chain) => !isDone(chain));
    if (!stuck) return changes;
    return [
      ...changes,
      { kind: 'stuck', what: `not acknowledged after ${stuck.deliveries.length} deliveries (${endOf(stuck)})` },
    ];
  }
}

function endOf(chain: Chain | undefined): string {
  const ending = chain?.ending;
  switch (ending?.end) {
    case 'died':
      return `the process ended: ${ending.error}`;
    case 'silent':
      return 'the delivery did not come to an end in time; see deliveryTimeout';
    case 'done':
      return ending.error ?? (chain?.settlement ? `it was ${chain.settlement}` : 'the consumer returned and acknowledged nothing');
    default:
      return 'it was not delivered';
  }
}
