/** Where runs take place: a database, a recorder and a supply of threads. Each run begins with the same world. */
import { pathToFileURL } from 'node:url';
import { Database } from './database.js';
import type { Call, Event, Orders, Settlement } from './protocol.js';
import { Recorder, type Respond } from './recorder.js';
import type { Message } from './scenario.js';
import { Thread, type Ending, type Observed } from './thread-handle.js';
import type { World } from './world.js';

export interface StageOptions {
  scenario: string;
  serverUrl: string;
  databaseVariables: readonly string[];
  env: Record<string, string>;
  execArgv: string[];
  loaders: string[];
  passThrough: string[];
  fakes: Record<string, string>;
  commonjs: boolean;
  keyHeaders: readonly string[];
  respond: Respond | undefined;
  callKey: (call: { name: string; body: unknown }) => string | undefined;
  seed: number;
  maxDeliveries: number;
  deliveryTimeout: number;
}

/** One copy of a message in the broker: its deliveries, until it is done. */
export interface Chain {
  /** The events of each delivery. */
  deliveries: Event[][];
  settlement: Settlement | undefined;
  /** Of the last delivery. */
  ending: Ending | undefined;
}

export class Stage {
  private calls: Call[] = [];
  private running = new Set<Thread>();
  private spare: Thread | undefined;
  private spawned = 0;
  /** Goes on over the runs, so that what holds a tag differs between two clean deliveries. */
  private tags = 0;

  private constructor(
    private readonly options: StageOptions,
    readonly database: Database,
    private readonly recorder: Recorder,
  ) {}

  static async open(options: StageOptions): Promise<Stage> {
    const recorder = new Recorder(options.keyHeaders, options.respond);
    await recorder.start();
    try {
      return new Stage(options, await Database.create(options.serverUrl), recorder);
    } catch (error) {
      await recorder.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.clear();
    await this.spare?.kill();
    await this.database.drop();
    await this.recorder.stop();
  }

  /** Runs the scenario's setup and keeps its rows as the first ones. */
  async setUp(): Promise<{ message: Message; newer: Message[] }> {
    const thread = this.thread();
    const messages = await thread.describe(this.options.deliveryTimeout * 3);
    await this.end(thread);
    await this.database.remember();
    return messages;
  }

  /** A run: the first world, the work, and what is there after it. */
  async run(work: () => Promise<Chain[]>): Promise<{ world: World; chains: Chain[] }> {
    await this.clear();
    await this.database.reset();
    this.recorder.reset();
    this.calls = [];
    const chains = await work();
    // What the consumer left open is not committed by anybody.
    await this.clear();
    await this.database.endOthers();
    const tables = await this.database.rows();
    const world: World = {
      tables,
      calls: [...this.recorder.recorded(), ...this.calls].map((call) => ({ ...call, key: call.key ?? this.options.callKey(call) })),
      settlements: chains.map(({ settlement }) => settlement),
    };
    return { world, chains };
  }

  /**
   * Delivers a message until it is done, as a broker does: to the same process while that lives, else to a new one.
   * `orders` gives those of each delivery, counted from 1.
   */
  async deliver(
    message: Message,
    orders: (attempt: number) => Orders = () => ({}),
    options: { thread?: Thread; from?: number } = {},
  ): Promise<Chain> {
    const chain: Chain = { deliveries: [], settlement: undefined, ending: undefined };
    let thread = options.thread;
    for (let attempt = options.from ?? 1; attempt <= this.options.maxDeliveries && !isDone(chain); attempt += 1) {
      thread ??= this.thread();
      const observed = this.begin(thread, message, attempt, orders(attempt));
      const ending = await observed.frozenOrOver;
      if (ending.end !== 'done') {
        await this.end(thread);
        thread = undefined;
      }
      chain.deliveries.push(observed.events);
      chain.settlement = observed.settlement;
      chain.ending = ending;
    }
    return chain;
  }

  begin(thread: Thread, message: Message, attempt: number, orders: Orders): Observed {
    this.tags += 1;
    return thread.deliver(message, attempt, this.tags, orders, this.options.deliveryTimeout);
  }

  /** A new process. The one after it is made ready meanwhile. */
  thread(): Thread {
    const thread = this.spare ?? this.spawn();
    this.spare = this.spawn();
    this.running.add(thread);
    return thread;
  }

  /** A crash of the process: its thread ends, and PostgreSQL rolls back what it had open. */
  async end(thread: Thread): Promise<void> {
    await thread.kill();
    this.running.delete(thread);
    // With another process still at work, its sessions must live; those of the dead one end with their sockets.
    if (this.running.size === 0) await this.database.endOthers();
  }

  private async clear(): Promise<void> {
    await Promise.all([...this.running].map((thread) => thread.kill()));
    this.running.clear();
  }

  private spawn(): Thread {
    const { scenario, databaseVariables, env, execArgv, loaders, passThrough, fakes, commonjs, seed } = this.options;
    const { url } = this.database;
    const { hostname, port, username, password, pathname } = new URL(url);
    this.spawned += 1;
    return new Thread(
      {
        scenario: scenario.startsWith('file:') ? scenario : pathToFileURL(scenario).href,
        loaders,
        recorderPort: this.recorder.port,
        passThrough,
        fakes,
        commonjs,
        seed: seed * 100_003 + this.spawned,
        databaseUrl: url,
      },
      {
        ...process.env,
        PGHOST: hostname,
        PGPORT: port || '5432',
        PGUSER: decodeURIComponent(username),
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: pathname.slice(1),
        DATABASE_URL: url,
        ...Object.fromEntries(databaseVariables.map((name) => [name, url])),
        ...env,
      },
      execArgv,
      (call) => this.calls.push(call),
    );
  }
}

export function isDone(chain: Chain): boolean {
  return chain.settlement === 'acknowledged' || chain.settlement === 'dead-lettered';
}
