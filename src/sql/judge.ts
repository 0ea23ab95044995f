import { conditionsOf } from './conditions.js';
import { isRelative } from './delta.js';
import type { Assignment, Draft } from './draft.js';
import { mapParts, queriesIn, type Expression } from './expression.js';
import { findGate } from './gate.js';
import { operandOf } from './operand.js';
import { locks } from './read-query.js';
import { resolve } from './resolve.js';
import { excludedColumn, ownerOf, sameColumn } from './scope.js';
import type { SqlColumn, SqlGate, SqlStatement, SqlWriteKind } from './types.js';

/** From what was read to what it means. */
export function judge(read: Draft): SqlStatement {
  const draft = withSourcesResolved(read);
  const { list, open } = conditionsOf(draft.where, draft);
  const deltaColumns = deltasOf(draft);
  const gate = gateOf(draft, deltaColumns.length > 0);
  const remaining = withoutPinned(deltaColumns, draft, gate);
  const writeKind = writeKindOf(draft, remaining, gate);
  const columns = draft.verb === 'update' ? draft.assignments : draft.columns;
  return {
    verb: draft.verb,
    ...(draft.table !== undefined && { table: draft.table }),
    ...(writeKind && { writeKind }),
    deltaColumns: remaining,
    columns: toColumns(columns, draft),
    ...(draft.conflict &&
      draft.conflict.action !== 'nothing' && { conflictSet: toColumns(draft.conflict.assignments, draft) }),
    where: list.map(({ column, operator, value }) => ({ column, operator, value: operandOf(value, draft) })),
    ...conflictColumnsOf(draft),
    locking: locks(draft),
    returning: draft.returning,
    ...(gate && { gate }),
    ...((draft.open || open) && { open: true as const }),
    parts: partsIn(draft).map(judge),
  };
}

function toColumns(assignments: readonly Assignment[], draft: Draft): SqlColumn[] {
  return assignments.map(({ name, value }) => ({ name, value: operandOf(value, draft) }));
}

/** Columns of `FROM (VALUES …) v(id, n)` and the like are replaced by the values behind them. */
function withSourcesResolved(draft: Draft): Draft {
  const { sources } = draft;
  if (sources.length === 0) return draft;
  const deep = (expression: Expression): Expression => resolve(expression, sources);
  const assignment = ({ value, ...rest }: Assignment): Assignment => ({ ...rest, value: deep(value) });
  return {
    ...draft,
    columns: draft.columns.map(assignment),
    assignments: draft.assignments.map(assignment),
    ...(draft.where && { where: deep(draft.where) }),
    ...(draft.conflict && {
      conflict: {
        ...draft.conflict,
        assignments: draft.conflict.assignments.map(assignment),
        ...(draft.conflict.where && { where: deep(draft.conflict.where) }),
      },
    }),
  };
}

function deltasOf(draft: Draft): string[] {
  const assignments = draft.conflict?.assignments ?? (draft.verb === 'insert' ? ownReads(draft) : draft.assignments);
  const relative = assignments.filter(({ name, value }) =>
    isRelative(inlineExcluded(value, draft), (part) => isSelf(part, name, draft)),
  );
  return [...new Set(relative.map(({ name }) => name))];
}

/** EXCLUDED.x is what the INSERT gives for x: only that tells whether `meta || EXCLUDED.meta` appends. */
function inlineExcluded(expression: Expression, draft: Draft): Expression {
  const name = excludedColumn(expression, draft);
  if (name === undefined) return mapParts(expression, (part) => inlineExcluded(part, draft));
  return draft.columns.find((column) => sameColumn(column.name, name))?.value ?? expression;
}

/** The columns of INSERT … SELECT that are computed from the table inserted into. */
function ownReads(draft: Draft): Assignment[] {
  return draft.query === undefined ? [] : draft.columns;
}

function isSelf(part: Expression, column: string, draft: Draft): boolean {
  // `SET ?? = ?? + ?`, `SET ${column} = ${column} + 1`
  if (part.type === 'placeholder') return part.hole ? column.includes('${') : part.text === column;
  if (part.type !== 'column' || !sameColumn(part.name, column)) return false;
  if (draft.verb === 'insert' && draft.conflict === undefined)
    return part.qualifier !== undefined && part.qualifier === draft.table;
  return ownerOf(part, draft) === 'target';
}

