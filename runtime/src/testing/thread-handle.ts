/** A thread of deliveries, seen from outside. */
import { Worker } from 'node:worker_threads';
import type { Call, Event, FromThread, Orders, Settlement, ThreadData, ToThread } from './protocol.js';
import type { Message } from './scenario.js';

/** How a delivery ended for the thread. */
export type Ending =
  | { end: 'done'; error?: string }
  /** At the point that was ordered; it can go on, or be ended there. */
  | { end: 'frozen' }
  | { end: 'died'; error: string }
  | { end: 'silent' };

/** A delivery under way; its fields fill as it goes on. */
export interface Observed {
  events: Event[];
  settlement: Settlement | undefined;
  /** When the consumer has ended, or its thread. */
  over: Promise<Ending>;
  /** The same, or when it is frozen. */
  frozenOrOver: Promise<Ending>;
}

export class Thread {
  private readonly gate: Int32Array;
  private readonly worker: Worker;
  private listener: ((message: FromThread) => void) | undefined;
  private dead: string | undefined;
  private onDeath: ((error: string) => void) | undefined;
  private log = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(data: Omit<ThreadData, 'gate'>, env: NodeJS.ProcessEnv, execArgv: string[], onCall: (call: Call) => void) {
    const gate = new SharedArrayBuffer(4);
    this.gate = new Int32Array(gate);
    this.worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { ...data, gate } satisfies ThreadData,
      env,
      execArgv,
      stdout: true,
      stderr: true,
    });
    const keep = (chunk: unknown): void => void (this.log = (this.log + String(chunk)).slice(-2000));
    this.worker.stdout.on('data', () => undefined);
    this.worker.stderr.on('data', keep);
    this.worker.on('message', (message: FromThread) => {
      if (message.type === 'call') onCall(message.call);
      this.listener?.(message);
    });
    this.worker.on('error', (error) => this.died(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));
    this.worker.on('exit', () => this.died('the process ended by itself'));
  }

  private died(error: string): void {
    this.dead ??= error;
    this.onDeath?.(this.dead);
  }

  /** Loads the scenario, runs its setup and resolves to its messages. */
  describe(timeout: number): Promise<{ message: Message; newer: Message[] }> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`The scenario could not be loaded or set up: ${why}\n${this.log}`.trim()));
      const timer = setTimeout(() => fail(`no answer within ${timeout} ms`), timeout);
      this.onDeath = (error) => {
        clearTimeout(timer);
        fail(error);
      };
      this.listener = (message) => {
        if (message.type !== 'described') return;
        clearTimeout(timer);
        this.onDeath = undefined;
        resolve(message);
      };
      this.post({ type: 'describe' });
    });
  }

  /** Begins a delivery. */
  deliver(message: Message, attempt: number, tag: number, orders: Orders, timeout: number): Observed {
    const observed: Pick<Observed, 'events' | 'settlement'> = { events: [], settlement: undefined };
    let frozen!: (ending: Ending) => void;
    const atPoint = new Promise<Ending>((resolve) => (frozen = resolve));
    const over = new Promise<Ending>((resolve) => {
      this.timer = setTimeout(() => resolve({ end: 'silent' }), timeout);
      const finish = (ending: Ending): void => {
        clearTimeout(this.timer);
        resolve(ending);
      };
      this.onDeath = (error) => finish({ end: 'died', error });
      if (this.dead !== undefined) finish({ end: 'died', error: this.dead });
      this.listener = (heard) => {
        if (heard.type === 'event') observed.events.push(heard.event);
        // The first settlement counts, as at a broker.
        else if (heard.type === 'settled') observed.settlement ??= heard.as;
        else if (heard.type === 'frozen') frozen({ end: 'frozen' });
        else if (heard.type === 'done') finish({ end: 'done', ...(heard.error === undefined ? {} : { error: heard.error }) });
      };
      this.post({ type: 'deliver', message, attempt, tag, orders });
    });
    return Object.assign(observed, { over, frozenOrOver: Promise.race([atPoint, over]) });
  }

  /** Lets a frozen delivery go on. */
  release(): void {
    Atomics.store(this.gate, 0, 1);
    Atomics.notify(this.gate, 0);
  }

  /** The crash: nothing in the thread runs after this. */
  async kill(): Promise<void> {
    clearTimeout(this.timer);
    this.onDeath = undefined;
    this.listener = undefined;
    await this.worker.terminate();
  }

  private post(message: ToThread): void {
    this.worker.postMessage(message);
  }
}
