/** What can be set, the defaults, and the checks that run before anything else does. */
import { InboxConfigError, InvalidMessageError } from './errors.js';
import { checkText, maxNameBytes, type IdType, type Message } from './message.js';
import type { Pool } from './pool.js';
import { identifier } from './sql.js';

/** What to do with a delivery whose message is being handled by another delivery at this moment. */
export type InFlightPolicy =
  /** Look again until the other one ends, at most `max` milliseconds; no connection is held meanwhile. */
  | { policy: 'wait'; max: number }
  /** Answer `in-flight` at once. */
  | { policy: 'defer' }
  /** As `wait`, but deliveries within this process share the running one's end, its failure included. */
  | { policy: 'coalesce'; max: number };

/** For how long records are kept, and how they go. All durations in milliseconds, see {@link days}. */
export type Retention = {
  /** A record lives at least this long. Must exceed `redeliveryHorizon`. */
  keep: number;
  /**
   * The longest time after which the broker can still deliver a message again, dead-letter replays included. For
   * instance 14 days for SQS, the topic's retention for Kafka.
   */
  redeliveryHorizon?: number;
} & (
  | { mode: 'delete' }
  | {
      mode: 'partition';
      /** The time that decides on the partition. It must come with the message, never from its arrival. */
      by: 'uuidv7' | 'occurredAt';
      /** Time that one partition spans. Default: one day. */
      width?: number;
      /** Partitions created ahead of now. Default: 3. */
      ahead?: number;
    }
);

export interface PoisonOptions<In = Message> {
  /** The failing attempt with this number parks the message. */
  maxAttempts: number;
  /**
   * `failures` (default) counts attempts that failed, at no cost for those that succeed. `starts` counts before the
   * handler runs, so that a message which kills the process is parked as well; it needs `pool`.
   */
  count?: 'failures' | 'starts';
  /**
   * A second pool, for counting only: with `starts` the count is committed while the message's own transaction is
   * open, and drawing both connections from one pool could exhaust it for ever.
   */
  pool?: Pool;
  /** What to keep of the message for inspection and retry. Default: the input itself. Must be JSON. */
  store?: (input: In) => unknown;
}

export interface TableNames {
  processed: string;
  attempts: string;
  gates: string;
  steps: string;
  outbox: string;
}

export interface InboxOptions<In = Message> {
  /** A `Pool` of `pg`, or anything of the same shape. */
  pool: Pool;
  /** Who handles the message. The same id is another message to another consumer. */
  consumer: string;
  /** Scope of ids within the consumer. Default: none. */
  tenant?: string;
  /** Makes a {@link Message} of what the broker delivers. Default: the input is one. */
  message?: (input: In) => Message;
  /** Schema of the inbox's tables. Default: `inbox`. */
  schema?: string;
  tables?: Partial<TableNames>;
  /** `uuid` stores ids in 16 bytes and refuses other ids. Default: `text`. */
  idType?: IdType;
  /** Default: `read committed`. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** How often a serialization failure (40001) or deadlock (40P01) starts the handler over. Default: 3. */
  retries?: number;
  /** Default: `{ policy: 'wait', max: 10_000 }`. */
  inFlight?: InFlightPolicy;
  /**
   * Milliseconds after which PostgreSQL ends a transaction whose handler sends no statement, so that a frozen process
   * does not keep its message in flight for ever. 0 leaves the server's setting. Default: 60,000.
   */
  idleTimeout?: number;
  /**
   * `declared` (default) refuses to commit after a rollback to a savepoint that did not go through
   * `tx.savepoint(…, { optional: true })`: a part of the effect is then gone while the record stays.
   */
  savepoints?: 'declared' | 'free';
  /** Compare payloads of the same id: `true` for a digest of the payload, or a function that gives the bytes. */
  fingerprint?: boolean | ((message: Message) => string | Uint8Array);
  poison?: PoisonOptions<In>;
  /** Default: records are kept for ever. */
  retention?: Retention;
  /** Milliseconds within which a lost COMMIT is looked up on a new connection. Default: 10,000. */
  resolveWithin?: number;
}

export interface Settings<In = Message> extends Required<Omit<InboxOptions<In>, 'poison' | 'retention' | 'message'>> {
  tables: TableNames;
  message: (input: In) => Message;
  poison: PoisonOptions<In> | undefined;
  retention: Retention | undefined;
  /** Quoted and qualified names of the tables. */
  names: TableNames;
  quotedSchema: string;
}

export const defaultTables: TableNames = {
  processed: 'processed',
  attempts: 'attempts',
  gates: 'gates',
  steps: 'steps',
  outbox: 'outbox',
};

/** Milliseconds in `count` days. */
export function days(count: number): number {
  return count * 86_400_000;
}

/** Names and kinds of the tables: all that the SQL files depend on. */
export type SchemaOptions = Pick<InboxOptions, 'schema' | 'tables' | 'idType' | 'retention'>;

export type SchemaSettings = Pick<Settings, 'schema' | 'tables' | 'idType' | 'retention' | 'names' | 'quotedSchema'>;

