import { Cursor } from './cursor.js';
import { emptyDraft } from './draft.js';
import type { Expression } from './expression.js';
import { readExpression } from './read-expression.js';
import { isName, readName, readTable } from './read-name.js';
import { readKeyColumns } from './read-write.js';
import { tokenize } from './tokens.js';
import type { SqlTableKeys } from './types.js';
import { isMintedCall } from './words.js';

interface Key {
  name: string;
  columns: string[];
}

interface Table {
  name: string;
  keys: Key[];
  generated: Set<string>;
  created: boolean;
}

/** A dump with its data; about a second's work. */
const MAX_LENGTH = 2_000_000;

/**
 * The unique keys of each table, as CREATE TABLE, ALTER TABLE and CREATE UNIQUE INDEX leave them behind.
 * Give the migrations of a project in their order as one text, and what a later one drops or renames is followed.
 * A partial index counts as a key, one over `lower(email)` as a key of email. Never throws.
 */
export function readTableKeys(sqlText: string): SqlTableKeys[] {
  const { tokens } = tokenize(sqlText.slice(0, MAX_LENGTH));
  const cursor = new Cursor(tokens, () => emptyDraft('select'));
  const tables = new Map<string, Table>();
  while (!cursor.done) {
    try {
      readDefinition(cursor, tables);
    } catch {
      // Too deep: the next statement is read all the same.
    }
    while (!cursor.done && !cursor.takeAny(';', 'GO') && !atDefinition(cursor)) cursor.next();
  }
  return [...tables]
    .filter(([, { keys, generated, created }]) => created || keys.length > 0 || generated.size > 0)
    .map(([table, { keys, generated, created }]) => ({
      table,
      uniqueKeys: keys.map((key) => key.columns),
      generated: [...generated],
      created,
    }));
}

/** T-SQL needs no `;` between statements. */
function atDefinition(cursor: Cursor): boolean {
  return cursor.atAny('CREATE', 'ALTER', 'DROP') && ['TABLE', 'UNIQUE'].includes(cursor.peek(1)?.upper ?? '');
}

function tableOf(tables: Map<string, Table>, name: string): Table {
  const table = tables.get(name) ?? { name, keys: [], generated: new Set(), created: false };
  tables.set(name, table);
  return table;
}

function readDefinition(cursor: Cursor, tables: Map<string, Table>): void {
  if (cursor.take('CREATE')) {
    cursor.take('OR', 'REPLACE');
    while (cursor.takeAny('GLOBAL', 'LOCAL', 'TEMP', 'TEMPORARY', 'UNLOGGED', 'FOREIGN'));
    if (cursor.take('TABLE')) readCreateTable(cursor, tables);
    else if (cursor.take('UNIQUE')) readUniqueIndex(cursor, tables);
  } else if (cursor.take('ALTER', 'TABLE')) {
    readAlterTable(cursor, tables);
  } else if (cursor.take('DROP')) {
    readDrop(cursor, tables);
  } else if (cursor.take('RENAME', 'TABLE')) {
    const from = readTable(cursor);
    if (cursor.take('TO')) rename(tables, from, readTable(cursor));
  } else if (cursor.takeAny('EXEC', 'EXECUTE') && cursor.take('SP_RENAME')) {
    const from = cursor.next()?.text.toLowerCase().split('.').at(-1);
    if (cursor.take(',')) rename(tables, from, cursor.next()?.text.toLowerCase());
  }
}

function skipExistence(cursor: Cursor): void {
  if (cursor.take('IF')) while (cursor.takeAny('NOT', 'EXISTS'));
}

function readCreateTable(cursor: Cursor, tables: Map<string, Table>): void {
  skipExistence(cursor);
  const name = readTable(cursor);
  if (name === undefined || !cursor.take('(')) return;
  const table = tableOf(tables, name);
  table.created = true;
  while (!cursor.done && !cursor.at(';')) {
    readElement(cursor, table);
    toListEnd(cursor);
    if (cursor.take(')')) return;
    if (!cursor.take(',')) cursor.next();
  }
}

/** To the comma or the parenthesis that ends this element of the list. */
function toListEnd(cursor: Cursor): void {
  while (!cursor.done && !cursor.atAny(',', ')', ';')) {
    if (cursor.at('(')) cursor.skipParentheses();
    else cursor.next();
  }
}

