import type { Acknowledgement } from '../model/handler.js';
import type { Stability, WriteKind } from '../model/effect.js';

/**
 * The catalog's vocabulary: what the engine knows of a library, as data.
 *
 * A library has exports; each export is a {@link Shape}: what happens when it is called, constructed, read or iterated.
 * Shapes are named in `types` and referred to by name, so that a value is recognised from its construction
 * (`new Kafka().consumer()`) and from an annotation (`private consumer: Consumer`) alike.
 */
export interface Library {
  /** The name shown in reports, an npm package name. */
  name: string;
  /** Import specifiers, exact (`pg`) or with a trailing `*` (`@aws-sdk/client-*`). */
  packages: string[];
  /** The library writes its code into the project: import paths that lead to it, and what its files hold where they are there. */
  generated?: { paths: RegExp; text: RegExp };
  /** Named exports; `default` is the default export and what `require()` returns is the namespace of all of them. */
  exports: Record<string, ShapeRef>;
  /** Exports that `exports` does not name and that follow a pattern: the first one that fits. */
  exportsLike?: readonly { named: RegExp; shape: Shape }[];
  types?: Record<string, Shape>;
  /** A type that `types` does not name, where a tool makes the module out of the application's own names. */
  anyType?: Shape;
  /** Methods that no other library has: in a file that imports this one they are its own, whatever they are called on. */
  distinctive?: {
    methods: Record<string, Shape>;
    /** In any file: the arguments tell. */
    anywhere?: boolean;
    /** An object that is named so and has these members is its client, wherever it comes from. */
    object?: { named: RegExp; members: Record<string, Shape> };
  };
  /** Webhooks: by these headers of a request the provider is known. */
  eventHeaders?: EventHeaders;
  /** Global names that need no import (`fetch`). */
  globals?: Record<string, ShapeRef>;
  /** Type names that need no import. */
  globalTypes?: Record<string, ShapeRef>;
  /** What the catalog says counts also where the package's own source is in sight, as in a workspace. */
  sealed?: boolean;
  /** An API of another system: its reads go through the network to something that joins no transaction. */
  remote?: boolean;
  /** How a program bounds the deliveries of one message. */
  bounds?: {
    /** Words that stand in the program's code where it does. */
    words: string[];
    /** Words without which the queues are set up elsewhere, their bounds included. */
    declaredBy?: string[];
  };
  /** From the settings: the names are declared by files of the project (`src/catalog/own.ts`), not by a package. */
  own?: boolean;
  /** From the settings: how stable a property of a message is, by its name or path. */
  ids?: Record<string, Stability>;
}

/** A function that reads one of these headers from a request handles the provider's events; each is sent until the answer is 2xx. */
export interface EventHeaders {
  /** Lower case. */
  names: string[];
  /** Also used by others: only where the file speaks of this too (a pattern, in any case). */
  beside?: string;
  /** Words by which a route names the provider: weak evidence, together with `webhook`. */
  named?: string;
}

/** A name in the same library's `types`, `package#Type` of another library, or the shape itself. */
export type ShapeRef = string | Shape;

/**
 * Where a value is found among a call's arguments: `'0'`, `'1.noAck'`, `'last'`, `'0.*.handler'`.
 * `'this'` is the receiver. Several alternatives are tried in order.
 */
export type ArgPath = string;

