import { choosingQueries, conditionsOf, type Condition } from './conditions.js';
import type { Assignment, Draft } from './draft.js';
import { partsOf, printExpression, type Expression } from './expression.js';
import { excludedColumn, ownerOf, sameColumn } from './scope.js';
import type { SqlGate } from './types.js';
import { isMintedCall, looksOrdered } from './words.js';

/** What a statement writes, and under which conditions. */
interface Write {
  draft: Draft;
  assignments: readonly Assignment[];
  conditions: readonly Condition[];
  /**
   * Does it change something relative to what is stored? Then the gate must close behind it: a precondition that
   * still holds after the write lets the duplicate through.
   */
  relative: boolean;
}

/** The condition that makes an UPDATE, or the UPDATE of an upsert, match nothing the second time. */
export function findGate(draft: Draft, relative: boolean): SqlGate | undefined {
  const assignments = draft.conflict?.assignments ?? draft.assignments;
  const own = conditionsOf(draft.conflict ? draft.conflict.where : draft.where, draft).list;
  const chosen = draft.conflict
    ? []
    : choosingQueries(draft, own).flatMap((query) => conditionsOf(query.where, query).list);
  const write: Write = { draft, assignments, conditions: [...own, ...chosen], relative };
  return orderGate(write) ?? versionGate(write) ?? stateGate(write) ?? conditionalGate(write);
}

function assignedTo(write: Write, column: string): Expression | undefined {
  return write.assignments.find((assignment) => sameColumn(assignment.name, column))?.value;
}

/** `seq < $n`: stored is older than what comes. The other way round it is a filter, not a gate. */
function orderGate(write: Write): SqlGate | undefined {
  const condition = write.conditions.find((candidate) => isOrder(candidate, write));
  return condition && { column: condition.column, operator: condition.operator, kind: 'order' };
}

function isOrder({ column, operator, value }: Condition, write: Write): boolean {
  if (operator !== '<' && operator !== '<=') return false;
  if (!comesFromMessage(value, write.draft)) return false;
  const assigned = assignedTo(write, column);
  if (assigned !== undefined && printExpression(assigned) === printExpression(value)) return true;
  if (!looksOrdered(column) || isRange(column, write) || !hasKey(column, write)) return false;
  if (assigned !== undefined || assignsAll(write)) return true;
  // A delta that leaves the compared column as it is passes again; `expires_at < $1` sweeps up what is due.
  return !write.relative && !/expir|creat|start|end|due|deadline|schedul|until|next|last_seen/i.test(column);
}

/** `created_at > $1 AND created_at < $2` */
function isRange(column: string, write: Write): boolean {
  return write.conditions.some((other) => sameColumn(other.column, column) && /^(?:>=?|between)$/.test(other.operator));
}

/** A gate stands before a row that is named otherwise; a comparison alone sweeps over all of them. */
function hasKey(column: string, write: Write): boolean {
  return (
    write.draft.conflict !== undefined ||
    write.conditions.some(
      (other) => (other.operator === '=' || other.operator === 'in') && !sameColumn(other.column, column),
    )
  );
}

/** `SET ?`, `SET ${assignments}`: the column may be among them. */
function assignsAll(write: Write): boolean {
  return write.assignments.some((assignment) => assignment.name === '*');
}

/** `version = $n` with a SET of version. */
function versionGate(write: Write): SqlGate | undefined {
  const condition = write.conditions.find(
    ({ column, operator, value }) =>
      operator === '=' &&
      looksOrdered(column) &&
      comesFromMessage(value, write.draft) &&
      (changesByItself(column) || changes(assignedTo(write, column), value)),
  );
  return condition && { column: condition.column, operator: '=', kind: 'version' };
}

/** PostgreSQL's xmin and SQL Server's rowversion are new after every write, unasked. */
function changesByItself(column: string): boolean {
  return /^(?:xmin|row_?version)$/i.test(column);
}

/** `status = 'pending'` with a SET of status. */
function stateGate(write: Write): SqlGate | undefined {
  const condition = write.conditions.find((candidate) => {
    const assigned = assignedTo(write, candidate.column);
    if (assigned === undefined || (!write.relative && skipsUnchanged(candidate, assigned))) return false;
    return closes(candidate, assigned) || (!write.relative && isPrecondition(candidate, assigned));
  });
  return condition && { column: condition.column, operator: condition.operator, kind: 'state' };
}