/** A column or a constraint of a table. */
function readElement(cursor: Cursor, table: Table): void {
  const constraint = cursor.at('CONSTRAINT') && isName(cursor.peek(1)) ? cursor.peek(1)?.text : undefined;
  if (constraint !== undefined) cursor.position += 2;
  if (readKeyConstraint(cursor, table, constraint)) return;
  if (
    constraint !== undefined ||
    cursor.atAny('KEY', 'INDEX', 'FULLTEXT', 'SPATIAL', 'FOREIGN', 'CHECK', 'EXCLUDE', 'LIKE', 'PERIOD')
  ) {
    if (!isTyped(cursor)) return;
  }
  readColumn(cursor, table);
}

/** `key text` is a column, `KEY idx (a)` an index. */
function isTyped(cursor: Cursor): boolean {
  return (
    isName(cursor.peek(1)) && cursor.peek(2)?.upper !== '(' && !['KEY', 'USING'].includes(cursor.peek(1)?.upper ?? '')
  );
}

/** `PRIMARY KEY CLUSTERED (a, b)`, `UNIQUE KEY name (a)`, `UNIQUE NULLS NOT DISTINCT (a)` */
function readKeyConstraint(cursor: Cursor, table: Table, constraint: string | undefined): boolean {
  const start = cursor.position;
  let name = constraint;
  const isPrimary = cursor.take('PRIMARY', 'KEY');
  if (!isPrimary) {
    if (!cursor.take('UNIQUE')) return false;
    cursor.takeAny('KEY', 'INDEX');
    if (cursor.take('NULLS')) {
      cursor.take('NOT');
      cursor.take('DISTINCT');
    }
  }
  while (cursor.takeAny('CLUSTERED', 'NONCLUSTERED'));
  if (isName(cursor.peek()) && !cursor.at('USING')) name ??= cursor.next()?.text;
  if (cursor.take('USING')) cursor.next();
  if (!cursor.at('(')) {
    cursor.position = start;
    return false;
  }
  const columns = readKeyColumns(cursor);
  addKey(table, columns, name ?? defaultName(table, columns, isPrimary));
  return true;
}

/** As PostgreSQL names a constraint that was given none. */
function defaultName(table: Table, columns: readonly string[], isPrimary: boolean): string {
  return isPrimary ? `${table.name}_pkey` : `${table.name}_${columns.join('_')}_key`;
}

function addKey(table: Table, columns: string[], name: string): void {
  if (columns.length === 0) return;
  const same = table.keys.find((key) => key.columns.join('\n') === columns.join('\n'));
  if (same === undefined) table.keys.push({ columns, name: name.toLowerCase() });
}

const SERIAL = /^(?:small|big)?serial[248]?$/;

function readColumn(cursor: Cursor, table: Table): void {
  const token = cursor.peek();
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return;
  const column = readName(cursor).name;
  if (SERIAL.test(cursor.peek()?.text.toLowerCase() ?? '')) table.generated.add(column);
  readColumnConstraints(cursor, table, column);
}

function readColumnConstraints(cursor: Cursor, table: Table, column: string): void {
  while (!cursor.done && !cursor.atAny(',', ')', ';')) {
    if (cursor.take('PRIMARY')) {
      cursor.take('KEY');
      addKey(table, [column], defaultName(table, [column], true));
    } else if (cursor.take('UNIQUE')) {
      addKey(table, [column], defaultName(table, [column], false));
    } else if (cursor.take('DEFAULT')) {
      if (isMinted(readExpression(cursor, 8))) table.generated.add(column);
    } else if (cursor.takeAny('AUTO_INCREMENT', 'AUTOINCREMENT', 'IDENTITY', 'ROWGUIDCOL')) {
      table.generated.add(column);
    } else if (cursor.at('REFERENCES') || cursor.at('CHECK')) {
      cursor.next();
      if (!cursor.at('(')) readTable(cursor);
      if (cursor.at('(')) cursor.skipParentheses();
    } else if (cursor.at('(')) {
      cursor.skipParentheses();
    } else {
      cursor.next();
    }
  }
}

