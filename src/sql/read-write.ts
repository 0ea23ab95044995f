import type { Cursor } from './cursor.js';
import { emptyDraft, type Assignment, type Conflict, type Draft, type Source } from './draft.js';
import type { Expression } from './expression.js';
import { placeholderOf, readExpression, readExpressions } from './read-expression.js';
import { isName, readAlias, readName, readNameList, readTable } from './read-name.js';
import { isHole, readItems, readQuery, readTail, readValues, takeHoles } from './read-query.js';
import { both, readSources } from './read-source.js';
import { columnsOf, isNamed, qualify } from './resolve.js';

export function readInsert(cursor: Cursor): Draft {
  const draft = emptyDraft('insert');
  const first = cursor.next()?.upper;
  draft.onDuplicate = first === 'INSERT' ? 'fail' : 'replace';
  if (cursor.take('OR')) {
    const action = cursor.next()?.upper;
    if (action === 'IGNORE') draft.onDuplicate = 'ignore';
    if (action === 'REPLACE' || action === 'UPDATE') draft.onDuplicate = 'replace';
  }
  while (cursor.atAny('IGNORE', 'LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'OVERWRITE')) {
    if (cursor.next()?.upper === 'IGNORE') draft.onDuplicate = 'ignore';
  }
  if (cursor.at('TOP', '(')) {
    cursor.next();
    cursor.skipParentheses();
  }
  cursor.take('INTO');
  cursor.take('TABLE');
  setTarget(cursor, draft);
  const names = cursor.at('(') && !isQueryAhead(cursor) ? readColumnNames(cursor, draft) : undefined;
  if (cursor.take('OVERRIDING')) {
    cursor.takeAny('SYSTEM', 'USER');
    cursor.take('VALUE');
  }
  readOutput(cursor, draft);
  readInsertRows(cursor, draft, names);
  readConflicts(cursor, draft);
  readReturning(cursor, draft);
  cursor.take('ALLOW', 'FILTERING');
  return draft;
}

function isQueryAhead(cursor: Cursor): boolean {
  return ['SELECT', 'WITH', 'VALUES', '('].includes(cursor.peek(1)?.upper ?? '');
}

function setTarget(cursor: Cursor, draft: Draft): void {
  const table = readTable(cursor);
  if (table !== undefined) draft.table = table;
  if (cursor.at('PARTITION', '(')) {
    cursor.next();
    cursor.skipParentheses();
  }
  if (cursor.at('DEFAULT')) return;
  const alias = readAlias(cursor);
  if (alias !== undefined) draft.alias = alias;
}

/** The list behind the table; a hole in it hides names. */
function readColumnNames(cursor: Cursor, draft: Draft): string[] {
  const first = cursor.peek(1);
  if (first?.kind === 'placeholder' && cursor.peek(2)?.upper === ')') {
    cursor.position += 3;
    return ['*'];
  }
  const names = readNameList(cursor);
  if (names.some((name) => name.startsWith('${'))) draft.open = true;
  return names;
}

function readInsertRows(cursor: Cursor, draft: Draft, names: readonly string[] | undefined): void {
  const token = cursor.peek();
  if (cursor.takeAny('VALUES', 'VALUE')) {
    setColumns(draft, names, readValues(cursor));
  } else if (cursor.take('DEFAULT', 'VALUES')) {
    return;
  } else if (cursor.take('SET')) {
    draft.columns = readAssignments(cursor, draft);
  } else if (cursor.atAny('SELECT', 'WITH', '(', 'TABLE')) {
    const query = cursor.at('WITH') ? cursor.readInner(cursor) : readQuery(cursor);
    draft.query = query;
    setColumns(draft, names, query);
  } else if (cursor.takeAny('EXEC', 'EXECUTE', 'FORMAT')) {
    while (!cursor.done && !cursor.at(';')) cursor.next();
  } else if (token?.kind === 'placeholder') {
    // `INSERT INTO t ${sql(row)}`
    cursor.next();
    draft.columns = (names ?? ['*']).map((name) => ({ name, value: placeholderOf(token) }));
  } else {
    cursor.complete = false;
  }
}

function setColumns(draft: Draft, names: readonly string[] | undefined, rows: Draft): void {
  const [bulk] = rows.columns;
  if (bulk !== undefined) {
    draft.columns = (names ?? ['*']).map((name) => ({ name, value: bulk.value }));
    return;
  }
  const values = [...valuesOf(rows)];
  const [only] = values;
  // `VALUES (${values})`: one hole for the whole list.
  const spread =
    values.length === 1 && only?.type === 'placeholder' && only.hole && names !== undefined && names.length > 1;
  if (names === undefined) {
    draft.columns = values.map((value, index) => ({ name: `#${index + 1}`, value }));
    return;
  }
  draft.columns = names.flatMap((name, index): Assignment[] => {
    const value = spread ? only : values[index];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** Values of a query in order, a star replaced by what its source yields. */
function valuesOf(query: Draft): Expression[] {
  const hasStar = query.items.some((item) => item.value.type === 'star');
  return hasStar ? [...columnsOf(query).values()] : query.items.map((item) => item.value);
}

function readConflicts(cursor: Cursor, draft: Draft): void {
  let rowAlias: string | undefined;
  if (cursor.at('AS') && isName(cursor.peek(1))) {
    rowAlias = readAlias(cursor);
    if (cursor.at('(')) cursor.skipParentheses();
  }
  for (;;) {
    takeHoles(cursor, draft);
    let conflict: Conflict | undefined;
    if (cursor.take('ON', 'CONFLICT')) conflict = readOnConflict(cursor, draft);
    else if (cursor.take('ON', 'DUPLICATE', 'KEY', 'UPDATE')) {
      const assignments = readAssignments(cursor, draft);
      conflict = {
        columns: [],
        action: 'duplicate-key-update',
        assignments,
        ...(rowAlias !== undefined && { rowAlias }),
      };
    }
    if (conflict === undefined) return;
    // SQLite allows several clauses: the one that changes something tells more.
    if (draft.conflict === undefined || draft.conflict.action === 'nothing') draft.conflict = conflict;
  }
}

/** Undefined if a hole hides what is done about the conflict. */
function readOnConflict(cursor: Cursor, draft: Draft): Conflict | undefined {
  const conflict: Conflict = { action: 'nothing', assignments: [] };
  if (cursor.take('ON', 'CONSTRAINT')) {
    readName(cursor);
  } else if (cursor.at('(')) {
    const columns = readKeyColumns(cursor);
    if (columns.length > 0) conflict.columns = columns;
    if (cursor.take('WHERE')) readExpression(cursor);
  } else if (isHole(cursor.peek())) {
    cursor.next();
  } else {
    conflict.columns = [];
  }
  if (cursor.take('DO', 'NOTHING')) return conflict;
  if (cursor.take('DO', 'UPDATE') && cursor.expect('SET')) {
    conflict.action = 'update';
    conflict.assignments = readAssignments(cursor, draft);
    takeHoles(cursor, draft);
    if (cursor.take('WHERE')) conflict.where = readExpression(cursor);
    return conflict;
  }
  draft.open = true;
  if (!cursor.take('DO') || !isHole(cursor.peek())) cursor.complete &&= cursor.done;
  takeHoles(cursor, draft);
  return undefined;
}

/** `(a, lower(b) text_ops, c DESC, d(10))`: the columns a key is made of. */
export function readKeyColumns(cursor: Cursor): string[] {
  const columns: string[] = [];
  cursor.expect('(');
  while (!cursor.done && !cursor.take(')')) {
    const start = cursor.position;
    const column = keyColumn(readExpression(cursor));
    if (column !== undefined) columns.push(column);
    while (!cursor.done && !cursor.atAny(',', ')')) {
      if (cursor.at('(')) cursor.skipParentheses();
      else cursor.next();
    }
    cursor.take(',');
    if (cursor.position === start) break;
  }
  return columns;
}

function keyColumn(expression: Expression): string | undefined {
  switch (expression.type) {
    case 'column':
      return expression.name;
    case 'call': {
      // `lower(b)`; but `d(10)` is MySQL's prefix of a column.
      const inner = expression.args.map(keyColumn).find((name) => name !== undefined);
      return inner ?? (expression.args.every((arg) => arg.type === 'literal') ? expression.name : undefined);
    }
    case 'cast':
      return keyColumn(expression.arg);
    case 'binary':
      return keyColumn(expression.left) ?? keyColumn(expression.right);
    default:
      return undefined;
  }
}

export function readUpdate(cursor: Cursor): Draft {
  const draft = emptyDraft('update');
  cursor.next();
  if (cursor.take('OR')) cursor.next();
  while (cursor.takeAny('LOW_PRIORITY', 'IGNORE', 'ONLY'));
  skipTop(cursor);
  const sources = readSources(cursor, draft);
  cursor.expect('SET');
  draft.assignments = readAssignments(cursor, draft);
  readOutput(cursor, draft);
  takeHoles(cursor, draft);
  if (cursor.take('FROM')) sources.push(...readSources(cursor, draft));
  takeHoles(cursor, draft);
  readWhere(cursor, draft);
  readTail(cursor, draft);
  chooseTarget(draft, sources, draft.assignments[0]?.qualifier);
  readReturning(cursor, draft);
  return draft;
}

export function readDelete(cursor: Cursor): Draft {
  const draft = emptyDraft('delete');
  cursor.next();
  while (cursor.takeAny('LOW_PRIORITY', 'QUICK', 'IGNORE'));
  skipTop(cursor);
  // `DELETE t FROM t JOIN …` names its target first, `DELETE FROM t` does not.
  cursor.take('FROM');
  cursor.take('ONLY');
  const sources = readSources(cursor, draft);
  const [target] = sources;
  readOutput(cursor, draft);
  takeHoles(cursor, draft);
  if (cursor.takeAny('FROM', 'USING')) sources.push(...readSources(cursor, draft));
  takeHoles(cursor, draft);
  readWhere(cursor, draft);
  readTail(cursor, draft);
  chooseTarget(draft, sources, target?.alias ?? target?.table);
  readReturning(cursor, draft);
  return draft;
}

function skipTop(cursor: Cursor): void {
  if (!cursor.at('TOP')) return;
  cursor.next();
  if (cursor.at('(')) cursor.skipParentheses();
  else cursor.next();
}

function readWhere(cursor: Cursor, draft: Draft): void {
  if (!cursor.take('WHERE')) return;
  if (cursor.take('CURRENT', 'OF')) {
    cursor.next();
    return;
  }
  draft.where = both(draft.where, readExpression(cursor));
}

/** The first table is the target, unless another one is told by name: `UPDATE a SET … FROM accounts a`. */
function chooseTarget(draft: Draft, sources: readonly Source[], name: string | undefined): void {
  const [first, ...others] = sources;
  const called = name ?? first?.table;
  const named = called === undefined ? undefined : others.find((source) => isNamed(source, called));
  const target = named ?? first;
  if (target?.table !== undefined) draft.table = target.table;
  if (target?.alias !== undefined) draft.alias = target.alias;
  const isMention = (source: Source): boolean => source === first && source.table === called?.toLowerCase();
  draft.sources = sources.filter((source) => source !== target && !isMention(source));
}

const COMPOUND = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^='];

/** `a = 1, (b, c) = (2, 3), d += 1`, `${assignments}` */
export function readAssignments(cursor: Cursor, draft: Draft): Assignment[] {
  const assignments: Assignment[] = [];
  do {
    const token = cursor.peek();
    const follows = cursor.peek(1)?.upper ?? '';
    if (token?.kind === 'placeholder' && follows !== '=' && follows !== '.' && !COMPOUND.includes(follows)) {
      cursor.next();
      assignments.push({ name: '*', value: placeholderOf(token) });
    } else if (cursor.at('(')) {
      assignments.push(...readTuple(cursor));
    } else if (isName(token) || token?.kind === 'placeholder' || token?.kind === 'word') {
      const assignment = readAssignment(cursor);
      if (assignment === undefined) break;
      assignments.push(assignment);
    } else {
      cursor.complete = false;
      break;
    }
  } while (cursor.take(','));
  if (assignments.length === 0) draft.open = true;
  return assignments;
}

function readAssignment(cursor: Cursor): Assignment | undefined {
  const { name, qualifier } = readName(cursor);
  const target: Expression = { type: 'column', ...(qualifier !== undefined && { qualifier }), name };
  let isPart = false;
  while (cursor.at('[')) {
    // `tags[3] = …` sets an element.
    isPart = true;
    while (!cursor.done && !cursor.take(']')) cursor.next();
  }
  const sign = cursor.peek()?.upper ?? '';
  if (COMPOUND.includes(sign)) {
    cursor.next();
    const value: Expression = { type: 'binary', operator: sign.charAt(0), left: target, right: readExpression(cursor) };
    return { name, ...(qualifier !== undefined && { qualifier }), value };
  }
  if (!cursor.takeAny('=', ':=')) {
    cursor.complete = false;
    return undefined;
  }
  const value = readExpression(cursor);
  // A value that is read from an element is compared with that, not with the whole column.
  return { name, ...(qualifier !== undefined && !isPart && { qualifier }), value };
}

/** `(a, b) = ($1, $2)`, `(a, b) = (SELECT x, y …)`, `(a, b) = ROW(…)` */
function readTuple(cursor: Cursor): Assignment[] {
  const names = readNameList(cursor);
  cursor.expect('=');
  const right = readExpression(cursor);
  const values = right.type === 'list' ? right.items : right.type === 'query' ? valuesOf(right.query) : undefined;
  return names.map((name, index) => ({ name, value: values?.[index] ?? right }));
}

/** `OUTPUT inserted.id INTO @ids` */
export function readOutput(cursor: Cursor, draft: Draft): void {
  if (!cursor.take('OUTPUT')) return;
  draft.returning = true;
  draft.items = readItems(cursor);
  if (cursor.take('INTO')) {
    cursor.next();
    if (cursor.at('(')) cursor.skipParentheses();
  }
}

export function readReturning(cursor: Cursor, draft: Draft): void {
  takeHoles(cursor, draft);
  if (!cursor.take('RETURNING')) return;
  draft.returning = true;
  draft.items = readItems(cursor).map((item) => ({
    ...returned(item.value, draft),
    ...(item.alias !== undefined && { alias: item.alias }),
  }));
  if (cursor.take('INTO')) readExpressions(cursor);
}

/** `RETURNING id` yields what the insert was given for it; another column belongs to the target. */
function returned(value: Expression, draft: Draft): { alias?: string; value: Expression } {
  const given = value.type === 'column' ? draft.columns.find((column) => column.name === value.name) : undefined;
  if (given !== undefined) return { alias: given.name, value: given.value };
  const { table, alias } = draft;
  if (table === undefined) return { value };
  return { value: qualify(value, [{ table, ...(alias !== undefined && { alias }), columns: new Map() }]) };
}
