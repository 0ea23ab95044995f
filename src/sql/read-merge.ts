import type { Cursor } from './cursor.js';
import { emptyDraft, type Assignment, type Draft } from './draft.js';
import type { Expression } from './expression.js';
import { readExpression } from './read-expression.js';
import { readAlias, readNameList, readTable } from './read-name.js';
import { readTail, readValues } from './read-query.js';
import { both, readSources } from './read-source.js';
import { readAssignments, readOutput, readReturning } from './read-write.js';

/** MERGE, told as the INSERT … ON CONFLICT (or the UPDATE, or the DELETE) that it comes to. */
export function readMerge(cursor: Cursor): Draft {
  const draft = emptyDraft('insert');
  draft.onDuplicate = 'fail';
  cursor.next();
  cursor.take('INTO');
  cursor.take('ONLY');
  const table = readTable(cursor);
  if (table !== undefined) draft.table = table;
  if (cursor.at('WITH', '(')) {
    cursor.next();
    cursor.skipParentheses();
  }
  const alias = readAlias(cursor);
  if (alias !== undefined) draft.alias = alias;
  if (cursor.at('WITH', '(')) {
    cursor.next();
    cursor.skipParentheses();
  }
  cursor.expect('USING');
  draft.sources = readSources(cursor, draft);
  const on = cursor.expect('ON') ? readExpression(cursor) : undefined;
  const clauses: Clause[] = [];
  while (cursor.take('WHEN')) clauses.push(readClause(cursor, draft));
  readOutput(cursor, draft);
  readTail(cursor, draft);
  readReturning(cursor, draft);
  return asPlainStatement(draft, on, clauses);
}

interface Clause {
  matched: boolean;
  condition?: Expression;
  action: 'insert' | 'update' | 'delete' | 'nothing';
  assignments: Assignment[];
}

function readClause(cursor: Cursor, draft: Draft): Clause {
  const matched = !cursor.take('NOT');
  cursor.expect('MATCHED');
  if (cursor.take('BY')) cursor.next();
  const clause: Clause = { matched, action: 'nothing', assignments: [] };
  if (cursor.take('AND')) clause.condition = readExpression(cursor);
  cursor.expect('THEN');
  if (cursor.take('UPDATE')) {
    cursor.expect('SET');
    clause.action = 'update';
    clause.assignments = readAssignments(cursor, draft);
    if (cursor.take('WHERE')) clause.condition = both(clause.condition, readExpression(cursor));
  } else if (cursor.take('DELETE')) {
    clause.action = 'delete';
  } else if (cursor.take('INSERT')) {
    clause.action = 'insert';
    const names = cursor.at('(') ? readNameList(cursor) : undefined;
    if (cursor.take('VALUES')) {
      clause.assignments = readValues(cursor).items.map(({ value }, index) => ({
        name: names?.[index] ?? `#${index + 1}`,
        value,
      }));
    } else {
      cursor.take('DEFAULT', 'VALUES');
      cursor.take('ROW');
    }
  } else {
    cursor.expect('DO', 'NOTHING');
  }
  return clause;
}

function asPlainStatement(draft: Draft, on: Expression | undefined, clauses: readonly Clause[]): Draft {
  const insert = clauses.find((clause) => clause.action === 'insert');
  const update = clauses.find((clause) => clause.action === 'update');
  const removes = clauses.some((clause) => clause.action === 'delete');
  if (insert) {
    draft.columns = insert.assignments;
    draft.conflict = {
      columns: on === undefined ? [] : targetColumns(on, draft),
      action: update || removes ? 'update' : 'nothing',
      assignments: update?.assignments ?? [],
      ...(update?.condition && { where: update.condition }),
    };
    return draft;
  }
  draft.verb = update ? 'update' : removes ? 'delete' : 'other';
  delete draft.onDuplicate;
  draft.assignments = update?.assignments ?? [];
  if (on !== undefined) draft.where = update?.condition ? both(on, update.condition) : on;
  return draft;
}

/** `ON t.id = s.id AND t.tenant = s.tenant`: the target's columns in it are what a conflict is told by. */
function targetColumns(on: Expression, draft: Draft): string[] {
  if (on.type !== 'binary') return [];
  if (on.operator === 'and') return [...targetColumns(on.left, draft), ...targetColumns(on.right, draft)];
  if (on.operator !== '=') return [];
  const own = [on.left, on.right].find((side) => side.type === 'column' && isTarget(side.qualifier, draft));
  return own?.type === 'column' ? [own.name] : [];
}

function isTarget(qualifier: string | undefined, draft: Draft): boolean {
  const name = qualifier?.toLowerCase();
  return name !== undefined && (name === draft.alias?.toLowerCase() || name === draft.table);
}