/** Does the default make an identity, rather than tell the time? */
function isMinted(value: Expression): boolean {
  if (value.type === 'cast') return isMinted(value.arg);
  if (value.type !== 'call') return false;
  const isClock = /now|time|date|clock/.test(value.name);
  return (!isClock && isMintedCall(value.name, [])) || value.args.some(isMinted);
}

/** `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY t USING btree (a, lower(b)) WHERE …` */
function readUniqueIndex(cursor: Cursor, tables: Map<string, Table>): void {
  while (cursor.takeAny('CLUSTERED', 'NONCLUSTERED'));
  if (!cursor.take('INDEX')) return;
  cursor.take('CONCURRENTLY');
  skipExistence(cursor);
  const name = cursor.at('ON') ? undefined : readTable(cursor);
  if (!cursor.take('ON')) return;
  cursor.take('ONLY');
  const table = readTable(cursor);
  if (cursor.take('USING')) cursor.next();
  if (table !== undefined && cursor.at('(')) addKey(tableOf(tables, table), readKeyColumns(cursor), name ?? '');
}

function readAlterTable(cursor: Cursor, tables: Map<string, Table>): void {
  skipExistence(cursor);
  cursor.take('ONLY');
  let name = readTable(cursor);
  if (name === undefined) return;
  while (!cursor.done && !cursor.at(';')) {
    if (cursor.take('RENAME', 'TO')) {
      const to = readTable(cursor);
      rename(tables, name, to);
      name = to ?? name;
    } else {
      readAlteration(cursor, tableOf(tables, name));
    }
    toListEnd(cursor);
    if (!cursor.take(',')) {
      if (!cursor.take(')')) return;
    }
  }
}

function readAlteration(cursor: Cursor, table: Table): void {
  // `WITH CHECK ADD CONSTRAINT …` of SQL Server
  if (cursor.take('WITH')) cursor.next();
  if (cursor.take('ADD')) {
    cursor.take('COLUMN');
    skipExistence(cursor);
    cursor.take('(');
    readElement(cursor, table);
  } else if (cursor.take('DROP')) {
    readDropWithin(cursor, table);
  } else if (cursor.take('RENAME')) {
    cursor.take('COLUMN');
    const from = readName(cursor).name;
    if (cursor.take('TO')) renameColumn(table, from, readName(cursor).name);
  } else if (cursor.takeAny('ALTER', 'MODIFY', 'CHANGE')) {
    cursor.take('COLUMN');
    const column = readName(cursor).name;
    if (cursor.take('SET', 'DEFAULT')) {
      if (isMinted(readExpression(cursor, 8))) table.generated.add(column);
    } else if (cursor.take('ADD', 'GENERATED')) {
      table.generated.add(column);
    } else {
      readColumnConstraints(cursor, table, column);
    }
  }
}

function readDropWithin(cursor: Cursor, table: Table): void {
  if (cursor.take('PRIMARY', 'KEY')) {
    removeKey(table, defaultName(table, [], true));
    return;
  }
  const isConstraint = cursor.takeAny('CONSTRAINT', 'INDEX', 'KEY');
  cursor.take('COLUMN');
  skipExistence(cursor);
  const name = readName(cursor).name;
  if (isConstraint) removeKey(table, name);
  else table.keys = table.keys.filter((key) => !key.columns.includes(name));
}

function removeKey(table: Table, name: string): void {
  table.keys = table.keys.filter((key) => key.name !== name.toLowerCase());
}

function renameColumn(table: Table, from: string, to: string): void {
  for (const key of table.keys) key.columns = key.columns.map((column) => (column === from ? to : column));
  if (table.generated.delete(from)) table.generated.add(to);
}

function rename(tables: Map<string, Table>, from: string | undefined, to: string | undefined): void {
  const table = from === undefined ? undefined : tables.get(from);
  if (table === undefined || from === undefined || to === undefined) return;
  tables.delete(from);
  tables.set(to, { ...table, name: to });
}

function readDrop(cursor: Cursor, tables: Map<string, Table>): void {
  if (cursor.take('TABLE')) {
    skipExistence(cursor);
    const name = readTable(cursor);
    if (name !== undefined) tables.delete(name);
  } else if (cursor.take('INDEX')) {
    cursor.take('CONCURRENTLY');
    skipExistence(cursor);
    const name = readTable(cursor);
    if (name !== undefined) for (const table of tables.values()) removeKey(table, name);
  }
}
