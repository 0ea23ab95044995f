/**
 * Poison messages: attempts counted, messages parked, inspected, retried, discarded. All of it runs outside of the
 * message's transaction, for a count inside would be rolled back together with the attempt that failed.
 */
import { InboxError } from './errors.js';
import { checkId, type Checked } from './message.js';
import type { PoisonOptions, Settings } from './options.js';
import { autocommit, rowOf, rowsOf, type Pool } from './pool.js';
import { writeId, keyIs, recordColumns } from './record.js';
import { recordKey } from './schema.js';
import { literal } from './sql.js';

export interface Attempts {
  attempts: number;
  parked: boolean;
}

interface Count {
  /** 1 to count an attempt, 0 to note the end of one that was counted when it started. */
  add: 0 | 1;
  /** From this number of attempts on the message is parked. */
  parkAt: number;
  error: string;
  stored: unknown;
}

/** Counts an attempt that failed. */
export async function countFailure<In>(
  settings: Settings<In>,
  poison: PoisonOptions<In>,
  checked: Checked,
  error: unknown,
  stored: unknown,
): Promise<Attempts> {
  const started = poison.count === 'starts';
  return count(settings, poison.pool ?? settings.pool, checked, {
    add: started ? 0 : 1,
    parkAt: poison.maxAttempts,
    error: describe(error),
    stored,
  });
}

/** Counts an attempt before it starts. Parks the message if as many attempts as allowed never came to an end. */
export async function countStart<In>(
  settings: Settings<In>,
  poison: PoisonOptions<In>,
  checked: Checked,
  stored: unknown,
): Promise<Attempts> {
  return count(settings, poison.pool ?? settings.pool, checked, {
    add: 1,
    parkAt: poison.maxAttempts + 1,
    error: 'The process ended while it handled the message, or still handles it.',
    stored,
  });
}

async function count<In>(settings: Settings<In>, pool: Pool, checked: Checked, entry: Count): Promise<Attempts> {
  const { add, parkAt, error, stored } = entry;
  const values = [
    literal(settings.consumer),
    literal(checked.tenant),
    writeId(settings, checked.id),
    '1',
    literal(error),
    stored === undefined ? 'NULL' : literal(JSON.stringify(stored)),
    parkAt <= 1 ? 'clock_timestamp()' : 'NULL',
  ];
  const results = await autocommit(
    pool,
    `INSERT INTO ${settings.names.attempts} AS held (consumer, tenant, id, attempts, last_error, message, parked_at)
VALUES (${values.join(', ')})
ON CONFLICT (consumer, tenant, id) DO UPDATE SET
  attempts = held.attempts + ${add},
  last_attempt_at = clock_timestamp(),
  last_error = excluded.last_error,
  message = coalesce(excluded.message, held.message),
  parked_at = coalesce(held.parked_at, CASE WHEN held.attempts + ${add} >= ${parkAt} THEN clock_timestamp() END)
RETURNING attempts, parked_at IS NOT NULL AS parked`,
  );
  const row = rowOf(results) as { attempts: number; parked: boolean };
  return { attempts: Number(row.attempts), parked: row.parked };
}

/** Removes the count of a message that is done. For use within its transaction. */
export function forgetSql<In>(settings: Settings<In>, checked: Checked): string {
  return `DELETE FROM ${settings.names.attempts} WHERE ${keyIs(settings, checked)}`;
}