export interface Shape {
  /** Called as a function or method. */
  call?: Call;
  /** Called with `new`. */
  construct?: Call;
  /** Properties and methods. */
  members?: Record<string, ShapeRef>;
  /** Any member that `members` does not name (`prisma.<model>`). */
  anyMember?: ShapeRef;
  /** One element, where the value is a list or an iterator (`for await (const m of messages)`). */
  element?: ShapeRef;
  /** The list holds messages: a loop over it is one path per message. */
  batch?: boolean;
  /** Parts of a message: how stable the value is. Everything derived from it inherits this. */
  stability?: Stability;
  /** The value is (a part of) the message that is handled. */
  message?: boolean;
  /** Messages: where producers put an id of their own, behind the message's name (`.properties.messageId`), and how they do it. */
  producerId?: { path: string; set: string };
  /** Used as a decorator on a method or class; of several the first whose condition is met. */
  decorator?: Registration | Registration[];
  /** A class whose subclasses are handlers: the method that the client calls. */
  baseClass?: { method: string; registers: Registration };
  /** A type: a function annotated with it is a handler (`SQSHandler`). */
  handlerType?: Registration;
  /** A type: an exported function whose first parameter has it is a handler (`SQSEvent`). */
  eventType?: Registration;
  /** A type: a function annotated with it handles the event that its first type argument names (`Handler<SQSEvent>`). */
  eventArgument?: boolean;
  /** A command object: what `client.send(command)` does with it. Argument paths are those of the constructor. */
  command?: Call;
  /** A chain of calls that is one statement (`knex('t').where().increment()`). */
  builder?: Builder;
  /** A transaction handle or a connection on which statements join a transaction. */
  connection?: boolean;
  /** The shape of instances of subclasses of the user's own (`class Order extends Model`). */
  extendable?: boolean;
  /** A value that is equal on every run (an enum member, a namespace constant). */
  constant?: string | number | boolean;
}

export interface Call {
  /** What the call gives, promises looked through. `'this'`: the receiver (fluent interfaces). `'0'`: an argument passed through. */
  returns?: ShapeRef;
  /** The call changes or reads the world. */
  effect?: EffectFacts;
  /** The call registers a handler. */
  registers?: Registration | Registration[];
  /** The call acknowledges or refuses a message. */
  settles?: Settles;
  /** The call gives all messages back that are not settled (the channel closes). */
  releases?: boolean;
  /** The call opens a transaction. */
  transaction?: TransactionFacts;
  /** The call records the message, and runs a function in the same transaction if it is new. */
  inbox?: InboxFacts;
  /** `client.send(new Command(…))`: the facts are those of the command in this argument. */
  sends?: ArgPath;
  /** The call runs functions that it is given. */
  runs?: Runs[];
  /** The call is done when it returns: no promise, nothing to await. */
  sync?: boolean;
  /** It only fills a buffer in memory; these methods of the same object write it out. */
  buffered?: string[];
  /** The call lets time pass: what follows it, or what it runs, comes later. */
  delays?: boolean;
  /** The last argument may be a node-style callback `(err, result) => …`; without one a promise is given. */
  nodeCallback?: boolean;
  /** The result is a value made new on each call (`randomUUID()`, `Date.now()`). */
  mints?: string;
  /** The result names a thing by this argument, and is as stable as that; without the argument it is a new one on each call. */
  identifiedBy?: ArgPath;
  /** The result is as stable as the arguments (hash, uuid v5, `JSON.parse`). */
  derives?: boolean;
  /** The result is a condition on rows: that the first argument, a column, is the second; or that all of the arguments hold. */
  condition?: 'equals' | 'all';
}

/** A function passed to a library that the library calls. */
export interface Runs {
  function: ArgPath;
  /** How often, for one call of the library's function. */
  times: 'once' | 'many';
  /** The list whose elements it is given, one call for each. */
  over?: ArgPath;
  /** `awaited`: its promise is part of the call's own. `detached`: it runs later, nobody waits (`setTimeout`). */
  promise: 'awaited' | 'detached';
  /** Methods of the queue that wait until all that it runs is done (`onIdle`). */
  drainedBy?: string[];
  /** `swallow`: a throw inside does not reach the caller. */
  errors?: 'propagate' | 'swallow';
  params?: ShapeRef[];
  /** The callback's own result is the call's result. */
  returns?: boolean;
  /** A keyed step of a durable runtime: at most one external effect each, with its own memory. */
  step?: boolean;
}

