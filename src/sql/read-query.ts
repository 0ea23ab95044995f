import type { Cursor } from './cursor.js';
import { emptyDraft, type Draft } from './draft.js';
import { printExpression, queriesIn, type Expression } from './expression.js';
import { placeholderOf, readExpression, readExpressions, readParentheses } from './read-expression.js';
import { isName, readAlias, readTable } from './read-name.js';
import { both, readSources } from './read-source.js';
import { qualify, resolve } from './resolve.js';
import type { Token } from './tokens.js';
import { STARTERS } from './words.js';

/** SELECT, VALUES, or one of them within parentheses, with what UNION adds. */
export function readQuery(cursor: Cursor): Draft {
  const draft = readQueryTerm(cursor);
  readTail(cursor, draft);
  return draft;
}

function readQueryTerm(cursor: Cursor): Draft {
  if (cursor.at('(')) {
    const inner = readParentheses(cursor);
    if (inner.type === 'query') return inner.query;
    cursor.complete = false;
    return emptyDraft('select');
  }
  if (cursor.take('VALUES')) return readValues(cursor);
  if (cursor.take('TABLE')) {
    const draft = emptyDraft('select');
    readTable(cursor);
    return draft;
  }
  return readSelect(cursor);
}

function readSelect(cursor: Cursor): Draft {
  const draft = emptyDraft('select');
  cursor.expect('SELECT');
  readSelectWords(cursor, draft);
  draft.items = readItems(cursor);
  if (cursor.at('INTO')) readInto(cursor, draft);
  takeHoles(cursor, draft);
  if (cursor.take('FROM')) draft.sources = readSources(cursor, draft);
  takeHoles(cursor, draft);
  if (cursor.take('PREWHERE')) draft.where = both(draft.where, readExpression(cursor));
  if (cursor.take('WHERE')) draft.where = both(draft.where, readExpression(cursor));
  takeHoles(cursor, draft);
  lookThroughExists(draft);
  if (draft.table === undefined) {
    const [source] = draft.sources;
    // The name of a CTE is no table.
    const table = source?.query ? source.query.table : source?.table;
    if (table !== undefined) draft.table = table;
  }
  draft.items = draft.items.map(({ alias, value }) => ({
    ...(alias !== undefined && { alias }),
    // The name of a bare column must outlive its being replaced.
    ...(alias === undefined && value.type === 'column' && { alias: value.name }),
    value: qualify(resolve(value, draft.sources), draft.sources),
  }));
  return draft;
}

/** `SELECT EXISTS (SELECT 1 FROM processed WHERE id = $1)` asks what its inner query asks. */
function lookThroughExists(draft: Draft): void {
  const [item, another] = draft.items;
  if (item === undefined || another !== undefined || draft.sources.length > 0 || draft.where !== undefined) return;
  const [query] = queriesIn(item.value);
  if (query?.table !== undefined) draft.table = query.table;
  if (query?.where !== undefined) draft.where = query.where;
  if (query !== undefined) draft.sources = query.sources;
}

function readSelectWords(cursor: Cursor, draft: Draft): void {
  for (;;) {
    if (cursor.take('DISTINCT')) {
      draft.distinct = true;
      if (cursor.take('ON')) cursor.skipParentheses();
    } else if (
      cursor.at('TOP') &&
      (cursor.peek(1)?.upper === '(' || cursor.peek(1)?.kind === 'number' || cursor.peek(1)?.kind === 'placeholder')
    ) {
      cursor.next();
      if (cursor.at('(')) cursor.skipParentheses();
      else cursor.next();
      cursor.take('PERCENT');
      cursor.take('WITH', 'TIES');
    } else if (!cursor.takeAny('ALL', 'SQL_CALC_FOUND_ROWS', 'STRAIGHT_JOIN', 'HIGH_PRIORITY')) {
      return;
    }
  }
}

/** The list behind SELECT, RETURNING and OUTPUT. */
export function readItems(cursor: Cursor): Draft['items'] {
  const items: Draft['items'] = [];
  if (atClauseEnd(cursor)) return items;
  do {
    const value = readExpression(cursor);
    while (isHole(cursor.peek())) cursor.next();
    const alias = readAlias(cursor);
    items.push({ ...(alias !== undefined && { alias }), value });
  } while (cursor.take(','));
  return items;
}

function atClauseEnd(cursor: Cursor): boolean {
  return cursor.done || cursor.atAny('FROM', 'INTO', 'WHERE', ';', ')');
}

/** `SELECT … INTO new_table` writes; `INTO @variable`, `INTO OUTFILE` do not. */
function readInto(cursor: Cursor, draft: Draft): void {
  cursor.next();
  while (cursor.takeAny('TEMP', 'TEMPORARY', 'UNLOGGED', 'TABLE'));
  if (isName(cursor.peek()) && !cursor.atAny('OUTFILE', 'DUMPFILE', 'STRICT')) {
    draft.verb = 'insert';
    draft.onDuplicate = 'fail';
    const table = readTable(cursor);
    if (table !== undefined) draft.table = table;
    return;
  }
  while (!cursor.done && !cursor.atAny('FROM', 'WHERE', ';', ')')) cursor.next();
}

/** `VALUES (1, 2), (3, 4)` */
export function readValues(cursor: Cursor): Draft {
  const draft = emptyDraft('select');
  const rows: Expression[][] = [];
  do {
    const token = cursor.peek();
    cursor.take('ROW');
    if (cursor.at('(')) {
      const row = readParentheses(cursor);
      rows.push(row.type === 'list' ? row.items : [row]);
    } else if (token?.kind === 'placeholder') {
      // `VALUES ?` with an array of rows, or `VALUES ${rows}`.
      cursor.next();
      rows.push([{ type: 'star' }]);
      draft.columns.push({ name: '*', value: placeholderOf(token) });
      // Some libraries put rows behind one another without commas between the holes.
    } else {
      cursor.complete = false;
      break;
    }
  } while (cursor.take(','));
  draft.items = mergeRows(rows).map((value) => ({ value }));
  return draft;
}

