import type { Cursor } from './cursor.js';
import type { Draft, Source } from './draft.js';
import type { Expression } from './expression.js';
import { readExpression, readParentheses } from './read-expression.js';
import { readAlias, readNameList, readTable } from './read-name.js';
import { columnsOf } from './resolve.js';

const JOIN_WORDS = [
  'NATURAL',
  'INNER',
  'LEFT',
  'RIGHT',
  'FULL',
  'CROSS',
  'OUTER',
  'GLOBAL',
  'ASOF',
  'SEMI',
  'ANTI',
  'ANY',
];

/** What stands behind FROM, USING or UPDATE: tables, subqueries, functions, and their joins. */
export function readSources(cursor: Cursor, draft: Draft): Source[] {
  const sources = [readSource(cursor, draft)];
  for (;;) {
    if (cursor.take(',')) {
      sources.push(readSource(cursor, draft));
    } else if (atJoin(cursor)) {
      while (!cursor.done && !cursor.atAny('JOIN', 'STRAIGHT_JOIN', 'APPLY')) cursor.next();
      cursor.next();
      sources.push(readSource(cursor, draft));
      if (cursor.take('ON')) {
        const condition = readExpression(cursor);
        // A row of a joined UPDATE must satisfy it; of a SELECT it is no question about the table read.
        if (draft.verb !== 'select') draft.where = both(draft.where, condition);
      } else if (cursor.at('USING', '(')) {
        cursor.next();
        cursor.skipParentheses();
      }
    } else {
      return sources;
    }
  }
}

export function both(first: Expression | undefined, second: Expression): Expression {
  return first === undefined ? second : { type: 'binary', operator: 'and', left: first, right: second };
}

function atJoin(cursor: Cursor): boolean {
  for (let ahead = 0; ahead < 4; ahead += 1) {
    const word = cursor.peek(ahead)?.upper ?? '';
    if (word === 'JOIN' || word === 'STRAIGHT_JOIN' || (word === 'APPLY' && ahead === 1)) return true;
    if (!JOIN_WORDS.includes(word)) return false;
  }
  return false;
}

function readSource(cursor: Cursor, draft: Draft): Source {
  while (cursor.takeAny('ONLY', 'LATERAL'));
  const source = readSourceItself(cursor, draft);
  skipHints(cursor, draft);
  return source;
}

function readSourceItself(cursor: Cursor, draft: Draft): Source {
  if (cursor.at('(')) {
    if (!['SELECT', 'WITH', 'VALUES', 'INSERT', 'UPDATE', 'DELETE'].includes(cursor.peek(1)?.upper ?? '')) {
      return readParenthesized(cursor, draft);
    }
    const inner = readParentheses(cursor);
    return named(cursor, inner.type === 'query' ? inner.query : undefined);
  }
  if (isCall(cursor)) {
    const call = readExpression(cursor);
    cursor.take('WITH', 'ORDINALITY');
    return namedCall(cursor, call);
  }
  const table = readTable(cursor);
  const query = table === undefined ? undefined : cursor.ctes.get(table);
  const alias = readAlias(cursor);
  return {
    ...(table !== undefined && { table }),
    ...(alias !== undefined && { alias }),
    ...(query && { query }),
    columns: query ? columnsOf(query) : new Map(),
  };
}

/** `(a JOIN b ON …)`; its inner tables but the first are dropped. */
function readParenthesized(cursor: Cursor, draft: Draft): Source {
  cursor.next();
  const [first] = cursor.nest(() => readSources(cursor, draft));
  cursor.expect(')');
  const alias = readAlias(cursor);
  return { ...(first ?? { columns: new Map() }), ...(alias !== undefined && { alias }) };
}

function isCall(cursor: Cursor): boolean {
  let ahead = 0;
  while (cursor.peek(ahead + 1)?.upper === '.') ahead += 2;
  const token = cursor.peek(ahead);
  const follows = cursor.peek(ahead + 1);
  return (
    (token?.kind === 'word' || token?.kind === 'quoted' || token?.kind === 'placeholder') &&
    follows?.upper === '(' &&
    token.upper !== 'VALUES'
  );
}

/** `(SELECT …) AS s(a, b)` */
function named(cursor: Cursor, query: Draft | undefined): Source {
  const alias = readAlias(cursor);
  const names = alias !== undefined && cursor.at('(') ? readNameList(cursor) : undefined;
  return {
    ...(alias !== undefined && { alias }),
    ...(query && { query }),
    columns: query ? columnsOf(query, names) : new Map(),
  };
}

/** `unnest($1::int[], $2::text[]) AS x(a, b)`, `jsonb_to_recordset($1) AS x(a int, b text)` */
function namedCall(cursor: Cursor, call: Expression): Source {
  const alias = readAlias(cursor) ?? (cursor.take('AS') ? '' : undefined);
  const names = cursor.at('(') ? readNameList(cursor) : [];
  const args = call.type === 'call' ? call.args : [];
  const columns = new Map<string, Expression>();
  const isUnnest = call.type === 'call' && call.name === 'unnest';
  const from = (index: number): Expression => {
    const arg = isUnnest ? args[index] : undefined;
    return arg === undefined ? call : arg.type === 'cast' ? arg.arg : arg;
  };
  const count = Math.max(names.length, isUnnest ? args.length : 1);
  for (let index = 0; index < count; index += 1) {
    const only = count === 1 ? alias : undefined;
    columns.set((names[index] ?? only ?? `#${index + 1}`).toLowerCase(), from(index));
  }
  return { ...(alias !== undefined && { alias }), columns };
}

/** Hints of T-SQL that hold a lock on what is read until the transaction ends. */
const LOCK_HINTS = new Set(['UPDLOCK', 'XLOCK', 'TABLOCKX', 'HOLDLOCK', 'SERIALIZABLE']);

/** `WITH (UPDLOCK, HOLDLOCK)`, `USE INDEX (a)`, `TABLESAMPLE …`, `FINAL` */
function skipHints(cursor: Cursor, draft: Draft): void {
  for (;;) {
    if (cursor.at('WITH', '(')) {
      cursor.position += 2;
      while (!cursor.done && !cursor.take(')')) {
        if (LOCK_HINTS.has(cursor.next()?.upper ?? '')) draft.locking = true;
      }
    } else if (cursor.atAny('USE', 'FORCE', 'IGNORE') && ['INDEX', 'KEY'].includes(cursor.peek(1)?.upper ?? '')) {
      while (!cursor.done && !cursor.at('(')) cursor.next();
      cursor.skipParentheses();
    } else if (cursor.atAny('TABLESAMPLE', 'PARTITION', 'SAMPLE')) {
      cursor.next();
      if (!cursor.at('(')) cursor.next();
      if (cursor.at('(')) cursor.skipParentheses();
    } else if (!cursor.takeAny('FINAL')) {
      return;
    }
  }
}
