import type { Draft, Source } from './draft.js';
import { mapParts, type Expression } from './expression.js';

/** The columns a query yields with the values they come from, in order. */
export function columnsOf(query: Draft, names?: readonly string[]): Map<string, Expression> {
  const columns = new Map<string, Expression>();
  const values = query.items.flatMap((item): { name?: string; value: Expression }[] =>
    item.value.type === 'star'
      ? query.sources.flatMap((source) => [...source.columns].map(([name, value]) => ({ name, value })))
      : [{ name: item.alias ?? (item.value.type === 'column' ? item.value.name : undefined), value: item.value }],
  );
  values.forEach(({ name, value }, index) => {
    columns.set((names?.[index] ?? name ?? `column${index + 1}`).toLowerCase(), value);
  });
  return columns;
}

/** The expression with the columns of derived tables replaced by what those are made of. */
export function resolve(expression: Expression, sources: readonly Source[]): Expression {
  if (sources.length === 0) return expression;
  if (expression.type !== 'column') return mapParts(expression, (part) => resolve(part, sources));
  const { name, qualifier } = expression;
  for (const source of sources) {
    if (qualifier !== undefined && !isNamed(source, qualifier)) continue;
    const value = source.columns.get(name.toLowerCase());
    if (value !== undefined) return value;
  }
  return expression;
}

export function isNamed(source: Source, qualifier: string): boolean {
  const name = qualifier.toLowerCase();
  return source.alias === undefined ? source.table === name : source.alias.toLowerCase() === name;
}

/** Outside its query a column needs the name of its table: an alias, or no name at all, means nothing there. */
export function qualify(expression: Expression, sources: readonly Source[]): Expression {
  if (expression.type !== 'column') return mapParts(expression, (part) => qualify(part, sources));
  const { qualifier } = expression;
  const source = qualifier === undefined ? only(sources) : sources.find((candidate) => isNamed(candidate, qualifier));
  return source?.table === undefined ? expression : { ...expression, qualifier: source.table };
}

function only(sources: readonly Source[]): Source | undefined {
  return sources.length === 1 ? sources[0] : undefined;
}