export interface Registration {
  /**
   * Where the handler is: an argument path, several alternatives, or
   * `enclosing`: the function around this call is the handler (a receive loop, a webhook that verifies a signature);
   * `decorated`: the method that carries the decorator.
   */
  handler: ArgPath | ArgPath[] | 'enclosing' | 'decorated';
  /** Only if this argument equals one of the values (`subscription.on('message', …)`); of several conditions each must hold. */
  when?: Condition | Condition[];
  /** Shapes of the handler's parameters. */
  params?: ShapeRef[];
  /** Shapes of parameters by their decorator (`@Payload()`), each an export of the same library. */
  paramDecorators?: Record<string, ShapeRef>;
  acknowledgement: Acknowledgement;
  /** An option that acknowledges before the handler runs (`noAck: true`). */
  autoAck?: { option: ArgPath; value: boolean; default: boolean };
  /** The acknowledgement is the answer of an HTTP request: a status from 200 to 299, or the returned `Response`. */
  http?: boolean;
  /** A handler that declares this many parameters gets a callback that acknowledges (bull's `done`). */
  callbackParam?: number;
  /** An async handler answers by its promise all the same, whatever parameters it names. */
  asyncByPromise?: boolean;
  /** Results of the handler that refuse the message. */
  refuses?: Constant[];
  /** Name of the source in words, where one client has several (`SQS`, `SNS`). */
  source?: string;
  /** A thrown error brings the message again. False: the client drops it. */
  redeliversOnThrow?: boolean;
  /** A thrown error puts the message back into the queue at once, unless the option says otherwise. */
  requeuesOnThrow?: { option: ArgPath; default: boolean };
  /** A message that is left unsettled stays with this consumer and takes up its prefetch: until when, in words. */
  heldUntil?: string;
  /** A message that is left unsettled comes back by itself when its lease ends, without a bound. */
  leased?: boolean;
  /** The value that the handler returns can name failed messages (`batchItemFailures`). */
  partialBatch?: boolean;
  /** The client ignores the promise that the handler returns; what is awaited inside still runs in order. */
  ignoresPromise?: boolean;
  /** Known only if the project's bootstrap names a transport that redelivers (NestJS). */
  transport?: 'nestjs';
  /** Weak evidence: a name alone. Kept for `strict` and listings. */
  weak?: boolean;
}

/** An argument that is one of these values. */
export interface Condition {
  arg: ArgPath;
  is: (string | number | boolean)[];
}

export interface Settles {
  /** What it tells the broker. */
  as: 'ack' | 'nack' | 'callback' | 'http' | 'http-status';
  /** The message, or the value that names it (receipt handle, offset). */
  message?: ArgPath;
  /** Settles every message up to this one (`resolveOffset`, `ackAll`), or does so if this argument is true (`allUpTo`). */
  upTo?: boolean | ArgPath;
  /** A refusal that puts the message back into the queue: if this argument is true, or left out and `default` is; at once, unless `delay` is given. */
  requeues?: { arg?: ArgPath; default: boolean; delay?: ArgPath };
  /** What settling the same message a second time does; absent: nothing. */
  again?: 'closes-channel' | 'throws';
  /** Only for these values of an argument (`ChangeMessageVisibility` with 0 is a nack). */
  when?: Condition;
}

export interface InboxFacts {
  message: ArgPath;
  work: ArgPath;
  /** The transaction of the caller's that it joins; absent: it has one of its own, the first parameter of `work`. */
  transaction?: ArgPath;
  /** Shapes of the parameters of `work`. */
  params?: ShapeRef[];
}

export interface TransactionFacts {
  /** A function that runs inside the transaction; it commits when the function's promise resolves. */
  callback?: ArgPath;
  /** Shapes of the callback's parameters. */
  params?: ShapeRef[];
  /** The call begins a transaction that is ended by hand; the handle is the result (`knex.transaction()`), or the receiver. */
  begins?: 'result' | 'receiver';
  /** The call ends the transaction of its receiver. */
  ends?: 'commit' | 'rollback';
  /** The transaction is one of a broker, not of a database. */
  broker?: boolean;
}

