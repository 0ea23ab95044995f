/** What is left of a delivery: rows, calls and whether the message is done. Two of them compared, in words. */
import type { Row, TableFacts, Tables } from './database.js';
import type { Call, Settlement } from './protocol.js';

export interface World {
  tables: Tables;
  calls: Call[];
  /** Of each queued copy of a message, its end; `undefined` if it was not done when the harness gave up. */
  settlements: (Settlement | undefined)[];
}

export type DifferenceKind =
  /** An effect is there more often than after one clean delivery. */
  | 'repeated'
  /** The message was acknowledged and an effect of it is missing. */
  | 'lost'
  /** A call was made in a transaction that was rolled back. */
  | 'stray'
  /** An older message wrote over what a newer one had written. */
  | 'overwritten'
  /** The message was never done, however often it was delivered. */
  | 'stuck'
  /** Something else is not as after a clean delivery. */
  | 'changed';

export interface Change {
  kind: DifferenceKind;
  /** In words, without the occasion: `accounts id=1: balance 120 instead of 110`. */
  what: string;
  /** Name of the table, where it is about one. */
  table?: string;
  /** Name of the call, where it is about one. */
  call?: string;
  expected?: unknown;
  actual?: unknown;
}

/** What the comparison must know beside the two worlds. */
export interface Baseline {
  first: Tables;
  facts: Map<string, TableFacts>;
  /** `table.column`: differs between two clean runs, so that nothing can be said of it. */
  volatile: Set<string>;
  /** Call name, then path in its body. */
  volatileCalls: Set<string>;
  /** Tables and `table.column` that the user does not want to be compared. */
  ignore: ReadonlySet<string>;
}

/** The columns and parts of bodies in which two clean runs differ. */
export function findVolatile(a: World, b: World): { volatile: Set<string>; volatileCalls: Set<string> } {
  const volatile = new Set<string>();
  for (const [table, rows] of a.tables) {
    const others = b.tables.get(table) ?? [];
    const columns = new Set([...rows, ...others].flatMap((row) => Object.keys(row)));
    for (const column of columns) {
      const values = (of: Row[]): string => JSON.stringify(of.map((row) => stable(row[column])).sort());
      if (values(rows) !== values(others)) volatile.add(`${table}.${column}`);
    }
  }
  const volatileCalls = new Set<string>();
  a.calls.forEach((call, i) => {
    const other = b.calls[i];
    if (other?.name === call.name) unequalPaths(call.body, other.body, call.name, volatileCalls);
  });
  return { volatile, volatileCalls };
}

function unequalPaths(a: unknown, b: unknown, path: string, found: Set<string>): void {
  if (stable(a) === stable(b)) return;
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      unequalPaths((a as Row)[key], (b as Row)[key], `${path} ${key}`, found);
    }
  } else found.add(path);
}

/** The differences between what should be and what is. */
export function compare(expected: World, actual: World, baseline: Baseline): Change[] {
  const done = actual.settlements.every((settlement) => settlement === 'acknowledged');
  const changes = [...compareTables(expected.tables, actual.tables, baseline), ...compareCalls(expected.calls, actual.calls, baseline)];
  // What is missing is lost only if nobody will deliver the message again.
  return changes.map((change) => (change.kind === 'lost' && !done ? { ...change, kind: 'changed' } : change));
}

/** What is there at all, as compared with the first rows. */
export function untouched(world: World, baseline: Baseline): boolean {
  return compareTables(baseline.first, world.tables, baseline).length === 0;
}

function compareTables(expected: Tables, actual: Tables, baseline: Baseline): Change[] {
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names]
    .filter((table) => !baseline.ignore.has(table))
    .flatMap((table) => compareRows(table, expected.get(table) ?? [], actual.get(table) ?? [], baseline));
}

function compareRows(table: string, expected: Row[], actual: Row[], baseline: Baseline): Change[] {
  const facts = baseline.facts.get(table) ?? { primaryKey: [], numbered: [] };
  const first = baseline.first.get(table) ?? [];
  const masked = mask(table, facts, first, baseline);
  const missing = expected.map(masked);
  const surplus: Row[] = [];
  for (const row of actual.map(masked)) {
    const at = missing.findIndex((other) => stable(other) === stable(row));
    if (at >= 0) missing.splice(at, 1);
    else surplus.push(row);
  }
  const changes: Change[] = [];
  const key = (row: Row): string | undefined =>
    facts.primaryKey.length > 0 && facts.primaryKey.every((column) => column in row && row[column] !== minted)
      ? facts.primaryKey.map((column) => `${column}=${plain(row[column])}`).join(' ')
      : undefined;
  for (const row of [...surplus]) {
    const id = key(row);
    if (id === undefined) continue;
    const was = missing.find((other) => key(other) === id);
    if (!was) continue;
    surplus.splice(surplus.indexOf(row), 1);
    missing.splice(missing.indexOf(was), 1);
    const before = first.map(masked).find((other) => key(other) === id);
    changes.push(changed(table, id, was, row, before));
  }
  const all = actual.map(masked);
  const count = (row: Row, rows: Row[]): number => rows.filter((other) => stable(other) === stable(row)).length;
  const before = new Set(first.map((row) => stable(masked(row))));
  for (const row of distinct(surplus)) {
    if (before.has(stable(row)) && count(row, expected.map(masked)) === 0) {
      changes.push({ kind: 'lost', what: `${table}: the row ${plain(row)} is still there`, table, actual: row });
      continue;
    }
    const wanted = count(row, expected.map(masked));
    const what =
      wanted > 0
        ? `${table}: ${count(row, all)} rows ${plain(row)} instead of ${wanted}`
        : `${table}: ${count(row, surplus) > 1 ? `${count(row, surplus)} rows` : 'a row'} too many: ${plain(row)}`;
    changes.push({ kind: 'repeated', what, table, actual: row });
  }
  for (const row of distinct(missing)) changes.push({ kind: 'lost', what: `${table}: the row ${plain(row)} is missing`, table, expected: row });
  return changes;
}

