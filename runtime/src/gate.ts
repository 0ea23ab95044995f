/** Version gates: of two changes of an entity the newer one wins, in whatever order they arrive. */
import { InboxConfigError } from './errors.js';
import { executor, type Executor, type Queryable } from './executor.js';
import type { Settings } from './options.js';
import { gateSql, type Gate } from './record.js';
import { bytes, identifier, literal, timestamp } from './sql.js';

/** True if no version as high was seen of the entity; the gate then holds this one until the transaction ends. */
export async function passGate<In>(settings: Settings<In>, tx: Executor | Queryable, gate: Gate): Promise<boolean> {
  return (await executor(tx)(gateSql(settings, settings.tenant, gate))).length > 0;
}

/** A value of a column. An object or array is written as JSON. */
export type ColumnValue = string | number | bigint | boolean | Date | Uint8Array | null | object;

export interface VersionedRow {
  /** Name of the table, or schema and name. */
  table: string | readonly [schema: string, table: string];
  /** Columns under a unique constraint, which tell the entity. */
  key: Record<string, ColumnValue>;
  /** The column that holds the version, and the version of the message. */
  version: { column: string; value: number | bigint | Date };
  /** All other columns to write. */
  values: Record<string, ColumnValue>;
}

/**
 * For tables that have a version column: writes the row if it is new or its stored version is lower. One statement.
 * Resolves to false, and changes nothing, for a version as high or a duplicate.
 */
export async function upsertIfNewer(tx: Executor | Queryable, row: VersionedRow): Promise<boolean> {
  const key = Object.keys(row.key);
  if (key.length === 0) throw new InboxConfigError('upsertIfNewer needs at least one key column.');
  const table = (typeof row.table === 'string' ? [row.table] : row.table).map(identifier).join('.');
  const columns = { ...row.key, ...row.values, [row.version.column]: row.version.value };
  const version = identifier(row.version.column);
  const assignments = Object.keys(columns)
    .filter((column) => !key.includes(column))
    .map((column) => `${identifier(column)} = excluded.${identifier(column)}`);
  const rows = await executor(tx)(
    `INSERT INTO ${table} AS held (${Object.keys(columns).map(identifier).join(', ')})
VALUES (${Object.values(columns).map(value).join(', ')})
ON CONFLICT (${key.map(identifier).join(', ')})
DO UPDATE SET ${assignments.join(', ')} WHERE held.${version} < excluded.${version}
RETURNING true AS applied`,
  );
  return rows.length > 0;
}

// Bare literals have no type of their own in VALUES, so each takes its column's.
function value(column: ColumnValue): string {
  if (column === null || column === undefined) return 'NULL';
  if (typeof column === 'boolean') return String(column);
  if (typeof column === 'number' || typeof column === 'bigint') return literal(String(column));
  if (typeof column === 'string') return literal(column);
  if (column instanceof Date) return timestamp(column);
  if (column instanceof Uint8Array) return bytes(column);
  return literal(JSON.stringify(column));
}
