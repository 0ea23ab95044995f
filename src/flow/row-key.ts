import { isFresh, originOf, rowKey, type Column, type Row } from '../keys/row-key.js';
import { schemasOf } from '../keys/schemas.js';
import { plainColumn, plainName, tableKeys } from '../keys/table.js';
import type { Effect, RowKey } from '../model/effect.js';
import type { Evaluator } from '../origin/evaluate.js';

/** What keeps the row that this write adds apart from that of a repeat; undefined where it meets the row that is there. */
export function keyOfRow(e: Evaluator, effect: Effect, row: Row, identity?: string): RowKey | undefined {
  const { writeKind, table } = effect;
  if (writeKind !== 'insert' && writeKind !== 'upsert' && writeKind !== 'insert-or-ignore') return undefined;
  const declared = table === undefined ? [] : schemasOf(e).declared(table);
  if (DYNAMODB.test(effect.library) && declared.length === 0) return row.open ? undefined : keyOfFilter(effect, row.columns.filter(isKeyLike));
  // A conflict clause is believed, unless each key that it could be about is new each time.
  if (writeKind !== 'insert') return met(rowKey({ ...row, columns: row.columns.map(withoutClock) }, declared));
  const own = identity === undefined ? [] : [tableKeys([], identity === '' ? {} : { uniqueKeys: [[identity]], made: [identity] })];
  const tables = [...declared, ...own];
  const key = rowKey(row, tables);
  const conventional = tables.some((t) => t.whole) ? [] : row.columns.filter((c) => isIdentity(c) && !isFresh(c));
  if (key.from === 'unseen' && conventional.length > 0) return { from: originOf(conventional), made: [] };
  // Where a schema is in sight it would have to be changed first.
  const candidate = declared.length > 0 ? undefined : row.columns.find((c) => c.stability === 'producer-stable' && namesMessage(c.name, table));
  return { ...key, ...(candidate && { candidate: candidate.name }) };
}

/** `event_id`, or `orderId` in `orders`: not the id of something else that the row belongs to. */
function namesMessage(column: string, table: string | undefined): boolean {
  const thing = plainName(table ?? '').replace(/ies$/, 'y').replace(/s$/, '');
  return /^(event|message|msg|delivery|webhook|notification)(id|key)$/.test(plainColumn(column)) || (thing !== '' && plainColumn(column) === `${thing}id`);
}

/** The same for a write that says itself which row it means: a filter, the id of a document. */
export function keyOfFilter({ writeKind }: Effect, filter: readonly Column[]): RowKey | undefined {
  if (writeKind === 'insert') return { from: originOf(filter), made: filter.filter(isFresh).map(nameOf) };
  if (writeKind !== 'upsert' || filter.length === 0 || !filter.every((c) => isFresh(withoutClock(c)))) return undefined;
  return met({ from: 'nothing', made: filter.map(nameOf) });
}

/** An id that is the whole filter has no column. */
function nameOf({ name }: Column): string {
  return name === '' ? 'id' : name;
}

function met(key: RowKey): RowKey | undefined {
  return key.from === 'nothing' && key.made.length > 0 ? key : undefined;
}

/** A day or an hour by the clock is a bucket that a repeat falls into as well; the moment itself is not. */
function withoutClock(c: Column): Column {
  return c.stability === 'minted' && /date|now|time|clock/i.test(c.because ?? '') && !MOMENT.test(c.text ?? '') ? { ...c, stability: 'unknown' } : c;
}

const MOMENT = /^(Date\.now\(\)|new Date\(\)(\.(toISOString|getTime|valueOf|toJSON)\(\))?)$/;

const DYNAMODB = /dynamodb/;

/** An attribute that the key of a table of DynamoDB may be made of, by its name. */
function isKeyLike({ name }: Column): boolean {
  return /^(pk|sk|id|uuid|key|hash|range)$|(Id|ID|_id|Key|_key|Pk|Sk)$/.test(name.split('.')[0] ?? name);
}

/** By convention `id` is the primary key. */
function isIdentity({ name }: Column): boolean {
  return /^(id|uuid|guid|key|pk)$/.test(plainColumn(name));
}
