import type { SqlVerb } from './types.js';

/** A value expression, as far as classification needs to tell its shapes apart. */
export type Expression =
  | { type: 'placeholder'; text: string; index?: number; name?: string; hole?: true }
  | { type: 'literal'; value: string | number | boolean | null }
  | { type: 'column'; qualifier?: string; name: string }
  | { type: 'call'; name: string; args: Expression[]; distinct?: true }
  | { type: 'unary'; operator: string; arg: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'case'; branches: { when: Expression; then: Expression }[]; otherwise?: Expression }
  | { type: 'cast'; arg: Expression; to: string }
  | { type: 'list'; items: Expression[]; array?: true }
  | { type: 'query'; query: Draft }
  /** A string with holes in it. */
  | { type: 'text'; text: string; parts: Expression[] }
  | { type: 'default' }
  | { type: 'star'; qualifier?: string };

/** What the reader found in a statement, before it is judged. */
export interface Draft {
  verb: SqlVerb;
  table?: string;
  /** Other name of the target within the statement. */
  alias?: string;
  /** FROM, JOIN and USING, without the target. */
  sources: Source[];
  /** On a row that is there already: `INSERT`, `INSERT IGNORE`, `REPLACE`. */
  onDuplicate?: 'fail' | 'ignore' | 'replace';
  /** Columns of an INSERT with their values. */
  columns: Assignment[];
  /** SET of an UPDATE. */
  assignments: Assignment[];
  conflict?: Conflict;
  where?: Expression;
  /** Of a SELECT. */
  items: { alias?: string; value: Expression }[];
  distinct: boolean;
  /** The SELECT that feeds an INSERT. */
  query?: Draft;
  ctes: { name: string; draft: Draft }[];
  /** Branches of IF, the statement behind EXPLAIN ANALYZE. */
  nested: Draft[];
  locking: boolean;
  returning: boolean;
  open: boolean;
}

export interface Assignment {
  name: string;
  qualifier?: string;
  value: Expression;
}

export interface Conflict {
  /** Undefined: a named constraint. */
  columns?: string[];
  action: 'nothing' | 'update' | 'duplicate-key-update';
  assignments: Assignment[];
  where?: Expression;
  /** `AS new` of MySQL: the name of the row that was to be inserted. */
  rowAlias?: string;
}

export interface Source {
  table?: string;
  alias?: string;
  query?: Draft;
  /** Where the values of its columns come from, as far as that is known. */
  columns: Map<string, Expression>;
}

export function emptyDraft(verb: SqlVerb): Draft {
  return {
    verb,
    sources: [],
    columns: [],
    assignments: [],
    items: [],
    distinct: false,
    ctes: [],
    nested: [],
    locking: false,
    returning: false,
    open: false,
  };
}
