/** The record of a message: the statement that writes it, and the one that tells why it was not written. */
import { createHash } from 'node:crypto';
import { InvalidMessageError, MissingPartitionError, hasCode } from './errors.js';
import { fingerprint } from './fingerprint.js';
import { checkId, checkText, checkTime, checkVersion, maxNameBytes, uuidv7Time, type Checked, type Message } from './message.js';
import type { Settings } from './options.js';
import { recordKey } from './schema.js';
import { literals, type Writer } from './sql.js';

/** Lets only ever newer versions of an entity pass. */
export interface Gate {
  entity: string;
  version: number | bigint;
}

/** Checks a message before anything runs. Throws {@link InvalidMessageError}. */
export function check<In>(settings: Settings<In>, message: Message): Checked {
  if (typeof message !== 'object' || message === null) {
    throw new InvalidMessageError(
      `The message is ${String(message)}. Pass { id, … }, or tell createInbox how to make one: message: (input) => ({ id: … }).`,
    );
  }
  const id = checkId(message.id, settings.idType);
  const tenant = message.tenant ?? settings.tenant;
  if (tenant !== '') checkText(tenant, 'tenant', maxNameBytes);
  if (message.version !== undefined) checkVersion(message.version);
  const occurredAt = keyTime(settings, id, checkTime(message.occurredAt));
  return { id, tenant, occurredAt, fingerprint: digest(settings, message), message };
}

/** The time that retention goes by, borne by the message itself. */
function keyTime(settings: Settings<never>, id: string, occurredAt: Date | undefined): Date | undefined {
  const { retention } = settings;
  if (retention?.mode !== 'partition') return occurredAt;
  if (retention.by === 'uuidv7') return new Date(uuidv7Time(id));
  if (occurredAt) return occurredAt;
  throw new InvalidMessageError(
    'The message has no occurredAt, by which this inbox is partitioned. Fill it from the message, never from the time of arrival.',
  );
}

function digest(settings: Settings<never>, message: Message): Buffer | undefined {
  if (settings.fingerprint === false) return undefined;
  if (settings.fingerprint === true) return fingerprint(message.payload);
  const own = settings.fingerprint(message);
  return createHash('sha256').update(own).digest();
}

/** A key of 64 bits for an advisory lock. Two different names share one with a chance of 2^-64. */
export function lockKey(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return String(hash.digest().readBigInt64BE());
}

/**
 * Records one message, or writes nothing. Returns one row, `fresh` and `xid`, if the record was written; `fresh` is
 * false if the gate holds a version as high. Returns no row for a duplicate, and for a message that is in flight
 * elsewhere, parked or expired; {@link lookupSql} tells which.
 *
 * The advisory lock makes the statement return at once where the unique index alone would wait for the other
 * transaction. It is never taken as proof of anything: who fails to get it does not know how the holder will end.
 */
export function recordSql<In>(settings: Settings<In>, checked: Checked, gate?: Gate): string {
  const written = 'true AS fresh, CAST(txid_current() AS text) AS xid';
  if (!gate) return insertSql(settings, checked, literals, written);
  return `WITH record AS (${insertSql(settings, checked, literals, written)}), gate AS (${gateSql(settings, checked.tenant, gate, 'record')})
SELECT EXISTS (SELECT FROM gate) AS fresh, record.xid FROM record`;
}

export function insertSql<In>(settings: Settings<In>, checked: Checked, write: Writer, returning: string): string {
  const { names, consumer } = settings;
  const columns = recordColumns(settings, checked, write);
  const conditions = [
    `pg_try_advisory_xact_lock(${write.bigint(lockKey(settings.schema, consumer, checked.tenant, checked.id))})`,
    ...admission(settings, checked, write),
  ];
  return `INSERT INTO ${names.processed} (${Object.keys(columns).join(', ')})
SELECT ${Object.values(columns).join(', ')} WHERE ${conditions.join(' AND ')}
ON CONFLICT (${recordKey(settings).join(', ')}) DO NOTHING
RETURNING ${returning}`;
}

/** Raises the gate of an entity; one row if the version is the highest so far. */
export function gateSql<In>(settings: Settings<In>, tenant: string, gate: Gate, onlyIf?: string, write = literals): string {
  checkText(gate.entity, 'entity of the gate');
  const values = [settings.consumer, tenant, gate.entity].map((value) => write.text(value));
  return `INSERT INTO ${settings.names.gates} AS held (consumer, tenant, entity, version)
SELECT ${values.join(', ')}, ${write.bigint(checkVersion(gate.version))}${onlyIf ? ` FROM ${onlyIf}` : ''}
ON CONFLICT (consumer, tenant, entity)
DO UPDATE SET version = excluded.version, updated_at = clock_timestamp() WHERE held.version < excluded.version
RETURNING true AS fresh`;
}