export interface EffectFacts {
  kind: 'read' | 'write' | 'external';
  writeKind?: WriteKind;
  /** Read the kind of write from the arguments, in the way of this store. */
  classify?:
    | { by: 'sql'; text: ArgPath; values?: ArgPath; dialect?: 'postgresql' | 'mysql' | 'sqlite' | 'transactsql' }
    | { by: 'sql-template'; dialect?: 'postgresql' | 'mysql' | 'sqlite' | 'transactsql' }
    /** Objects whose operators tell: Prisma's `{ increment }`, MongoDB's `$inc`. Arithmetic on a value that was read counts too. */
    | { by: 'operators'; data: ArgPath; delta: string[]; ignore?: string[]; upsert?: ArgPath; where?: ArgPath; skipDuplicates?: ArgPath }
    | { by: 'dynamodb'; params: ArgPath; operation: 'put' | 'update' | 'delete' | 'transact' | 'batch' }
    /** `redis.set(key, value, 'NX')` or `{ NX: true }`. */
    | { by: 'redis-set' }
    /**
     * HTTP: the verb decides whether it is an effect. A verb is a constant or the path of the option that names it. `or`: the
     * form of the call whose options stand elsewhere.
     */
    | { by: 'http'; method: string; url?: ArgPath; options?: ArgPath; or?: { method: string; options: ArgPath } }
    /** `save(entity)`: a delta if a field of an entity that was read has been changed relative to itself. */
    | { by: 'entity'; entity: ArgPath };
  /** Table or collection: an argument, `member` (the member name before the method) or `receiver` (the value's own name). */
  table?: ArgPath | 'member' | 'receiver';
  /** Values that identify the row: the `where`, the filter, the key. */
  where?: ArgPath;
  /** Values that are written. */
  data?: ArgPath;
  /**
   * An insert into a store without schemas: the column that tells rows apart, which the store fills with a new value where
   * none is given; `''` where the call has no place for one.
   */
  identity?: string;
  /** Option that carries the transaction (`1.transaction`, `1.session`). */
  joins?: ArgPath;
  /** External: where an idempotency key goes. Absent: the call takes none. */
  key?: ArgPath | ArgPath[];
  /** The key is only handed on to the receiver: the called system itself does not act on it (`messageId` in AMQP). */
  keyIsCarried?: boolean;
  /** With this argument, a call without a key is recognised by its content (FIFO queues). */
  keyIsContentWith?: ArgPath;
  /** External: content that a receiver gets and can tell a repeat by, if an id is in it (body, attributes). */
  content?: ArgPath | ArgPath[];
  /** External: where its content stands is not known, so it may hold an id. */
  contentUnseen?: boolean;
  /** External: doing it twice is doing it once, if this argument (an object name, a URL) is stable. */
  idempotentBy?: ArgPath;
  idempotent?: boolean;
  /** Option that makes a read lock its rows. */
  locks?: ArgPath;
  locking?: boolean;
  /** What the result looks like on the first time and on a repeat: paths and values (`rowCount`, `''` for the result itself). */
  result?: { fresh: Record<string, Constant>; duplicate: Record<string, Constant> };
  /** The failure is a field of the result and is truthy on failure (`error`), or a list that is not empty (`Failed`). */
  failureIn?: string;
  /** The other side does it later: its answer says nothing of failures then. */
  unanswered?: Condition;
  /** Some entries of a batch can fail while the call itself succeeds: the field that tells (`Failed`, `FailedPutCount`). */
  partialFailureIn?: string;
  /** A time to live that the call is given, and its unit. */
  expires?: { after: ArgPath; unit: 's' | 'ms' };
  /** Looks like a dedup marker (`SET NX`, `SADD` with result). */
  marker?: boolean;
  /** The store lives in the process. */
  inMemory?: boolean;
  /** Telemetry, cache refresh: never counts for order. */
  negligible?: boolean;
}

export type Constant = string | number | boolean | null;

/** A statement built by a chain of calls; the last call of the chain is the statement. */
export interface Builder {
  /** Where the table comes from: the argument of the call that opened the chain. */
  table?: ArgPath | 'member' | 'receiver';
  methods: Record<string, BuilderMethod>;
  /** Methods without an entry keep the chain. */
  result?: EffectFacts['result'];
  /** The chain runs only if one of these ends it (`execute`); absent: when it is awaited. */
  runsWith?: string[];
}

export interface BuilderMethod {
  /** The chain becomes this kind of statement. */
  kind?: 'read' | WriteKind;
  /** Values written; scanned for relative changes. */
  data?: ArgPath;
  /** Conditions. */
  where?: ArgPath[];
  /** The chain joins this transaction handle. */
  joins?: ArgPath;
  /** The table is named here (`into('t')`, `from('t')`). */
  table?: ArgPath;
  /** An option that leaves rows that are there as they are, where it is true. */
  ignores?: ArgPath;
  locking?: boolean;
  /** The call's result is a different thing from the chain (`then`, `stream`). */
  ends?: boolean;
  returning?: boolean;
}

/** Gives a library entry its type without widening it. */
export function defineLibrary(library: Library): Library {
  return library;
}
