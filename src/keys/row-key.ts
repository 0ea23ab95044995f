import type { Key, RowKey } from '../model/effect.js';
import { plainColumn, type TableKeys } from './table.js';

export type Column = Pick<Key, 'name' | 'stability' | 'because'> & { text?: string };

/** A row as an insert writes it. */
export interface Row {
  columns: readonly Column[];
  /** It has columns that cannot be seen: a spread, an object from elsewhere. */
  open: boolean;
}

/** New on each run, or at each delivery. */
export function isFresh({ stability }: Column): boolean {
  return stability === 'minted' || stability === 'delivery';
}

/** Where the values of these columns come from, taken together. */
export function originOf(columns: readonly Column[]): RowKey['from'] {
  if (columns.some(isFresh)) return 'nothing';
  const isOf = (s: Key['stability']): boolean => columns.some((c) => c.stability === s);
  return isOf('unknown') ? 'unknown' : 'message';
}

/** A key by which two rows of the same message are one, as the schema's tables have it. */
export function rowKey(row: Row, tables: readonly TableKeys[]): RowKey {
  const canonical = canonicalOf(tables);
  const given = new Map<string, Column[]>();
  for (const column of row.columns) {
    // `order: { connect: { id } }` gives the column of the relation.
    for (const n of new Set([column.name, column.name.split('.')[0] ?? column.name])) {
      const c = canonical(n);
      given.set(c, [...(given.get(c) ?? []), column]);
    }
  }
  const made = new Set(tables.flatMap((t) => t.made).map(canonical));
  let undecided = false;
  let unknown = false;
  const fresh: string[] = [];
  for (const key of tables.flatMap((t) => t.uniqueKeys)) {
    const columns = key.map((c) => canonical(c));
    const anew = key.filter((_, i) => given.get(columns[i] ?? '')?.some(isFresh) || (!row.open && made.has(columns[i] ?? '') && !given.has(columns[i] ?? '')));
    fresh.push(...anew);
    if (anew.length > 0) continue;
    const absent = columns.filter((c) => !given.has(c));
    if (absent.length === 0) {
      if (originOf(columns.flatMap((c) => given.get(c) ?? [])) === 'message') return { from: 'message', made: [] };
      unknown = true;
    }
    // Left out it is NULL, which equals nothing, or a default that is the same each time.
    if (absent.length > 0 && (row.open || absent.length < columns.length)) undecided = true;
  }
  if (unknown) return { from: 'unknown', made: [] };
  const whole = tables.some((t) => t.whole);
  return { from: whole && !undecided ? 'nothing' : 'unseen', made: [...new Set(fresh)] };
}

/** One spelling for a property, its column and the relation over it. */
function canonicalOf(tables: readonly TableKeys[]): (name: string) => string {
  const aliases = new Map(tables.flatMap((t) => t.aliases).map(([a, b]) => [plainColumn(a), plainColumn(b)]));
  return (name) => {
    let plain = plainColumn(name);
    for (let i = 0; i < 3; i++) plain = aliases.get(plain) ?? plain;
    return plain;
  };
}