/** Column names and values of a record. */
export function recordColumns<In>(settings: Settings<In>, checked: Checked, write = literals): Record<string, string> {
  const byTime = settings.retention?.mode === 'partition' && settings.retention.by === 'occurredAt';
  return {
    consumer: write.text(settings.consumer),
    tenant: write.text(checked.tenant),
    id: writeId(settings, checked.id, write),
    ...(byTime && checked.occurredAt ? { occurred_at: write.timestamp(checked.occurredAt) } : {}),
    ...(checked.fingerprint ? { fingerprint: write.bytes(checked.fingerprint) } : {}),
  };
}

/** What keeps a message out before its record is tried: parked, or older than its record would live. */
export function admission<In>(settings: Settings<In>, checked: Checked, write = literals): string[] {
  return [
    ...(settings.poison ? [`NOT EXISTS (SELECT FROM ${settings.names.attempts} WHERE ${keyIs(settings, checked, write)} AND parked_at IS NOT NULL)`] : []),
    ...expiry(settings, checked, write).map((expired) => `NOT ${expired}`),
  ];
}

/**
 * A message older than the retention cannot be told from one whose record is gone. It happened before it was first
 * delivered, so while it is younger than `keep`, its record is there.
 */
function expiry<In>(settings: Settings<In>, checked: Checked, write = literals): string[] {
  if (!settings.retention || !checked.occurredAt) return [];
  return [`(${write.timestamp(checked.occurredAt)} <= clock_timestamp() - ${write.interval(settings.retention.keep)})`];
}

export function writeId<In>(settings: Pick<Settings<In>, 'idType'>, id: string, write = literals): string {
  return settings.idType === 'uuid' ? write.uuid(id) : write.text(id);
}

/** Condition for the rows of one message in any of the inbox's tables. */
export function keyIs<In>(settings: Settings<In>, checked: Pick<Checked, 'tenant' | 'id'>, write = literals): string {
  return `consumer = ${write.text(settings.consumer)} AND tenant = ${write.text(checked.tenant)} AND id = ${writeId(settings, checked.id, write)}`;
}

/** What is known of a message. Plain types, so that every driver gives the same values. */
export interface Lookup {
  recorded: boolean;
  /** Milliseconds since 1970. */
  processed_at: number | null;
  fingerprint: string | null;
  parked: boolean;
  attempts: number | null;
  expired: boolean;
}

/** A statement of its own: under READ COMMITTED it sees what the record's statement only collided with. */
export function lookupSql<In>(settings: Settings<In>, checked: Checked): string {
  const { names } = settings;
  const key = keyIs(settings, checked);
  return `SELECT r.id IS NOT NULL AS recorded,
  CAST(extract(epoch FROM r.processed_at) * 1000 AS float8) AS processed_at,
  encode(r.fingerprint, 'hex') AS fingerprint,
  a.parked_at IS NOT NULL AS parked,
  a.attempts,
  ${expiry(settings, checked)[0] ?? 'false'} AS expired
FROM (SELECT 1) AS one
LEFT JOIN (SELECT * FROM ${names.processed} WHERE ${key} LIMIT 1) AS r ON true
LEFT JOIN (SELECT * FROM ${names.attempts} WHERE ${key}) AS a ON true`;
}

export type Unrecorded =
  | { status: 'duplicate'; processedAt: Date }
  | { status: 'payload-conflict'; processedAt: Date }
  | { status: 'parked'; attempts: number }
  | { status: 'expired' }
  | { status: 'in-flight' };

/** Why no record was written. */
export function unrecorded(checked: Checked, found: Lookup | undefined): Unrecorded {
  if (!found) return { status: 'in-flight' };
  if (found.recorded) {
    const processedAt = new Date(Number(found.processed_at));
    const conflict =
      checked.fingerprint !== undefined &&
      found.fingerprint !== null &&
      found.fingerprint !== checked.fingerprint.toString('hex');
    return { status: conflict ? 'payload-conflict' : 'duplicate', processedAt };
  }
  if (found.parked) return { status: 'parked', attempts: Number(found.attempts) };
  if (found.expired) return { status: 'expired' };
  return { status: 'in-flight' };
}

/** Says what a missing partition means; other errors pass. */
export function explainRecordError<In>(settings: Settings<In>, error: unknown): unknown {
  // check_violation: also raised where no partition fits the row.
  if (settings.retention?.mode === 'partition' && hasCode(error, '23514')) {
    return new MissingPartitionError(
      `No partition of ${settings.names.processed} takes this message, although it is younger than retention.keep. Run inbox.maintain() regularly, at least once per retention.width; a message dated in the future is a fault of the producer's clock.`,
      { cause: error },
    );
  }
  if (hasCode(error, '42P01', '3F000')) {
    return new Error(
      `The tables of the inbox are missing. Run inbox.migrate() once, or apply the SQL files of the package. (${(error as Error).message})`,
      { cause: error },
    );
  }
  return error;
}