/** `SET n = n + 1 WHERE n = $1` gives a value that is known: no delta. */
function withoutPinned(columns: readonly string[], draft: Draft, gate: SqlGate | undefined): string[] {
  if (draft.verb !== 'update' || gate === undefined || gate.operator !== '=') return [...columns];
  const pinned = conditionsOf(draft.where, draft).list.filter(
    ({ operator, value }) => operator === '=' && (value.type === 'placeholder' || value.type === 'literal'),
  );
  return columns.filter((name) => !pinned.some(({ column }) => sameColumn(column, name)));
}

function gateOf(draft: Draft, relative: boolean): SqlGate | undefined {
  if (draft.verb === 'update' || (draft.verb === 'insert' && draft.conflict && draft.conflict.action !== 'nothing')) {
    const gate = findGate(draft, relative);
    if (gate) return gate;
  }
  return isWrite(draft) ? gateOfCte(draft) : undefined;
}

/** `WITH new AS (INSERT … ON CONFLICT DO NOTHING RETURNING …) UPDATE … FROM new`: no new row, no effect. */
function gateOfCte(draft: Draft): SqlGate | undefined {
  const conditions = draft.where ? queriesIn(draft.where) : [];
  const used = [...draft.sources, ...conditions.flatMap((query) => query.sources), ...(draft.query?.sources ?? [])];
  const asked = (draft.query?.where ? queriesIn(draft.query.where) : []).flatMap((query) => query.sources);
  for (const { query } of [...used, ...asked]) {
    if (query === undefined || !query.returning || !isWrite(query)) continue;
    const part = judge(query);
    if (part.writeKind === 'insert-or-ignore') {
      return { column: part.conflictColumns?.[0] ?? part.columns[0]?.name ?? '*', operator: 'exists', kind: 'state' };
    }
    // The first to delete the row wins.
    if (part.writeKind === 'delete') return { column: part.where[0]?.column ?? '*', operator: 'exists', kind: 'state' };
    if (part.gate) return part.gate;
  }
  return undefined;
}

function isWrite(draft: Draft): boolean {
  return draft.verb === 'insert' || draft.verb === 'update' || draft.verb === 'delete';
}

function writeKindOf(
  draft: Draft,
  deltaColumns: readonly string[],
  gate: SqlGate | undefined,
): SqlWriteKind | undefined {
  switch (draft.verb) {
    case 'insert':
      return insertKindOf(draft, deltaColumns, gate);
    case 'update':
      if (deltaColumns.length > 0) return 'delta';
      return gate ? 'guarded' : 'absolute';
    case 'delete':
      return 'delete';
    default:
      return undefined;
  }
}

function insertKindOf(draft: Draft, deltaColumns: readonly string[], gate: SqlGate | undefined): SqlWriteKind {
  const { conflict, onDuplicate } = draft;
  if (conflict === undefined) {
    if (onDuplicate === 'ignore') return 'insert-or-ignore';
    return onDuplicate === 'replace' ? 'upsert' : 'insert';
  }
  if (conflict.action === 'nothing' || changesNothing(draft)) return 'insert-or-ignore';
  if (deltaColumns.length > 0) return 'delta';
  return gate ? 'guarded' : 'upsert';
}

/** `ON DUPLICATE KEY UPDATE id = id`, `… id = LAST_INSERT_ID(id)` */
function changesNothing({ conflict }: Draft): boolean {
  if (conflict?.action !== 'duplicate-key-update' || conflict.assignments.length === 0) return false;
  return conflict.assignments.every(({ name, value }) => {
    const kept = value.type === 'call' && value.name === 'last_insert_id' ? value.args[0] : value;
    return (
      kept?.type === 'column' &&
      sameColumn(kept.name, name) &&
      (kept.qualifier === undefined || kept.qualifier !== conflict.rowAlias)
    );
  });
}

function conflictColumnsOf(draft: Draft): { conflictColumns?: string[] } {
  if (draft.conflict) return draft.conflict.columns ? { conflictColumns: draft.conflict.columns } : {};
  return draft.onDuplicate === 'ignore' || draft.onDuplicate === 'replace' ? { conflictColumns: [] } : {};
}

/** The writes within a statement: data-modifying CTEs, branches, and those of its queries. */
function partsIn(draft: Draft): Draft[] {
  const ctes = draft.ctes.flatMap(({ draft: inner }) => [inner, ...(isWrite(inner) ? [] : partsIn(inner))]);
  const query = draft.query ? partsIn(draft.query) : [];
  return [...ctes.filter(isWrite), ...query, ...draft.nested];
}
