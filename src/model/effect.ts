import type { Place } from './place.js';

/**
 * How long a value stays the same.
 * `producer-stable`: minted with the event. `broker-stable`: same at every redelivery. `delivery`: new at each delivery.
 * `minted`: made inside the handler. `constant`: the same for every message.
 */
export type Stability = 'producer-stable' | 'broker-stable' | 'delivery' | 'minted' | 'constant' | 'unknown';

export type WriteKind = 'absolute' | 'delta' | 'insert' | 'upsert' | 'insert-or-ignore' | 'guarded' | 'delete';

/** A value that stands at a place where a key is expected. */
export interface Key {
  /** Column, header or option that takes the value. */
  name: string;
  stability: Stability;
  /** Source text of the value, shortened. */
  text: string;
  place: Place;
  /** Where the least stable ingredient comes from, in words: `randomUUID()`, `fields.deliveryTag`. */
  because?: string;
}

/** Would a repeat of the message meet the row that an insert adds? */
export interface RowKey {
  /**
   * `message`: a unique key of the table holds what the message brings. `unknown`: one holds values of which nobody knows
   * where they come from. `nothing`: each is made anew, or empty. `unseen`: no schema says.
   */
  from: 'message' | 'unknown' | 'nothing' | 'unseen';
  /** Key columns whose value is made anew on each run. */
  made: readonly string[];
  /** A column of the row that could be its key: the id of the message, or of the thing itself. */
  candidate?: string;
}

/** A change (or, for reads, a look at) the world outside the process. */
export interface Effect {
  kind: 'read' | 'write' | 'external';
  /** npm package name of the library that does it. */
  library: string;
  /** The call in the reader's own names: `prisma.order.update`. */
  name: string;
  place: Place;
  writeKind?: WriteKind;
  /** Table, collection or key prefix, where it can be seen. */
  table?: string;
  /** Identity of the connection or transaction handle that it runs on; equal strings are the same handle. */
  handle?: string;
  /** Columns and values that identify the row: unique columns of an insert, comparisons of a WHERE. */
  keys: Key[];
  /** What keeps the new row apart from that of a repeat; for writes that may add a row. */
  rowKey?: RowKey;
  /** Where a delta happens: `balance`. */
  deltaColumns?: string[];
  /** For conditional writes: what the condition is about. */
  gate?: 'order' | 'state' | 'version';
  /** External effects: can the call carry an idempotency key, and which one does it carry? */
  idempotencyKey?: Key;
  takesKey?: boolean;
  /** Doing it twice is the same as doing it once (PUT under a stable name, cache refresh). */
  idempotent?: boolean;
  /** Done by another system, which no transaction of a database covers; true of every external effect and of reads through an API. */
  remote?: boolean;
  /** Reads with a row lock. */
  locking?: boolean;
  /** How it fails: by throwing (or rejecting), as a field of the result, through a callback's first argument. */
  failure: 'throws' | 'value' | 'never';
  /** A marker that may serve deduplication: a redis SET NX, an in-memory set. */
  marker?: boolean;
  /** Stores shared with the process only: a Map, a Set, a node cache. */
  inMemory?: boolean;
}
