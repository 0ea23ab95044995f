/** The tables as SQL. `inbox.migrate()` runs this text, and the files under `sql/` hold it for other tools. */
import type { SchemaSettings } from './options.js';
import { schemaSettings, type SchemaOptions } from './options.js';
import { identifier } from './sql.js';

/**
 * The statements that create the inbox's tables, each repeatable. Partitions are not among them: `inbox.maintain()`
 * creates those.
 */
export function schemaSql(options: SchemaOptions = {}): string {
  return `${statements(schemaSettings(options)).join(';\n\n')};\n`;
}

export function statements(settings: SchemaSettings): string[] {
  const { names, quotedSchema, tables, retention, idType } = settings;
  const partitioned = retention?.mode === 'partition';
  const byTime = partitioned && retention.by === 'occurredAt';
  const key = 'consumer text COLLATE "C" NOT NULL,\n  tenant text COLLATE "C" NOT NULL DEFAULT \'\'';
  const id = idType === 'uuid' ? 'id uuid NOT NULL' : 'id text COLLATE "C" NOT NULL';
  return [
    `CREATE SCHEMA IF NOT EXISTS ${quotedSchema}`,

    `-- One row per message that was processed. Written once, never updated.
CREATE TABLE IF NOT EXISTS ${names.processed} (
  ${key},
  ${id},${byTime ? '\n  occurred_at timestamptz NOT NULL,' : ''}
  processed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  fingerprint bytea,
  PRIMARY KEY (${recordKey(settings).join(', ')})
)${partitioned ? ` PARTITION BY RANGE (${byTime ? 'occurred_at' : 'id'})` : ''}`,

    ...(partitioned
      ? []
      : [
          `-- For pruning.
CREATE INDEX IF NOT EXISTS ${identifier(`${tables.processed}_by_age`.slice(0, 63))}
  ON ${names.processed} (consumer, processed_at)`,
        ]),

    `-- Failed attempts and parked messages. Written outside the message's transaction.
CREATE TABLE IF NOT EXISTS ${names.attempts} (
  ${key},
  ${id},
  attempts integer NOT NULL,
  first_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_error text,
  parked_at timestamptz,
  message text,
  PRIMARY KEY (consumer, tenant, id)
)`,

    `-- Highest version seen of each entity.
CREATE TABLE IF NOT EXISTS ${names.gates} (
  ${key},
  entity text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, tenant, entity)
)`,

    `-- Results of external effects, as JSON text.
CREATE TABLE IF NOT EXISTS ${names.steps} (
  ${key},
  ${id},
  step text COLLATE "C" NOT NULL,
  result text NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, tenant, id, step)
)`,

    `-- Messages to send. Written in the transaction that causes them, deleted once sent.
CREATE TABLE IF NOT EXISTS ${names.outbox} (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  destination text NOT NULL,
  key text COLLATE "C" NOT NULL,
  payload text NOT NULL,
  headers text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  available_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts integer NOT NULL DEFAULT 0,
  last_error text
)`,

    `CREATE INDEX IF NOT EXISTS ${identifier(`${tables.outbox}_by_key`.slice(0, 63))}
  ON ${names.outbox} (destination, key, position)`,
  ];
}

/** Columns of the record's key, which is also the conflict target. */
export function recordKey(settings: Pick<SchemaSettings, 'retention'>): string[] {
  const { retention } = settings;
  const time = retention?.mode === 'partition' && retention.by === 'occurredAt' ? ['occurred_at'] : [];
  return ['consumer', 'tenant', 'id', ...time];
}

const month = 30 * 86_400_000;

/** The SQL files of the package: one for each kind of retention, with the default names. */
export const sqlFiles: Record<string, SchemaOptions> = {
  'inbox.sql': {},
  'inbox-partitioned-by-uuidv7.sql': { retention: { mode: 'partition', by: 'uuidv7', keep: month } },
  'inbox-partitioned-by-occurred-at.sql': { retention: { mode: 'partition', by: 'occurredAt', keep: month } },
};