/** One row that stands for all: a column with different values in them becomes the list of those. */
function mergeRows(rows: readonly Expression[][]): Expression[] {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return first ?? [];
  return first.map((value, index) => {
    const seen = new Map([[printExpression(value), value]]);
    for (const row of others.slice(0, 50)) {
      const other = row[index];
      if (other !== undefined) seen.set(printExpression(other), other);
    }
    return seen.size === 1 ? value : { type: 'list', items: [...seen.values()] };
  });
}

/** GROUP BY, ORDER BY, LIMIT, UNION, FOR UPDATE …: whatever may stand behind the conditions of a query. */
export function readTail(cursor: Cursor, draft: Draft): void {
  for (;;) {
    takeHoles(cursor, draft);
    if (cursor.takeAny('GROUP', 'ORDER')) {
      cursor.take('SIBLINGS');
      cursor.expect('BY');
      readOrdering(cursor);
    } else if (cursor.takeAny('HAVING', 'QUALIFY')) {
      readExpression(cursor);
    } else if (cursor.takeAny('LIMIT', 'OFFSET')) {
      if (!cursor.take('ALL')) readExpressions(cursor);
      cursor.takeAny('ROW', 'ROWS');
      if (cursor.take('BY')) readExpressions(cursor);
    } else if (cursor.take('FETCH')) {
      cursor.takeAny('FIRST', 'NEXT');
      if (!cursor.atAny('ROW', 'ROWS')) readExpression(cursor);
      cursor.takeAny('ROW', 'ROWS');
      if (!cursor.take('ONLY')) cursor.take('WITH', 'TIES');
    } else if (cursor.atAny('UNION', 'INTERSECT', 'EXCEPT', 'MINUS')) {
      readUnion(cursor, draft);
    } else if (cursor.take('FOR')) {
      readFor(cursor, draft);
    } else if (cursor.take('LOCK', 'IN', 'SHARE', 'MODE')) {
      draft.locking = true;
    } else if (cursor.take('WINDOW')) {
      do {
        cursor.next();
        cursor.expect('AS');
        cursor.skipParentheses();
      } while (cursor.take(','));
    } else if (cursor.at('OPTION', '(')) {
      cursor.next();
      cursor.skipParentheses();
    } else if (cursor.take('SETTINGS')) {
      readExpressions(cursor);
    } else if (cursor.take('FORMAT') || cursor.take('INTO', 'OUTFILE')) {
      cursor.next();
    } else {
      return;
    }
  }
}

function readOrdering(cursor: Cursor): void {
  do {
    if (cursor.take('GROUPING', 'SETS') || cursor.takeAny('ROLLUP', 'CUBE')) cursor.skipParentheses();
    else readExpression(cursor);
    cursor.takeAny('ASC', 'DESC');
    if (cursor.take('NULLS')) cursor.takeAny('FIRST', 'LAST');
    cursor.take('WITH', 'ROLLUP');
  } while (cursor.take(','));
}

function readUnion(cursor: Cursor, draft: Draft): void {
  cursor.next();
  cursor.takeAny('ALL', 'DISTINCT');
  const other = readQueryTerm(cursor);
  const rows = [draft, other].map((query) => query.items.map((item) => item.value));
  const merged = mergeRows(rows);
  draft.items = draft.items.map((item, index) => ({ ...item, value: merged[index] ?? item.value }));
}

/** `FOR UPDATE OF t SKIP LOCKED`, `FOR NO KEY UPDATE`, `FOR SHARE`; `FOR JSON PATH` locks nothing. */
function readFor(cursor: Cursor, draft: Draft): void {
  cursor.take('NO');
  cursor.take('KEY');
  if (cursor.takeAny('UPDATE', 'SHARE')) {
    draft.locking = true;
    if (cursor.take('OF')) readExpressions(cursor);
    if (!cursor.takeAny('NOWAIT')) cursor.take('SKIP', 'LOCKED');
    if (cursor.take('WAIT')) cursor.next();
    return;
  }
  while (!cursor.done && !cursor.atAny(';', ')') && !STARTERS.has(cursor.peek()?.upper ?? '')) cursor.next();
}

/** A hole between two clauses is a clause of its own, and nobody sees which. */
export function takeHoles(cursor: Cursor, draft: Draft): void {
  for (;;) {
    if (!isHole(cursor.peek())) return;
    cursor.next();
    draft.open = true;
  }
}

export function isHole(token: Token | undefined): boolean {
  return token?.kind === 'placeholder' && token.holes.length > 0;
}

/** Does the query, or one within it, take a lock? */
export function locks(draft: Draft): boolean {
  if (draft.locking) return true;
  const inner = [
    ...draft.items.flatMap((item) => queriesIn(item.value)),
    ...(draft.where ? queriesIn(draft.where) : []),
    ...draft.sources.flatMap((source) => (source.query ? [source.query] : [])),
    ...draft.ctes.map((cte) => cte.draft),
    ...(draft.query ? [draft.query] : []),
  ];
  return (
    inner.some(locks) ||
    draft.items.some((item) => callsLock(item.value)) ||
    (draft.where !== undefined && callsLock(draft.where))
  );
}

const LOCK_FUNCTION = /^(?:pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?|get_lock)$/;

function callsLock(expression: Expression): boolean {
  return expression.type === 'call' ? LOCK_FUNCTION.test(expression.name) : false;
}
