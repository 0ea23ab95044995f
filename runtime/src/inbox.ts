/** The inbox: what each method does, as a table of contents. */
import { Parking } from './attempts.js';
import { processBatch, type BatchHandler } from './batch.js';
import { executor, type Executor, type Queryable } from './executor.js';
import { passGate } from './gate.js';
import { InFlight } from './in-flight.js';
import { fence, recordIn, type RecordOutcome } from './join.js';
import type { Message } from './message.js';
import { checkDatabase, migrate, type Problem } from './migrate.js';
import { settings as checkedSettings, type InboxOptions, type Settings } from './options.js';
import { enqueueWith, outboxId } from './outbox.js';
import type { BatchOutcome, Outcome } from './outcome.js';
import { maintainPartitions, type MaintenanceResult } from './partitions.js';
import { processMessage, type Handler, type ProcessOptions } from './process.js';
import { prune, required, type PruneOptions, type PruneResult } from './prune.js';
import { check, type Gate } from './record.js';
import { processStatement, type Effect } from './statement.js';
import { Steps, type Stored } from './steps.js';
import { jitter, pause } from './time.js';
import type { EnqueueOptions } from './transaction.js';

export class Inbox<In = Message> {
  /** Messages that failed too often: list, get, release for another try, discard. */
  readonly parked: Parking<In>;
  private readonly settings: Settings<In>;
  private readonly inFlight = new InFlight();
  private readonly steps: Steps<In>;

  constructor(options: InboxOptions<In>) {
    this.settings = checkedSettings(options);
    this.parked = new Parking(this.settings);
    this.steps = new Steps(this.settings);
  }

  /**
   * Handles one delivery in a transaction of the inbox's own: the record first, in the round trip of BEGIN, then the
   * handler, then COMMIT. Acknowledge when it resolves, as {@link settlement} says.
   *
   * Rejects with the handler's error, with nothing committed; with {@link RolledBackError} if the handler swallowed a
   * failed statement; with {@link UnknownCommitError} if the connection broke at COMMIT and the record could not be
   * read. After a rejection do not acknowledge.
   */
  process<R>(input: In, handler: Handler<R>, options?: ProcessOptions): Promise<Outcome<R>> {
    return processMessage(this.settings, this.inFlight, input, handler, options);
  }

  /**
   * Handles many deliveries in one transaction. The handler gets the new ones, and again with fewer if it fails: the
   * batch is halved until the failing message is alone. Resolves to an outcome for each input, in its place.
   */
  processBatch<R>(inputs: readonly In[], handler: BatchHandler<R>): Promise<BatchOutcome<R>[]> {
    return processBatch(this.settings, inputs, handler);
  }

  /** Handles one delivery by a single statement, record and effect together, in one round trip. */
  processStatement<Row = Record<string, unknown>>(
    input: In,
    effect: Effect,
    options?: { gate?: Gate },
  ): Promise<Outcome<Row[]>> {
    return processStatement<In, Row>(this.settings, this.inFlight, input, effect, options);
  }

  /**
   * Records the message in a transaction that you opened and will commit. With `work`, runs it if the message is new
   * and closes with the fence; without, call {@link Inbox.fence} yourself as the last statement before the commit.
   */
  record<R = undefined>(
    tx: Executor | Queryable,
    input: In,
    work?: () => Promise<R>,
    options?: { gate?: Gate },
  ): Promise<RecordOutcome<R>> {
    return recordIn(this.settings, tx, input, work, options);
  }

  /** Rejects if the transaction would be rolled back in spite of a COMMIT, or does not hold the record. */
  fence(tx: Executor | Queryable): Promise<void> {
    return fence(this.settings, tx);
  }

  /** True if the version is higher than any seen of the entity in a committed transaction. False: change nothing. */
  gate(tx: Executor | Queryable, gate: Gate): Promise<boolean> {
    return passGate(this.settings, tx, gate);
  }

  /**
   * An external effect, outside of any transaction. `call` gets a key that is the same at every delivery; its result
   * is stored, and a redelivery gets the stored one without a call. A crash between call and store calls again, with
   * the same key: the service must recognise it.
   */
  async step<T>(input: In, step: string, call: (key: string) => Promise<T>): Promise<Stored<T>> {
    return this.steps.run(check(this.settings, this.settings.message(input)), step, call);
  }

  /** Puts a message into the outbox in a transaction of yours. `count` tells the messages of one handling apart. */
  async enqueue(
    tx: Executor | Queryable,
    input: In,
    destination: string,
    payload: unknown,
    options: EnqueueOptions & { count?: number } = {},
  ): Promise<string> {
    const checked = check(this.settings, this.settings.message(input));
    const id = options.id ?? outboxId(this.settings, checked, options.count ?? 1);
    await enqueueWith(this.settings, executor(tx), id, destination, payload, options);
    return id;
  }

  /** Creates the tables that are missing, and the first partitions. Repeatable. */
  async migrate(): Promise<void> {
    await migrate(this.settings.pool, this.settings);
    if (this.settings.retention?.mode === 'partition') await this.maintain();
  }

  /** What in this database breaks the inbox's promises. Empty if nothing does. */
  check(): Promise<Problem[]> {
    return checkDatabase(this.settings);
  }

  /** Deletes this consumer's rows that are older than the retention, in small transactions. */
  prune(options?: PruneOptions): Promise<PruneResult> {
    return prune(this.settings, options);
  }

  /** Creates partitions ahead and drops aged ones, where the retention is by partition. */
  async maintain(): Promise<MaintenanceResult> {
    const retention = required(this.settings.retention);
    if (retention.mode !== 'partition') return { created: [], dropped: [], complete: true };
    return maintainPartitions(this.settings, retention);
  }

  /**
   * Prunes and maintains every `every` milliseconds (default: ten minutes), at a time of its own for each instance.
   * Resolves when the signal aborts. Errors go to `onError`, and the next round comes all the same.
   */
  async keepTidy(options: { every?: number; signal: AbortSignal; onError: (error: unknown) => void }): Promise<void> {
    required(this.settings.retention);
    while (!options.signal.aborted) {
      try {
        await this.maintain();
        await this.prune({ signal: options.signal });
      } catch (error) {
        options.onError(error);
      }
      await pause(jitter(options.every ?? 600_000), options.signal);
    }
  }
}

/** An inbox for one consumer. Throws {@link InboxConfigError} for settings that cannot work. */
export function createInbox<In = Message>(options: InboxOptions<In>): Inbox<In> {
  return new Inbox(options);
}
