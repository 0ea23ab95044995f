/** The handle that a handler gets: its window onto the transaction, closed when the transaction ends. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RevokedHandleError, TransactionControlError } from './errors.js';
import type { PoolClient, QueryResult } from './pool.js';

/** Set while a handler runs inside a transaction; external steps look at it. */
export const insideTransaction = new AsyncLocalStorage<true>();

export interface EnqueueOptions {
  /** Messages with the same destination and key are sent in the order of their commits. Default: no order. */
  key?: string;
  headers?: Record<string, string>;
  /** Default: derived from the handled message and the count of enqueued ones, so that a rerun gives the same id. */
  id?: string;
}

export interface Transaction {
  /** `client.query` of `pg`, in the transaction of the message. Rejects once the transaction has ended. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows are what the caller's SQL makes them
  query<Row = any>(text: string | { text: string; values?: unknown[] }, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  /**
   * Runs a part that may be undone on its own. If it fails, its error is rethrown and the transaction will not
   * commit, even if the error is caught: the record must not outlive its effect. With `optional: true` the part is
   * declared dispensable: its failure is returned, and the rest commits without it.
   */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  savepoint<T>(
    work: (tx: Transaction) => Promise<T>,
    options: { optional: true },
  ): Promise<{ ok: true; value: T } | { ok: false; error: unknown }>;
  /** Puts a message into the outbox; a relay sends it after the commit. Resolves to its id. */
  enqueue(destination: string, payload: unknown, options?: EnqueueOptions): Promise<string>;
}

export type Enqueue = (client: PoolClient, destination: string, payload: unknown, options: EnqueueOptions) => Promise<string>;

const control = /^\s*(?:begin|start\s+transaction|commit|end|abort|prepare\s+transaction|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i;
const rollbackTo = /^\s*rollback\s+(?:work\s+|transaction\s+)?to\b/i;

/** A {@link Transaction} together with what the owner of the transaction must know of it. */
export class Handle implements Transaction {
  /** Error of the first statement that failed, which is what a swallowed error leaves behind. */
  firstError: unknown;
  /** A part of the effect was undone on its own, without having been declared dispensable. */
  undoneInPart = false;
  private ended: string | undefined;
  private depth = 0;

  constructor(
    private readonly client: PoolClient,
    private readonly enqueueWith: Enqueue,
  ) {}

  query<Row>(text: string | { text: string; values?: unknown[] }, values?: readonly unknown[]): Promise<QueryResult<Row>> {
    const sql = typeof text === 'string' ? text : text?.text;
    const refusal = this.refusal(sql);
    if (refusal) return Promise.reject(refusal);
    if (typeof sql === 'string' && rollbackTo.test(sql)) this.undoneInPart = true;
    return this.send(text, values) as Promise<QueryResult<Row>>;
  }

  async savepoint<T>(
    work: (tx: Transaction) => Promise<T>,
    options?: { optional: true },
  ): Promise<T & { ok: true; value: T } & { ok: false; error: unknown }> {
    const refusal = this.refusal(undefined);
    if (refusal) throw refusal;
    const name = `inbox_part_${(this.depth += 1)}`;
    const { firstError, undoneInPart } = this;
    type Answer = T & { ok: true; value: T } & { ok: false; error: unknown };
    await this.send(`SAVEPOINT ${name}`);
    try {
      const value = await work(this);
      await this.send(`RELEASE SAVEPOINT ${name}`);
      return (options?.optional ? { ok: true, value } : value) as Answer;
    } catch (error) {
      await this.send(`ROLLBACK TO SAVEPOINT ${name}`);
      if (!options?.optional) {
        this.undoneInPart = true;
        this.firstError ??= error;
        throw error;
      }
      // What failed inside was undone with the part, as declared.
      this.firstError = firstError;
      this.undoneInPart = undoneInPart;
      return { ok: false, error } as Answer;
    } finally {
      this.depth -= 1;
    }
  }

  async enqueue(destination: string, payload: unknown, options: EnqueueOptions = {}): Promise<string> {
    const refusal = this.refusal(undefined);
    if (refusal) throw refusal;
    return this.enqueueWith(this.client, destination, payload, options);
  }

  /** From now on nothing can be sent through this handle. */
  revoke(why: string): void {
    this.ended ??= why;
  }

  private async send(text: unknown, values?: unknown): Promise<unknown> {
    try {
      return await (values === undefined ? this.client.query(text) : this.client.query(text, values));
    } catch (error) {
      this.firstError ??= error;
      throw error;
    }
  }

  private refusal(sql: string | undefined): Error | undefined {
    if (this.ended) {
      return new RevokedHandleError(
        `A statement came after ${this.ended}. It would have run outside of the message's transaction. Most likely a promise in the handler is not awaited: await every query.`,
      );
    }
    if (typeof sql === 'string' && control.test(sql)) {
      return new TransactionControlError(
        `The handler sent ${JSON.stringify(sql.trim().split(/\s+/)[0])}, but the inbox owns this transaction: the record would be committed apart from the effect. Throw to roll back; use tx.savepoint() for a part.`,
      );
    }
    return undefined;
  }
}
