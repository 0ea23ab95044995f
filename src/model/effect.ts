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
  /** The constant that it is here, as code writes it. */
  constant?: string;
  /** One of several constants, as a condition chooses. */
  chosen?: boolean;
  /** The call in whose result it is a field. */
  from?: string;
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

/** The place of an idempotency key in a call. */
export interface KeyOption {
  /** Name of the option, header or field: `idempotencyKey`, `jobId`. */
  name: string;
  /** The argument and the properties that lead to it, where the key can be written there: `['1', 'idempotencyKey']`. */
  path: string[];
  /** The called system acts on the key. Otherwise it hands it on, or may ignore it. */
  honoured: boolean;
}

/** Ids in a content: of the event or its subject, of somebody who has many events, none; or it cannot be seen. */
export type Carried = 'event' | 'context' | 'nothing' | 'unknown';

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
  /** Columns that an update, or the update of an upsert, sets, with what they are set to; where the code writes them out. */
  sets?: Key[];
  /** Where a delta happens: `balance`. */
  deltaColumns?: string[];
  /** For conditional writes: what the condition is about. */
  gate?: 'order' | 'state' | 'version';
  /** External effects: the idempotency key that the call carries. */
  idempotencyKey?: Key;
  /** Where the call takes a key, and who recognises a repeat by it. */
  keyOption?: KeyOption;
  /** What the receiver gets of the message's identity, where it gets content that it can tell a repeat by; of a marker, what its key holds of it. */
  carries?: Carried;
  /** HTTP: the verb, and as much of the URL as can be seen. */
  request?: { verb: string; url: string };
  /** Doing it twice is the same as doing it once (PUT under a stable name, cache refresh). */
  idempotent?: boolean;
  /** Done by another system, which no transaction of a database covers; true of every external effect and of reads through an API. */
  remote?: boolean;
  /** External effects: what is made gets a name that is new on each run. */
  freshName?: boolean;
  /** Reads with a row lock. */
  locking?: boolean;
  /** How it fails: by throwing (or rejecting), as a field of the result, through a callback's first argument. */
  failure: 'throws' | 'value' | 'never';
  /** A marker that may serve deduplication: a redis SET NX, an in-memory set. */
  marker?: boolean;
  /** How long what is written stays, and where the code says so: a time to live, a column that names the end. */
  expiry?: { ms: number; place: Place };
  /** A count whose key expires by itself: what happened lately. */
  passing?: boolean;
  /** A marker that stays until something removes it, though the call could give it an end. */
  endless?: boolean;
  /** Stores shared with the process only: a Map, a Set, a node cache. */
  inMemory?: boolean;
}