export function schemaSettings(options: SchemaOptions): SchemaSettings {
  const schema = options.schema ?? 'inbox';
  const tables = { ...defaultTables, ...options.tables };
  const quotedSchema = identifier(schema);
  const names = Object.fromEntries(
    Object.entries(tables).map(([key, name]) => [key, `${quotedSchema}.${identifier(name)}`]),
  ) as unknown as TableNames;
  if (new Set(Object.values(names)).size !== Object.keys(defaultTables).length) {
    throw new InboxConfigError('Two tables of the inbox have the same name. Give each its own.');
  }
  if (options.retention) checkRetention(options.retention);
  const idType = options.idType ?? 'text';
  if (idType !== 'text' && idType !== 'uuid') {
    throw new InboxConfigError(`idType is ${String(idType)}. Use 'text' or 'uuid'.`);
  }
  const byUuid = options.retention?.mode === 'partition' && options.retention.by === 'uuidv7';
  return { schema, tables, idType: byUuid ? 'uuid' : idType, retention: options.retention, names, quotedSchema };
}

export function settings<In>(options: InboxOptions<In>): Settings<In> {
  if (typeof options.pool?.connect !== 'function') {
    throw new InboxConfigError('pool must be a Pool of pg: new Pool({ … }). A single client cannot serve several messages.');
  }
  asConfigError(() => {
    checkText(options.consumer, 'consumer', maxNameBytes);
    if (options.tenant !== undefined && options.tenant !== '') checkText(options.tenant, 'tenant', maxNameBytes);
  });
  const inFlight = options.inFlight ?? { policy: 'wait', max: 10_000 };
  if (!['wait', 'defer', 'coalesce'].includes(inFlight.policy)) {
    throw new InboxConfigError(`inFlight.policy is ${String(inFlight.policy)}. Use 'wait', 'defer' or 'coalesce'.`);
  }
  if (inFlight.policy !== 'defer') checkDuration(inFlight.max, 'inFlight.max');
  const isolation = options.isolation ?? 'read committed';
  if (!['read committed', 'repeatable read', 'serializable'].includes(isolation)) {
    throw new InboxConfigError(`isolation is ${String(isolation)}. Use 'read committed', 'repeatable read' or 'serializable'.`);
  }
  checkCount(options.retries ?? 3, 'retries', 0);
  checkDuration(options.idleTimeout ?? 60_000, 'idleTimeout');
  checkDuration(options.resolveWithin ?? 10_000, 'resolveWithin');
  if (options.poison) checkPoison(options.poison);
  return {
    ...schemaSettings(options),
    pool: options.pool,
    consumer: options.consumer,
    tenant: options.tenant ?? '',
    message: options.message ?? ((input) => input as Message),
    isolation,
    retries: options.retries ?? 3,
    inFlight,
    idleTimeout: options.idleTimeout ?? 60_000,
    savepoints: options.savepoints ?? 'declared',
    fingerprint: options.fingerprint ?? false,
    poison: options.poison,
    resolveWithin: options.resolveWithin ?? 10_000,
  };
}

function checkRetention(retention: Retention): void {
  checkDuration(retention.keep, 'retention.keep');
  if (retention.keep === 0) throw new InboxConfigError('retention.keep is 0: no duplicate would ever be found. Use days(n).');
  const horizon = retention.redeliveryHorizon;
  if (horizon !== undefined) {
    checkDuration(horizon, 'retention.redeliveryHorizon');
    if (retention.keep <= horizon) {
      throw new InboxConfigError(
        `retention.keep (${retention.keep} ms) must exceed retention.redeliveryHorizon (${horizon} ms): the broker can deliver a message again after its record is gone, and it would be processed twice. Keep records longer.`,
      );
    }
  }
  if (retention.mode === 'partition') {
    const width = retention.width ?? days(1);
    checkDuration(width, 'retention.width');
    if (width < 1000) throw new InboxConfigError('retention.width is under one second. Use at least 1000 ms; a day is usual.');
    if (retention.keep / width > 2000) {
      throw new InboxConfigError('retention.keep spans more than 2,000 partitions. Make retention.width longer.');
    }
    checkCount(retention.ahead ?? 3, 'retention.ahead', 1);
    if (retention.by !== 'uuidv7' && retention.by !== 'occurredAt') {
      throw new InboxConfigError(`retention.by is ${String(retention.by)}. Use 'uuidv7' or 'occurredAt'.`);
    }
  } else if (retention.mode !== 'delete') {
    throw new InboxConfigError(`retention.mode is ${String((retention as { mode: unknown }).mode)}. Use 'delete' or 'partition'.`);
  }
}

function checkPoison(poison: PoisonOptions<never>): void {
  checkCount(poison.maxAttempts, 'poison.maxAttempts', 1);
  if (poison.count === 'starts' && typeof poison.pool?.connect !== 'function') {
    throw new InboxConfigError(
      "poison.count: 'starts' needs poison.pool, a second Pool (max: 2 is enough): the count is committed while the message's transaction is open.",
    );
  }
}

function checkDuration(value: number, what: string): void {
  if (!Number.isFinite(value) || value < 0) {
    throw new InboxConfigError(`${what} is ${String(value)}. Give a duration in milliseconds, 0 or more.`);
  }
}

function checkCount(value: number, what: string, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new InboxConfigError(`${what} is ${String(value)}. Give a whole number, ${least} or more.`);
  }
}

function asConfigError(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidMessageError) throw new InboxConfigError(error.message, { cause: error });
    throw error;
  }
}
