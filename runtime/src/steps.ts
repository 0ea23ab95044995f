/** External effects: a call with a key that is the same at every delivery, and its stored result. */
import { InvalidMessageError, StepError } from './errors.js';
import { checkText, derivedUuid, type Checked } from './message.js';
import type { Settings } from './options.js';
import { autocommit, rowOf } from './pool.js';
import { writeId, keyIs } from './record.js';
import { interval, literal, timestamp } from './sql.js';
import { insideTransaction } from './transaction.js';

/** What JSON keeps of a value: a Date becomes a string, a method vanishes. */
export type Stored<T> = T extends { toJSON(): infer J }
  ? J
  : T extends string | number | boolean | null
    ? T
    : T extends undefined
      ? null
      : T extends readonly (infer Item)[]
        ? Stored<Item>[]
        : T extends object
          ? { [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: Stored<T[K]> }
          : T extends bigint | symbol
            ? never
            : null;

export class Steps<In> {
  private readonly running = new Map<string, Promise<string>>();

  constructor(private readonly settings: Settings<In>) {}

  /** The key given to the external service. A UUID. */
  key(checked: Pick<Checked, 'tenant' | 'id'>, step: string): string {
    return derivedUuid('step', this.settings.consumer, checked.tenant, checked.id, step);
  }

  async run<T>(checked: Checked, step: string, call: (key: string) => Promise<T>): Promise<Stored<T>> {
    checkText(step, 'name of the step');
    if (insideTransaction.getStore()) {
      throw new StepError(
        `The step ${JSON.stringify(step)} was started inside a transaction: its call would outlive a rollback, and its duration would hold the locks. Run inbox.step() first and inbox.process() after it, with the step's result.`,
      );
    }
    const key = this.key(checked, step);
    // Deliveries within this process share one call; those of other processes share the key.
    const running = this.running.get(key) ?? this.start(checked, step, key, call);
    return JSON.parse(await running) as Stored<T>;
  }

  private start<T>(checked: Checked, step: string, key: string, call: (key: string) => Promise<T>): Promise<string> {
    const started = this.callOnce(checked, step, key, call).finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }

  private async callOnce<T>(checked: Checked, step: string, key: string, call: (key: string) => Promise<T>): Promise<string> {
    const { pool, names, retention, consumer } = this.settings;
    const where = `${keyIs(this.settings, checked)} AND step = ${literal(step)}`;
    const expired =
      retention && checked.occurredAt
        ? `${timestamp(checked.occurredAt)} <= clock_timestamp() - ${interval(retention.keep)}`
        : 'false';
    const select = `SELECT (SELECT result FROM ${names.steps} WHERE ${where}) AS result, ${expired} AS expired`;
    const found = rowOf(await autocommit(pool, select)) as { result: string | null; expired: boolean };
    if (found.result !== null) return found.result;
    if (found.expired) {
      throw new InvalidMessageError(
        `The message is older than retention.keep, so whether the step ${JSON.stringify(step)} was done is no longer known. It was not called. Dead-letter the message.`,
      );
    }
    const result = encode(step, await call(key));
    const values = [literal(consumer), literal(checked.tenant), writeId(this.settings, checked.id), literal(step), literal(result)];
    // The first result stored is everybody's: a concurrent delivery may have called with the same key.
    const results = await autocommit(
      pool,
      `INSERT INTO ${names.steps} (consumer, tenant, id, step, result) VALUES (${values.join(', ')})
ON CONFLICT (consumer, tenant, id, step) DO NOTHING;
SELECT result FROM ${names.steps} WHERE ${where}`,
    );
    return String(rowOf(results, 1).result);
  }
}

function encode(step: string, result: unknown): string {
  try {
    return (JSON.stringify(result) ?? 'null').toWellFormed();
  } catch (error) {
    throw new StepError(
      `The step ${JSON.stringify(step)} was called, but its result is no JSON and cannot be stored (${String(error)}). The next delivery calls again with the same key. Return only what is needed later, e.g. the id.`,
      { cause: error },
    );
  }
}
