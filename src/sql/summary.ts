import type { SqlColumn, SqlOperand, SqlStatement } from './types.js';

/** One statement in one line: what tests compare. */
export function summary(statement: SqlStatement): string {
  const { verb, table, writeKind, deltaColumns, columns, conflictSet, where, conflictColumns, gate, parts } = statement;
  const facts: (string | false | undefined)[] = [
    table === undefined ? verb : `${verb} ${table}`,
    writeKind !== undefined && writeKind !== verb && writeKind,
    deltaColumns.length > 0 && `delta of ${deltaColumns.join(', ')}`,
    columns.length > 0 && assignments(columns),
    conflictColumns && `on conflict (${conflictColumns.join(', ')})`,
    conflictSet && `set ${assignments(conflictSet)}`,
    where.length > 0 && `where ${where.map(({ column, operator, value }) => `${column} ${operator} ${operand(value)}`).join(' and ')}`,
    gate && `${gate.kind} gate ${gate.column} ${gate.operator}`,
    statement.locking && 'locking',
    statement.returning && 'returning',
    statement.open && 'open',
    parts.length > 0 && `parts [${parts.map(summary).join('] [')}]`,
  ];
  return facts.filter((fact) => typeof fact === 'string').join(' | ');
}

function assignments(columns: readonly SqlColumn[]): string {
  return columns.map(({ name, value }) => `${name}=${operand(value)}`).join(', ');
}

function operand(value: SqlOperand): string {
  switch (value.kind) {
    case 'placeholder':
      if (value.hole) return `\${${value.index ?? ''}}`;
      return value.name === undefined ? `?${value.index ?? ''}` : `:${value.name}`;
    case 'column':
      return value.table === undefined ? value.name : `${value.table}.${value.name}`;
    case 'literal':
      return JSON.stringify(value.value);
    case 'minted':
      return 'minted';
    case 'excluded':
      return `excluded.${value.name}`;
    case 'expression':
      return `{${value.operands.map(operand).join(', ')}}`;
  }
}