/** What is stored of a failing message, or `undefined` where it is no JSON. */
export function storable(value: unknown): unknown {
  try {
    return JSON.stringify(value) === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return text.slice(0, 8000).replaceAll('\0', '').toWellFormed();
}

export interface ParkedMessage<In> {
  id: string;
  tenant: string;
  attempts: number;
  /** Text of the last error, with its stack. */
  error: string;
  firstAttemptAt: Date;
  parkedAt: Date;
  /** The input as it was stored, through JSON; `undefined` if it could not be stored. */
  input: In | undefined;
}

/** The messages that this consumer has parked. */
export class Parking<In> {
  constructor(private readonly settings: Settings<In>) {}

  /** The oldest first, at most `limit` (default 100) after the given one. */
  async list(options: { limit?: number; after?: ParkedMessage<In> } = {}): Promise<ParkedMessage<In>[]> {
    const { after } = options;
    // A Date holds milliseconds, so pages are cut by them.
    const position = after
      ? ` AND (date_trunc('milliseconds', parked_at), tenant, id) > (to_timestamp(${(after.parkedAt.getTime() / 1000).toFixed(3)}), ${literal(after.tenant)}, ${writeId(this.settings, after.id)})`
      : '';
    return this.select(
      `parked_at IS NOT NULL${position} ORDER BY date_trunc('milliseconds', parked_at), tenant, id LIMIT ${Math.max(0, Math.trunc(options.limit ?? 100))}`,
    );
  }

  async get(id: string, tenant = this.settings.tenant): Promise<ParkedMessage<In> | undefined> {
    const checked = { id: checkId(id, this.settings.idType), tenant };
    const [found] = await this.select(`parked_at IS NOT NULL AND ${keyIs(this.settings, checked)}`);
    return found;
  }

  /** Lets the message in again with a fresh count. Resolves to what was parked; hand its `input` to `inbox.process`. */
  async release(id: string, tenant = this.settings.tenant): Promise<ParkedMessage<In>> {
    const found = await this.require(id, tenant);
    await autocommit(this.settings.pool, `DELETE FROM ${this.settings.names.attempts} WHERE ${keyIs(this.settings, found)}`);
    return found;
  }

  /** Gives the message up for good: it is recorded as done, and every further delivery is a duplicate. */
  async discard(id: string, tenant = this.settings.tenant): Promise<void> {
    const found = await this.require(id, tenant);
    const { names, retention } = this.settings;
    if (retention?.mode === 'partition' && retention.by === 'occurredAt') {
      // Its record needs the time of the message, which only the input holds; parked it stays out as well.
      throw new InboxError(
        'A parked message of an inbox partitioned by occurredAt cannot be discarded. Leave it parked: no delivery of it is processed, and prune() removes it after the retention.',
      );
    }
    const columns = recordColumns(this.settings, { ...found, occurredAt: undefined, fingerprint: undefined, message: { id } });
    // Both in one simple query, which PostgreSQL runs as one transaction.
    await autocommit(
      this.settings.pool,
      `INSERT INTO ${names.processed} (${Object.keys(columns).join(', ')}) VALUES (${Object.values(columns).join(', ')})
ON CONFLICT (${recordKey(this.settings).join(', ')}) DO NOTHING;
DELETE FROM ${names.attempts} WHERE ${keyIs(this.settings, found)}`,
    );
  }

  private async require(id: string, tenant: string): Promise<ParkedMessage<In>> {
    const found = await this.get(id, tenant);
    if (found) return found;
    throw new InboxError(`No message ${JSON.stringify(id)} of consumer ${JSON.stringify(this.settings.consumer)} is parked. See inbox.parked.list().`);
  }

  private async select(condition: string): Promise<ParkedMessage<In>[]> {
    const results = await autocommit(
      this.settings.pool,
      `SELECT CAST(id AS text) AS id, tenant, attempts, last_error, message,
  CAST(extract(epoch FROM first_attempt_at) * 1000 AS float8) AS first_attempt_at,
  CAST(extract(epoch FROM date_trunc('milliseconds', parked_at)) * 1000 AS float8) AS parked_at
FROM ${this.settings.names.attempts} WHERE consumer = ${literal(this.settings.consumer)} AND ${condition}`,
    );
    return rowsOf(results).map((row) => ({
      id: row.id as string,
      tenant: row.tenant as string,
      attempts: Number(row.attempts),
      error: String(row.last_error),
      firstAttemptAt: new Date(Number(row.first_attempt_at)),
      parkedAt: new Date(Number(row.parked_at)),
      input: row.message === null ? undefined : (JSON.parse(row.message as string) as In),
    }));
  }
}