function changed(table: string, id: string, was: Row, is: Row, before: Row | undefined): Change {
  const columns = Object.keys({ ...was, ...is }).filter((column) => stable(was[column]) !== stable(is[column]));
  const words = columns.map((column) => `${column} ${plain(is[column])} instead of ${plain(was[column])}`);
  const undone = before !== undefined && columns.every((column) => stable(is[column]) === stable(before[column]));
  const further = columns.every((column) => isFurther(before?.[column], was[column], is[column]));
  return {
    kind: undone ? 'lost' : further ? 'repeated' : 'changed',
    what: `${table} ${id}: ${words.join(', ')}`,
    table,
    expected: was,
    actual: is,
  };
}

/** A number that went on in the direction in which one delivery moves it. */
function isFurther(before: unknown, was: unknown, is: unknown): boolean {
  const [from, to, now] = [before ?? 0, was, is].map(Number) as [number, number, number];
  return Number.isFinite(now) && Number.isFinite(to) && (to > from ? now > to : to < from && now < to);
}

/** Stands for a number from a sequence: a rolled back delivery uses one up. */
const minted = '(new)';

function mask(table: string, facts: TableFacts, first: Row[], baseline: Baseline): (row: Row) => Row {
  const known = new Map(facts.numbered.map((column) => [column, new Set(first.map((row) => stable(row[column])))]));
  return (row) => {
    const result: Row = {};
    for (const [column, value] of Object.entries(row)) {
      const name = `${table}.${column}`;
      if (baseline.ignore.has(name)) continue;
      const numbers = known.get(column);
      if (numbers && value !== null && !numbers.has(stable(value))) result[column] = minted;
      else if (!baseline.volatile.has(name)) result[column] = value;
    }
    return result;
  };
}

function compareCalls(expected: Call[], actual: Call[], baseline: Baseline): Change[] {
  const wanted = tally(expected, baseline);
  const got = tally(actual, baseline);
  const changes: Change[] = [];
  for (const id of new Set([...wanted.keys(), ...got.keys()])) {
    const call = (wanted.get(id) ?? got.get(id))?.call;
    const [should, is] = [wanted.get(id)?.count ?? 0, got.get(id)?.count ?? 0];
    if (!call || should === is) continue;
    const times = should === 0 ? `${is > 1 ? `${is} times ` : ''}though a clean delivery makes no such call` : `${is} times instead of ${should === 1 ? 'once' : `${should} times`}`;
    const what = is === 0 ? `${call.name} ${plain(call.body)} is missing` : `${call.name} ${plain(call.body)} ${times}`;
    changes.push({ kind: is > should ? 'repeated' : 'lost', what, call: call.name, expected: should, actual: is });
  }
  return changes;
}

/** How often the other side has seen each call: one that it recognises counts once. */
function tally(calls: Call[], baseline: Baseline): Map<string, { call: Call; count: number }> {
  const counts = new Map<string, { call: Call; count: number }>();
  const keys = new Set<string>();
  for (const call of calls) {
    if (baseline.ignore.has(call.name)) continue;
    const body = withoutVolatile(call.body, call.name, baseline.volatileCalls);
    const id = stable([call.name, body]);
    const key = call.key !== undefined ? stable([call.name, call.key]) : call.repeatable ? id : undefined;
    if (key !== undefined && keys.has(key)) continue;
    if (key !== undefined) keys.add(key);
    const entry = counts.get(id) ?? { call: { ...call, body }, count: 0 };
    entry.count += 1;
    counts.set(id, entry);
  }
  return counts;
}

function withoutVolatile(value: unknown, path: string, volatile: ReadonlySet<string>): unknown {
  if (volatile.has(path)) return '(varies)';
  if (Array.isArray(value)) return value.map((item, i) => withoutVolatile(item, `${path} ${i}`, volatile));
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutVolatile(item, `${path} ${key}`, volatile)]));
}

function distinct(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [stable(row), row])).values()];
}

/** JSON with sorted keys. */
export function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      item && typeof item === 'object' && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : item,
    ) ?? 'undefined'
  );
}

/** A value or a row, short enough for a line. */
function plain(value: unknown): string {
  if (value === null || value === undefined || value === minted) return String(value);
  if (typeof value !== 'object') return typeof value === 'string' ? (/^[\w.:@/+-]{1,60}$/.test(value) ? value : JSON.stringify(clipped(value))) : String(value);
  if (Array.isArray(value)) return clipped(JSON.stringify(value));
  return clipped(`{${Object.entries(value).map(([key, item]) => `${key}: ${plain(item)}`).join(', ')}}`);
}

function clipped(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
