/** A hole in the SQL text where a JavaScript value goes, or what else stands in a value's place. */
export type SqlOperand =
  /**
   * `$1`, `?`, `:name`, `?1`, `@p`, `{p:UInt64}`, or a hole of a template string.
   * `index` counts from 0: for `?` in order of appearance, for `$n` it is n-1.
   * `hole` tells a template hole (its index is the hole's) from a placeholder that the text itself holds.
   */
  | { kind: 'placeholder'; index?: number; name?: string; hole?: true }
  | { kind: 'column'; table?: string; name: string }
  | { kind: 'literal'; value: string | number | boolean | null }
  /** now(), gen_random_uuid(), nextval(), random(), UUID(), NEWID(), DEFAULT in a VALUES list … */
  | { kind: 'minted' }
  /** EXCLUDED.x, VALUES(x), or x of the row alias of ON DUPLICATE KEY UPDATE */
  | { kind: 'excluded'; name: string }
  /** `operands` are the leaves, whatever the depth. */
  | { kind: 'expression'; operands: SqlOperand[]; text: string };

export type SqlDialect = 'postgresql' | 'mysql' | 'sqlite' | 'transactsql';

export type SqlVerb =
  'select' | 'insert' | 'update' | 'delete' | 'begin' | 'commit' | 'rollback' | 'savepoint' | 'ddl' | 'call' | 'other';

export type SqlWriteKind = 'absolute' | 'delta' | 'insert' | 'upsert' | 'insert-or-ignore' | 'guarded' | 'delete';

/**
 * `name` is as written, without quotes. `*` stands for all columns of the object in the hole
 * (`SET ?`, `INSERT INTO t ${sql(row)}`), `#1` for the first column of an INSERT without a column list,
 * `${0}` for a column whose name is the hole 0.
 */
export interface SqlColumn {
  name: string;
  value: SqlOperand;
}

export interface SqlCondition {
  column: string;
  operator: string;
  value: SqlOperand;
}

export interface SqlGate {
  column: string;
  operator: string;
  kind: 'order' | 'state' | 'version';
}

export interface SqlStatement {
  verb: SqlVerb;
  /** Main target, lower case, unquoted, schema dropped. */
  table?: string;
  writeKind?: SqlWriteKind;
  /** Columns changed relative to what is stored. */
  deltaColumns: string[];
  /** Columns of an INSERT, or the assignments of an UPDATE. */
  columns: SqlColumn[];
  /** What an upsert assigns when the row is there already. */
  conflictSet?: SqlColumn[];
  /** Comparisons joined by AND at the top level; the target's column stands left. */
  where: SqlCondition[];
  /** Target of ON CONFLICT (…); [] without a target, undefined for a named constraint. */
  conflictColumns?: string[];
  /** FOR UPDATE, FOR SHARE, UPDLOCK, an advisory lock. */
  locking: boolean;
  returning: boolean;
  /** What makes a second run match nothing, or a late one. */
  gate?: SqlGate;
  /** A hole stands in the place of a clause or a condition: what it adds cannot be seen. */
  open?: true;
  /** Data-modifying CTEs and sub-statements. */
  parts: SqlStatement[];
}

export interface SqlResult {
  statements: SqlStatement[];
  /** False when something was left over that could not be read: then `statements` is a guess by words. */
  parsed: boolean;
}

/** The unique keys of a table, as its migrations show them. */
export interface SqlTableKeys {
  table: string;
  uniqueKeys: string[][];
  /** serial, identity, auto_increment, default gen_random_uuid() … */
  generated: string[];
  /** Its CREATE TABLE is there, so it has no other keys. */
  created: boolean;
}
