import type { Draft } from './draft.js';
import { queriesIn, type Expression } from './expression.js';
import { excludedColumn, ownerOf } from './scope.js';

/** A comparison of a column, which stands left, with a value. */
export interface Condition {
  column: string;
  operator: string;
  value: Expression;
}

export interface Conditions {
  list: Condition[];
  /** A hole stands for a condition. */
  open: boolean;
}

/** The comparisons that must all hold. What is no comparison of a column is left out. */
export function conditionsOf(where: Expression | undefined, draft: Draft): Conditions {
  const conditions: Conditions = { list: [], open: false };
  if (where) collect(where, draft, conditions);
  return conditions;
}

function collect(expression: Expression, draft: Draft, found: Conditions): void {
  switch (expression.type) {
    case 'binary':
      if (expression.operator === 'and') {
        collect(expression.left, draft, found);
        collect(expression.right, draft, found);
      } else if (expression.operator === 'or') {
        const condition = nullOr(expression, draft);
        if (condition) found.list.push(condition);
      } else {
        found.list.push(...compare(expression, draft));
      }
      return;
    case 'unary':
      if (expression.operator === 'not') found.list.push(...negate(expression.arg, draft));
      return;
    case 'column':
      if (columnOf(expression, draft)?.own) {
        found.list.push({ column: expression.name, operator: '=', value: { type: 'literal', value: true } });
      }
      return;
    case 'placeholder':
      if (expression.hole) found.open = true;
      return;
  }
}

type Binary = Expression & { type: 'binary' };

const FLIPPED: Record<string, string> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  'is distinct from': 'is distinct from',
  'is not distinct from': 'is not distinct from',
  in: 'contains',
  'not in': 'not contains',
  '<@': '@>',
};

function compare({ operator, left, right }: Binary, draft: Draft): Condition[] {
  if (left.type === 'list' && right.type === 'list' && operator === '=') {
    return left.items.flatMap((item, index) => {
      const value = right.items[index];
      return value === undefined ? [] : compare({ type: 'binary', operator, left: item, right: value }, draft);
    });
  }
  const column = columnOf(left, draft);
  const flipped = FLIPPED[operator];
  const other = flipped === undefined ? undefined : columnOf(right, draft);
  if (other !== undefined && flipped !== undefined && (column === undefined || (!column.own && other.own))) {
    return [{ column: other.name, operator: flipped, value: left }];
  }
  // What another table must satisfy says nothing about the row written to.
  if (column === undefined || (!column.own && draft.verb !== 'select')) return [];
  return [{ column: column.name, operator, value: simpleList(right) }];
}

/** `IN ($1)` asks for one value. */
function simpleList(value: Expression): Expression {
  const [only] = value.type === 'list' ? value.items : [];
  return value.type === 'list' && value.items.length === 1 && only !== undefined ? only : value;
}

const LOOKS_THROUGH = /^(?:coalesce|ifnull|isnull|nvl)$/;

/** The column whose value is asked for: itself, cast, or with a default for NULL. */
function columnOf(expression: Expression, draft: Draft): { name: string; own: boolean } | undefined {
  if (excludedColumn(expression, draft) !== undefined) return undefined;
  if (expression.type === 'column') return { name: expression.name, own: ownerOf(expression, draft) === 'target' };
  if (expression.type === 'cast') return columnOf(expression.arg, draft);
  const [first] = expression.type === 'call' && LOOKS_THROUGH.test(expression.name) ? expression.args : [];
  return first === undefined ? undefined : columnOf(first, draft);
}

/** `seq IS NULL OR seq < $1`: the comparison, since NULL means there is nothing to compare yet. */
function nullOr(expression: Binary, draft: Draft): Condition | undefined {
  const sides = [expression.left, expression.right].map((side) => (side.type === 'binary' ? compare(side, draft) : []));
  const [first, second] = [sides[0]?.[0], sides[1]?.[0]];
  if (!first || !second || first.column !== second.column) return undefined;
  if (isNullTest(first)) return second;
  return isNullTest(second) ? first : undefined;
}

function isNullTest(condition: Condition): boolean {
  return condition.operator === 'is' && condition.value.type === 'literal' && condition.value.value === null;
}

const NEGATED: Record<string, string> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  like: 'not like',
  contains: 'not contains',
  '@>': 'not @>',
  '?': 'not ?',
  'is not distinct from': 'is distinct from',
  'is distinct from': 'is not distinct from',
};

function negate(expression: Expression, draft: Draft): Condition[] {
  if (expression.type === 'column') {
    return [{ column: expression.name, operator: '=', value: { type: 'literal', value: false } }];
  }
  if (expression.type !== 'binary') return [];
  return compare(expression, draft).flatMap((condition) => {
    const operator = NEGATED[condition.operator];
    return operator === undefined ? [] : [{ ...condition, operator }];
  });
}

/** Queries over the same table that choose the rows: `WHERE id IN (SELECT id FROM jobs WHERE status = 'new')`. */
export function choosingQueries(draft: Draft, conditions: readonly Condition[]): Draft[] {
  const inner = conditions
    .filter(({ operator }) => operator === '=' || operator === 'in')
    .flatMap(({ value }) => queriesIn(value));
  const joined = draft.sources.flatMap((source) => (source.query ? [source.query] : []));
  const named = inner.flatMap((query) => query.sources.flatMap((source) => (source.query ? [source.query] : [])));
  return [...inner, ...joined, ...named].filter(
    (query) => query.verb === 'select' && query.table !== undefined && query.table === draft.table,
  );
}
