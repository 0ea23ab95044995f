/** What the user of the harness writes: a module that each delivery loads anew, in a thread of its own. */

/** A message as the broker holds it. */
export interface Message {
  /** The producer's id, the same at every delivery. */
  id?: string;
  /** Anything that `structuredClone` takes. */
  body: unknown;
  headers?: Record<string, string>;
  /** Name of the queue, topic or subject; a fake broker delivers to the consumer of that name. Default: to the only one. */
  destination?: string;
}

/** One delivery of a message, and what the consumer may do with it. */
export interface Delivery {
  readonly message: Message;
  /** 1 for the first delivery. */
  readonly attempt: number;
  readonly redelivered: boolean;
  /** Differs for each delivery, as a delivery tag or a receipt handle does. */
  readonly tag: number;
  /** Tells the broker that the message is done. A second call changes nothing. */
  ack(): void;
  /** Gives the message back, to be delivered again; with `requeue: false` it goes to the dead letters. */
  nack(options?: { requeue?: boolean }): void;
  /** Sends a message. With an `id` that a receiver can recognise, any number of times counts as once. */
  publish(destination: string, body: unknown, options?: { id?: string }): Promise<void>;
}

/** A connection to the harness's database. */
export interface Database {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The exports of a scenario module. */
export interface Scenario {
  /** Tables and the rows that are there before the message comes: SQL, or a function that makes them. Run once. */
  setup?: string | ((db: Database) => Promise<unknown>);
  /** The message that is put to the test. */
  message: Message;
  /** Newer messages of the same entity, oldest first. With them, the message is also delivered late. */
  newer?: Message[];
  /** The consumer under test. Runs in a worker thread. */
  consume?(delivery: Delivery): unknown;
  /**
   * In place of `consume`, for code that registers itself with a client: called once in each thread. The client must be
   * one of the harness's fakes (see {@link ProofOptions.fakes}).
   */
  start?(): unknown;
  /**
   * How the broker learns that a message is done. `'call'` (default): by `delivery.ack()`. `'return'`: by the return of
   * `consume`; if it throws, the message comes again. A fake broker knows by itself.
   */
  acknowledge?: 'call' | 'return';
}