/** `name IS DISTINCT FROM $1` with `SET name = $1` saves a write; a late message overwrites a newer one all the same. */
function skipsUnchanged({ operator, value }: Condition, assigned: Expression): boolean {
  if (operator !== '<>' && operator !== 'is distinct from') return false;
  return value.type !== 'literal' && !changes(assigned, value);
}

/** Does the condition no longer hold, once the column is what the statement sets it to? */
function closes({ operator, value }: Condition, assigned: Expression): boolean {
  const isNull = value.type === 'literal' && value.value === null;
  switch (operator) {
    case '=':
    case 'is not distinct from':
      return changes(assigned, value);
    case 'is':
      return isNull ? !isLiteral(assigned, null) : changes(assigned, value);
    case 'is not':
      return isNull ? isLiteral(assigned, null) : printExpression(assigned) === printExpression(value);
    case '<>':
    case 'is distinct from':
      return printExpression(assigned) === printExpression(value) || !bothLiteral(assigned, value);
    case 'in':
      return value.type === 'query' ? false : itemsOf(value).every((item) => changes(assigned, item));
    case 'not in':
      return itemsOf(value).some(
        (item) => printExpression(item) === printExpression(assigned) || !bothLiteral(item, assigned),
      );
    case 'not contains':
    case 'not @>':
    case 'not ?':
      return true;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return crosses(operator, value, assigned);
    default:
      return false;
  }
}

/** `progress < 100` with `SET progress = 100` */
function crosses(operator: string, value: Expression, assigned: Expression): boolean {
  const bound = value.type === 'literal' ? value.value : undefined;
  const next = assigned.type === 'literal' ? assigned.value : undefined;
  if (typeof bound !== 'number' || typeof next !== 'number') return false;
  if (operator === '<') return next >= bound;
  if (operator === '<=') return next > bound;
  return operator === '>' ? next <= bound : next < bound;
}

/** `status <> 'cancelled'` with `SET status = 'done'`: it does not keep a duplicate out, but a late message. */
function isPrecondition({ operator, value }: Condition, assigned: Expression): boolean {
  if (operator === '<>' || operator === 'not in' || operator === 'is distinct from') return true;
  return operator === 'in' && value.type !== 'query' && itemsOf(value).some((item) => changes(assigned, item));
}

function itemsOf(value: Expression): Expression[] {
  return value.type === 'list' ? value.items : [value];
}

function changes(assigned: Expression | undefined, stored: Expression): boolean {
  return assigned !== undefined && printExpression(assigned) !== printExpression(stored);
}

function isLiteral(expression: Expression, value: string | number | boolean | null): boolean {
  return expression.type === 'literal' && expression.value === value;
}

function bothLiteral(one: Expression, other: Expression): boolean {
  return one.type === 'literal' && other.type === 'literal';
}

/** Is the value brought along, rather than stored, written in the statement, or read from the clock? */
function comesFromMessage(value: Expression, draft: Draft): boolean {
  if (excludedColumn(value, draft) !== undefined) return true;
  switch (value.type) {
    case 'placeholder':
      return true;
    case 'column':
      return ownerOf(value, draft) !== 'target';
    case 'call':
      if (isMintedCall(value.name, [])) return false;
      return value.args.length > 0 && value.args.some((arg) => comesFromMessage(arg, draft));
    case 'query':
      return false;
    default:
      return (
        partsOf(value).some((part) => comesFromMessage(part, draft)) && !partsOf(value).some((part) => isClock(part))
      );
  }
}

function isClock(value: Expression): boolean {
  return value.type === 'call' && isMintedCall(value.name, []);
}

/** `n = IF(VALUES(seq) > seq, …, n)`, `n = CASE WHEN seq < $1 THEN n + $2 ELSE n END`: the gate within each value. */
function conditionalGate(write: Write): SqlGate | undefined {
  let gate: SqlGate | undefined;
  for (const { name, value } of write.assignments) {
    if (value.type === 'call' && (value.name === 'greatest' || value.name === 'least')) continue;
    if (value.type !== 'case' || !keepsOtherwise(value, name)) return undefined;
    const conditions = value.branches.flatMap(({ when }) => conditionsOf(when, write.draft).list);
    const condition = conditions.find((candidate) => isOrder(candidate, write));
    if (!condition) return undefined;
    gate ??= { column: condition.column, operator: condition.operator, kind: 'order' };
  }
  return gate;
}

function keepsOtherwise(value: Expression & { type: 'case' }, column: string): boolean {
  const { otherwise } = value;
  return otherwise?.type === 'column' && sameColumn(otherwise.name, column);
}
