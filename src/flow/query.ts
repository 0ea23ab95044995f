import type { DeliveryOrder } from '../catalog/delivery-order.js';
import type { Promised } from '../discovery/exactly-once.js';
import type { Horizon } from '../discovery/horizon.js';
import type { Row } from '../keys/row-key.js';
import type { Effect, Key } from '../model/effect.js';
import type { Acknowledgement } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { propertiesOf, type Value } from '../origin/value.js';
import { holds, NOTHING } from './conditions.js';
import { leadingTo, plainlyReached, type Edges } from './edges.js';
import { walk, type Walk, type Way } from './explore.js';
import type { Prune } from './prunes.js';
import { RepeatedConditions } from './repeated.js';
import { isWithin, type BranchEvent, type EffectEvent, type FlowGraph, type FlowNode, type SettleEvent, type Task } from './ir.js';

export { leadingTo, plainlyReached, walk, isWithin, RepeatedConditions };
export type { BranchEvent, EffectEvent, FlowGraph, FlowNode, SettleEvent, Task, Walk, Way };

/** What a rule is given: one handler with its flow. */
export interface HandlerModel {
  name: string;
  place: Place;
  client: string;
  source?: string;
  registeredAt: Place;
  acknowledgement: Acknowledgement;
  /** It receives its messages itself: there may be none on a path. */
  receives: boolean;
  /** A message that the handler leaves unsettled stays with this consumer: until when, in words. */
  heldUntil?: string;
  /** A message that the handler leaves unsettled comes back when its lease ends, without a bound. */
  leased: boolean;
  /** A failure that leaves the handler settles nothing: the client does not wait for its promise. */
  losesThrow: boolean;
  /** A failure that leaves the handler puts the message back into the queue at once: where an option would say otherwise. */
  requeuesOnThrow?: Place;
  /** The program bounds how often a message is delivered, or its queues are set up elsewhere. */
  bounded: boolean;
  /** For how long after its first delivery a message can come again. */
  horizon?: Horizon;
  /** In which order messages of one entity come; undefined for jobs, and where that is not known. */
  order?: DeliveryOrder;
  /** A switch of the broker that promises once-only is on for its messages. */
  promised?: Promised;
  /** What the program does about old rows of a table. */
  prunes: (table: string) => Prune | 'never' | undefined;
  /** The handler's answer to an HTTP request acknowledges. */
  http: boolean;
  /** The option that acknowledges before the handler runs. */
  autoAck?: Place;
  /** Names of failed messages in the handler's result bring those back. */
  partialBatch: boolean;
  /** It takes nothing from its message, and finds in the stores what is to be done. */
  takesNothing: boolean;
  /** Rebuilt by replay, say the settings or the code: no inbox is asked of it. */
  projection?: boolean;
  /** The function that the client itself calls, where a wrapper stands between it and the handler. */
  outer?: { name: string; place: Place };
  graph: FlowGraph;
  /** `Records[0]` of a batch of which nothing else is read. */
  firstOfBatch?: Place;
  /** Results with the status of a failure, which the client does not read. */
  failureAnswers?: { place: Place; status: number }[];
}

export interface EffectNode extends FlowNode {
  event: EffectEvent;
}
export interface SettleNode extends FlowNode {
  event: SettleEvent;
}

export function isEffect(n: FlowNode): n is EffectNode {
  return n.event.kind === 'effect';
}

const CACHES = new Set(['ioredis', 'redis', '@upstash/redis', 'node-cache', 'lru-cache']);

/** A cache that is refreshed or emptied: losing that, or doing it again, harms nobody. */
export function isCacheRefresh(effect: Effect): boolean {
  return (CACHES.has(effect.library) || /cache$/i.test(effect.table ?? '')) && (effect.writeKind === 'absolute' || effect.writeKind === 'delete' || effect.writeKind === 'upsert');
}

/** An effect that changes something outside the process. */
export function isChange(n: FlowNode): n is EffectNode {
  return n.event.kind === 'effect' && n.event.effect.kind !== 'read' && !n.event.negligible && !n.event.effect.inMemory;
}

export function isExternal(n: FlowNode): n is EffectNode {
  return n.event.kind === 'effect' && n.event.effect.kind === 'external' && !n.event.negligible;
}

export function isAck(n: FlowNode): n is SettleNode {
  return n.event.kind === 'settle' && n.event.as === 'ack';
}

const live = new WeakMap<FlowGraph, FlowNode[]>();

/** The nodes that a path from the entry reaches. */
export function reachable(graph: FlowGraph): FlowNode[] {
  let found = live.get(graph);
  if (found) return found;
  const { seen, complete } = visited(graph, graph.entry);
  found = complete ? graph.nodes.filter((n) => seen.has(n.id)) : graph.nodes;
  live.set(graph, found);
  return found;
}

/** The nodes that paths come to; `complete` is false if there were too many to follow. */
function visited(graph: FlowGraph, from: number, edges: Edges = {}): { seen: Set<number>; complete: boolean } {
  const seen = new Set<number>();
  const all = plainlyReached(graph, from, edges).size;
  const complete = walk({
    graph,
    from,
    state: '',
    isDone: () => seen.size === all,
    visit: (n) => {
      seen.add(n.id);
      return edges.isEnd?.(n) ? undefined : '';
    },
    ...(edges.success && { ways: onlySuccess }),
  });
  return { seen, complete };
}

/** One node for each place: copies of the same code (finally blocks, repeated helpers) count once. */
export function distinct<N extends FlowNode>(nodes: readonly N[]): N[] {
  const seen = new Set<string>();
  return nodes.filter((n) => {
    const key = placeKey(n);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * What there is to say of each place, once: copies of the same code stand under different conditions, and the first of
 * them that is judged to be at fault speaks for its place.
 */
export function oncePerPlace<N extends FlowNode, T>(nodes: readonly N[], judge: (n: N) => T | undefined): T[] {
  const said = new Set<string>();
  return nodes.flatMap((n) => {
    const key = placeKey(n);
    const found = said.has(key) ? undefined : judge(n);
    if (found === undefined) return [];
    said.add(key);
    return [found];
  });
}

export function placeKey(n: FlowNode): string {
  const p = 'place' in n.event ? n.event.place : n.event.kind === 'effect' ? n.event.effect.place : undefined;
  return p ? `${p.file}:${String(p.start)}` : String(n.id);
}

export function changes(graph: FlowGraph): EffectNode[] {
  return reachable(graph).filter(isChange);
}

/** The effect's way on after success only. */
export function onlySuccess(node: FlowNode, _state: unknown, allowed: Way[]): Way[] {
  void node;
  return allowed.filter((w) => !w.thrown);
}

// --- Deduplication

/**
 * A question to a store, or a record in one, that lets a second delivery skip.
 * Its outcome leads a first delivery and a repeat different ways.
 */
export interface Dedup {
  /** The check or the record. */
  node: EffectNode;
  /** Where a first delivery goes on. */
  fresh: number;
  /** Where a repeat goes on. */
  repeat: number;
  /** A field of a row decides: the writes that set it. */
  state?: ReadonlySet<number>;
  /** The check also records (insert-or-ignore, SET NX): no gap between question and answer. */
  claims: boolean;
}

/** Branches that tell a repeat from a first delivery. */
export function dedups(graph: FlowGraph): Dedup[] {
  let found = dedupsOf.get(graph);
  if (found) return found;
  found = [];
  dedupsOf.set(graph, found);
  const nodes = reachable(graph);
  const effects = nodes.filter(isEffect).filter((n) => n.event.result !== undefined && (n.event.effect.kind === 'read' || n.event.effect.writeKind === 'insert-or-ignore' || n.event.effect.writeKind === 'guarded' || n.event.effect.marker || n.event.effect.writeKind === 'delete'));
  for (const branch of nodes) {
    if (branch.event.kind !== 'branch') continue;
    const condition = branch.event.condition;
    for (const node of effects) {
      const { result } = node.event;
      if (!result || !dependsOn(condition, node.event.call)) continue;
      const first = holds(condition, { ...NOTHING, results: new Map([[node.event.call, result.fresh]]) });
      const again = holds(condition, { ...NOTHING, results: new Map([[node.event.call, result.duplicate]]) });
      if (first === undefined || again === undefined || first === again) continue;
      const [yes, no] = branch.next;
      if (yes === undefined || no === undefined) continue;
      found.push({ node, fresh: first ? yes : no, repeat: again ? yes : no, claims: node.event.effect.kind === 'write' });
    }
  }
  found.push(...conflicts(graph, nodes), ...stateChecks(graph, nodes));
  return found;
}

/** Inserts whose conflict is caught and taken to mean: done before. */
function conflicts(graph: FlowGraph, nodes: readonly FlowNode[]): Dedup[] {
  const found: Dedup[] = [];
  const isConflict = ({ event }: FlowNode): boolean => event.kind === 'branch' && asksForConflict(event);
  const within = leadingTo(graph, isConflict, { isEnd: ({ event }) => event.kind === 'effect' || event.kind === 'settle' });
  for (const node of nodes) {
    if (!isEffect(node) || node.thrown === undefined || !within.has(node.thrown)) continue;
    const { writeKind } = node.event.effect;
    if (writeKind !== 'insert' && writeKind !== 'insert-or-ignore' && writeKind !== 'guarded') continue;
    const fresh = node.next[0];
    let repeat: number | undefined;
    walk({
      graph,
      from: node.thrown,
      state: '',
      within,
      isDone: () => repeat !== undefined,
      visit: (n) => {
        if (n.event.kind === 'effect' || n.event.kind === 'settle') return undefined;
        if (n.event.kind === 'branch' && asksForConflict(n.event)) repeat = /^\s*!|!==?/.test(n.event.text) ? n.next[1] : n.next[0];
        return '';
      },
    });
    if (fresh !== undefined && repeat !== undefined) found.push({ node, fresh, repeat, claims: true });
  }
  return found;
}

/**
 * A field of what was read (`order.status`, `event.processed`) decides whether the work is done, and the work sets it: a
 * repeat finds it set and skips.
 */
function stateChecks(graph: FlowGraph, nodes: readonly FlowNode[]): Dedup[] {
  const found: Dedup[] = [];
  const reads = nodes.filter((n): n is EffectNode => isEffect(n) && n.event.effect.kind === 'read' && n.event.effect.table !== undefined && !n.event.effect.marker);
  for (const branch of nodes) {
    if (branch.event.kind !== 'branch') continue;
    const byName = asksForState(branch.event.condition);
    if (!byName && !asksForField(branch.event.condition)) continue;
    const [yes, no] = branch.next;
    if (yes === undefined || no === undefined) continue;
    for (const node of reads) {
      if (!dependsOn(branch.event.condition, node.event.call)) continue;
      const fields = fieldsOf(branch.event.condition, node.event.call);
      const { condition } = branch.event;
      const sets = (from: number): number[] => [...reachesBefore(graph, from, node.event.call)].filter((id) => {
        const n = graph.nodes[id];
        return n !== undefined && isEffect(n) && n.event.effect.kind === 'write' && n.event.effect.table?.toLowerCase() === node.event.effect.table?.toLowerCase() && n.event.effect.rowKey?.from !== 'nothing' && (byName ? mayHold(n.event, fields) : holdsField(n.event, fields) && changesAnswer(condition, from === yes, n.event, fields));
      });
      const [byYes, byNo] = [sets(yes), sets(no)];
      const isYes = byYes.length > 0;
      if (isYes !== byNo.length > 0) found.push({ node, fresh: isYes ? yes : no, repeat: isYes ? no : yes, claims: false, state: new Set(isYes ? byYes : byNo) });
    }
  }
  return found;
}

/** What is written makes the condition come out the other way: a value where none was, or none where one was. */
function changesAnswer(condition: Value, holds: boolean, { row }: EffectEvent, fields: readonly string[]): boolean {
  const isSet = holds === isPlain(condition);
  const written = (row?.columns ?? []).filter((c) => fields.includes(c.name.split('.').at(-1) ?? ''));
  const empties = written.some((c) => /^(null|undefined|false|0|'')$/.test((c as Key).constant ?? ''));
  return written.length === 0 || isSet === empties;
}

/** Without `!`, or with two of them. */
function isPlain(v: Value): boolean {
  return v.kind === 'derived' && v.operator === '!' && v.parts[0] ? !isPlain(v.parts[0]) : true;
}

/** The fields of a result that a condition asks for. */
function fieldsOf(v: Value, call: string, depth = 0): string[] {
  if (depth > 6) return [];
  if (v.kind === 'library') return v.call === call ? v.path.slice(-1) : [];
  if (v.kind === 'derived') return v.parts.flatMap((p) => fieldsOf(p, call, depth + 1));
  return v.kind === 'union' ? v.options.flatMap((p) => fieldsOf(p, call, depth + 1)) : [];
}

/** Whether a field of something is set, whatever its name says. */
function asksForField(v: Value): boolean {
  if (v.kind === 'derived' && v.operator === '!') return v.parts.some(asksForField);
  if (v.kind === 'union') return v.options.every(asksForField);
  return v.kind === 'library' && v.path.length > 0 && v.stability === undefined;
}

/** One of these fields is written out in what is written. */
function holdsField({ row, inputs }: EffectEvent, fields: readonly string[]): boolean {
  if (row) return columnsOf(row).some((c) => fields.includes(c));
  return inputs.some((v) => v.kind === 'object' && propertiesOf(v).some((p) => p.name !== undefined && fields.includes(p.name.getText())));
}

/** False if what is written is all written out, and none of these fields is in it. */
function mayHold(event: EffectEvent, fields: readonly string[]): boolean {
  if (event.row) return event.row.open || holdsField(event, fields) || columnsOf(event.row).some((c) => c.startsWith('$'));
  const { inputs } = event;
  if (!inputs.some((v) => v.kind === 'object')) return true;
  return inputs.some((v) => {
    if (v.kind === 'constant') return false;
    if (v.kind !== 'object') return true;
    return propertiesOf(v).some((p) => {
      const name = p.name?.getText().replace(/['"]/g, '');
      // A spread, a computed name, an operator of MongoDB.
      return name === undefined || /^[[$]/.test(name) || fields.includes(name);
    });
  });
}

/** `{ order: { status } }` and an operator's `{ $set: { status } }` write to `order` and to `status`. */
function columnsOf(row: Row): string[] {
  return row.columns.flatMap(({ name }) => name.split('.'));
}

/** Compares a field with a constant (whether a text is empty says nothing of a state), or asks whether a flag is set. */
function asksForState(v: Value, depth = 0): boolean {
  if (depth > 4) return false;
  if (v.kind === 'derived') {
    if (v.operator === '!') return v.parts.some((p) => asksForState(p, depth + 1));
    if (/^[!=]==?$/.test(v.operator)) return v.parts.some((p) => p.kind === 'constant' && ((typeof p.value === 'string' && p.value !== '') || typeof p.value === 'boolean')) && v.parts.some((p) => p.kind === 'library' && p.path.length > 0);
    if (v.operator === '&&' || v.operator === '||') return v.parts.some((p) => asksForState(p, depth + 1));
    return false;
  }
  return v.kind === 'library' && /^(is_?)?(processed|handled|done|paid|completed|sent|credited|applied|fulfilled|settled)(_?at)?$/i.test(v.path.at(-1) ?? '');
}

const CONFLICT = /P2002|23505|\b11000\b|ER_DUP_ENTRY|\b1062\b|UniqueConstraint|ConditionalCheckFailed|SQLITE_CONSTRAINT|duplicate|isUnique|alreadyExists|already_exists|UniqueViolation/i;

export function asksForConflict(branch: BranchEvent): boolean {
  return CONFLICT.test(branch.text) || constants(branch.condition).some((c) => CONFLICT.test(String(c)));
}

/** Classes by which a library throws whatever the cause: a lost connection, a timeout, a deadlock, a wrong statement. */
const ANY_CAUSE: readonly (readonly [RegExp, RegExp])[] = [
  [/QueryFailedError/, /^typeorm$/],
  [/AxiosError/, /axios$/],
  [/Mongo(Server)?Error/, /^mongo/],
  [/DatabaseError/, /^(pg|sequelize)$/],
  [/Error/, /./],
];
const ASKS_FOR_CLASS = /(?:\.name\s*[!=]==?\s*['"]|\binstanceof\s+(?:\w+\.)*)(\w+)(?:['"]|$)|\bis(AxiosError)\(/;

/** The branch tells errors apart by a class that all errors of this library have: the side of those. */
export function sideOfAllErrors(branch: BranchEvent, library: string): boolean | undefined {
  const [, compared, asked] = ASKS_FOR_CLASS.exec(branch.text) ?? [];
  const name = compared ?? asked;
  const isWhole = name !== undefined && ANY_CAUSE.some(([cls, of]) => cls.exec(name)?.[0] === name && of.test(library));
  return isWhole ? !/!==?/.test(branch.text) : undefined;
}

function constants(v: Value, depth = 0): unknown[] {
  if (depth > 8) return [];
  if (v.kind === 'constant') return [v.value];
  if (v.kind === 'derived') return v.parts.flatMap((p) => constants(p, depth + 1));
  if (v.kind === 'union') return v.options.flatMap((p) => constants(p, depth + 1));
  return [];
}

const dedupsOf = new WeakMap<FlowGraph, Dedup[]>();

export function dependsOn(v: Value, call: string, depth = 0): boolean {
  if (depth > 12) return false;
  switch (v.kind) {
    case 'library':
      return v.call === call;
    case 'derived':
      return v.call === call || v.parts.some((p) => dependsOn(p, call, depth + 1));
    case 'union':
      return v.options.some((p) => dependsOn(p, call, depth + 1));
    case 'text':
      return v.parts.some((p) => typeof p !== 'string' && dependsOn(p, call, depth + 1));
    case 'list':
      return v.elements.some((p) => dependsOn(p, call, depth + 1));
    case 'collection':
      return v.initial.some((p) => dependsOn(p, call, depth + 1));
    default:
      return false;
  }
}

/** The nodes that paths from here reach, failures left out if `success`. */
export function reaches(graph: FlowGraph, from: number, options: { success?: boolean } = {}): ReadonlySet<number> {
  let known = reachesOf.get(graph);
  if (!known) reachesOf.set(graph, (known = new Map()));
  const key = `${from}${options.success ? 's' : ''}`;
  const before = known.get(key);
  if (before) return before;
  const { seen } = visited(graph, from, options);
  known.set(key, seen);
  return seen;
}

const reachesOf = new WeakMap<FlowGraph, Map<string, Set<number>>>();

/**
 * Dedup checks and claims that stand before a change on every path to it: the change happens only where the branch says
 * that the message is new.
 */
export function guardsOf(graph: FlowGraph, change: EffectNode): Dedup[] {
  return dedups(graph).filter((d) => {
    if (!reaches(graph, d.fresh).has(change.id)) return false;
    return !reachedAgain(graph, d).has(change.id);
  });
}

/** Whether some way on without a failure settles the message, or hands it to something that may; conditions left out. */
export function reachesSettlement(graph: FlowGraph, from: number): boolean {
  let known = settling.get(graph);
  if (!known) {
    known = new Set(graph.nodes.filter((n) => n.event.kind === 'escape' || (n.event.kind === 'settle' && n.event.by !== 'throw')).map((n) => n.id));
    settling.set(graph, known);
    const before = new Map<number, number[]>();
    for (const n of graph.nodes) for (const to of n.next) before.set(to, [...(before.get(to) ?? []), n.id]);
    const work = [...known];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      for (const b of before.get(id) ?? []) {
        if (known.has(b)) continue;
        known.add(b);
        work.push(b);
      }
    }
  }
  return known.has(from);
}
const settling = new WeakMap<FlowGraph, Set<number>>();

const ALWAYS_THERE = new Set(['content', 'fields', 'properties', 'data']);

/** Asks for a part of the message that the client always gives. */
export function asksForGiven(condition: Value): boolean {
  return condition.kind === 'library' && condition.path.length === 1 && ALWAYS_THERE.has(condition.path[0] ?? '') && condition.parent?.shape.message === true;
}

const DELIVERIES = /redeliver|x-death|xdeath|retr(y|ies)|attempt|tries|deliver(y|ies)|receiveCount|dequeueCount|maxAge|expired|isFinal|permanent|transient|retriable|retryable|recoverable|fatal/i;

/** Asks how often the message has come, or whether another try can help. */
export function asksForDelivery(branch: BranchEvent): boolean {
  return DELIVERIES.test(branch.text) || /\binstanceof\b/.test(branch.text) || someLeaf(branch.condition, (v) => v.kind === 'library' && (v.stability === 'delivery' || v.path.some((p) => DELIVERIES.test(p))));
}

/** Comes out of the message alone, the same at every delivery. */
export function dependsOnMessage(condition: Value): boolean {
  const stable = (v: Value): boolean => v.kind === 'library' && (v.stability === 'producer-stable' || v.stability === 'broker-stable');
  return someLeaf(condition, stable) && !someLeaf(condition, (v) => v.kind !== 'constant' && !stable(v));
}

/** What a value is made from, where nothing more can be taken apart. */
export function leavesOf(v: Value): Value[] {
  const found: Value[] = [];
  someLeaf(v, (leaf) => (found.push(leaf), false));
  return found;
}

function someLeaf(v: Value, is: (leaf: Value) => boolean, depth = 0): boolean {
  if (depth > 8) return is({ kind: 'unknown' });
  if (v.kind === 'derived' && v.parts.length) return v.parts.some((p) => someLeaf(p, is, depth + 1));
  if (v.kind === 'union') return v.options.some((p) => someLeaf(p, is, depth + 1));
  if (v.kind === 'text') return v.parts.some((p) => typeof p !== 'string' && someLeaf(p, is, depth + 1));
  return is(v);
}

/**
 * Something that was read from the change's own table decides whether it happens. How it is asked is not understood, so
 * this is no guard that could be judged; but the change does not go unasked.
 */
export function isAskedFor(graph: FlowGraph, change: EffectNode): boolean {
  const table = change.event.effect.table?.toLowerCase();
  const nodes = reachable(graph);
  const reads = nodes.filter((n): n is EffectNode => isEffect(n) && n.event.effect.kind === 'read' && table !== undefined && n.event.effect.table?.toLowerCase() === table);
  return nodes.some((b) => {
    if (b.event.kind !== 'branch') return false;
    const { condition } = b.event;
    if (!reads.some((r) => dependsOn(condition, r.event.call) && !isUnderstood(condition, r))) return false;
    const [yes, no] = b.next.map((side) => isBypassed(graph, b, side, (n) => n.id === change.id));
    return yes !== no;
  });
}

/** The table's rows of the same message are deleted first, always: the change puts them back. */
export function isReplacing(graph: FlowGraph, change: EffectNode): boolean {
  const table = change.event.effect.table?.toLowerCase();
  return changes(graph).some((x) => {
    const { writeKind, keys } = x.event.effect;
    if (writeKind !== 'delete' || table === undefined || x.event.effect.table?.toLowerCase() !== table) return false;
    const isOfMessage = keys.some((k) => k.stability !== 'constant') && !keys.some((k) => k.stability === 'minted' || k.stability === 'delivery');
    return isOfMessage && !isBypassed(graph, x, graph.entry, (n) => n.id === change.id);
  });
}

/** The row lives only while the message is handled: it is deleted again, by a key that was made for it. */
export function isTemporary(graph: FlowGraph, insert: EffectNode): boolean {
  const { table } = insert.event.effect;
  const later = reaches(graph, insert.id, { success: true });
  return changes(graph).some((x) => {
    const { writeKind, keys } = x.event.effect;
    return writeKind === 'delete' && table !== undefined && x.event.effect.table === table && later.has(x.id) && keys.some((k) => k.stability === 'minted');
  });
}

/** Whether the row was found is all that the condition asks. */
function isUnderstood(condition: Value, { event }: EffectNode): boolean {
  const known = (result: Record<string, unknown>): boolean => holds(condition, { ...NOTHING, results: new Map([[event.call, result]]) }) !== undefined;
  return event.result !== undefined && known(event.result.fresh) && known(event.result.duplicate);
}

/** The change is made from one of a list of rows, and that row is marked later: a repeat does not find it in the list. */
export function isFromWorkList(graph: FlowGraph, change: EffectNode): boolean {
  const later = reaches(graph, change.id, { success: true });
  return marksOfLists(graph, listed(change)).some((w) => later.has(w.id));
}

/** The calls that gave the lists which it takes its rows from. */
function listed({ event }: EffectNode): Set<string> {
  return new Set(event.rowFrom?.filter((r) => r.listed).map((r) => r.call));
}

/** Changes of rows in the tables that these calls read. */
function marksOfLists(graph: FlowGraph, lists: ReadonlySet<string>): EffectNode[] {
  const tables = new Set(reachable(graph).flatMap((n) => (isEffect(n) && n.event.effect.kind === 'read' && lists.has(n.event.call) ? (n.event.effect.table ?? []) : [])));
  return reachable(graph).filter((w): w is EffectNode => isChange(w) && tables.has(w.event.effect.table ?? '') && /^(absolute|guarded|delete)$/.test(w.event.effect.writeKind ?? ''));
}

/** Changes that mark a row of the list which it was found in: a repeat finds what is not marked yet. */
export function marksOfFoundRows(graph: FlowGraph): ReadonlySet<number> {
  return new Set(reachable(graph).filter(isChange).filter((w) => marksOfLists(graph, listed(w)).includes(w)).map((w) => w.id));
}

/** What a repeat goes on to; another turn of a loop asks anew and is no part of it. */
export function reachedAgain(graph: FlowGraph, d: Dedup): ReadonlySet<number> {
  return reachesBefore(graph, d.repeat, d.node.event.call);
}

/** The nodes that paths from here reach before a call is made once more. */
function reachesBefore(graph: FlowGraph, from: number, call: string): ReadonlySet<number> {
  let known = beforeOf.get(graph);
  if (!known) beforeOf.set(graph, (known = new Map()));
  const key = `${from}|${call}`;
  const before = known.get(key);
  if (before) return before;
  const edges: Edges = { isEnd: (n) => n.event.kind === 'effect' && n.event.call === call };
  const { seen, complete } = visited(graph, from, edges);
  // Too many to follow: it may come to all that edges lead to.
  const found = complete ? seen : plainlyReached(graph, from, edges);
  known.set(key, found);
  return found;
}
const beforeOf = new WeakMap<FlowGraph, Map<string, ReadonlySet<number>>>();

/** The database transactions that are open when a node is reached, on every path; innermost last. */
export function openTransactions(graph: FlowGraph): Map<number, ReadonlySet<string>> {
  let found = transactionsOf.get(graph);
  if (found) return found;
  found = new Map();
  const into = found;
  const complete = walk({
    graph,
    from: graph.entry,
    state: [] as string[],
    keyOf: (s) => s.join(','),
    visit: (n, open) => {
      const before = into.get(n.id);
      into.set(n.id, before ? new Set([...before].filter((h) => open.includes(h))) : new Set(open));
      return openAfter(n, open);
    },
  });
  if (!complete) found = openOnEveryEdge(graph);
  transactionsOf.set(graph, found);
  return found;
}

function openAfter({ event }: FlowNode, open: string[]): string[] {
  if (event.kind === 'begin' && !event.broker) return [...open.filter((h) => h !== event.handle), event.handle];
  if ((event.kind === 'commit' || event.kind === 'rollback') && !event.broker) return open.filter((h) => h !== event.handle);
  return open;
}

/** The same, were each condition open: for graphs with too many paths to follow each. */
function openOnEveryEdge(graph: FlowGraph): Map<number, ReadonlySet<string>> {
  const found = new Map<number, ReadonlySet<string>>([[graph.entry, new Set()]]);
  const work = [graph.entry];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const n = graph.nodes[id];
    if (!n) continue;
    const open = openAfter(n, [...(found.get(id) ?? [])]);
    for (const to of n.thrown === undefined ? n.next : [...n.next, n.thrown]) {
      const before = found.get(to);
      const now = before ? open.filter((h) => before.has(h)) : open;
      if (before?.size === now.length) continue;
      found.set(to, new Set(now));
      work.push(to);
    }
  }
  return found;
}
const transactionsOf = new WeakMap<FlowGraph, Map<number, ReadonlySet<string>>>();

/** Where the transaction with this handle, which is open at a node, was begun; undefined if its end cannot be seen from there. */
export function beginOf(graph: FlowGraph, n: FlowNode, handle: string): { name: string; place: Place } | undefined {
  const ends = [...reaches(graph, n.id)].some((id) => {
    const event = graph.nodes[id]?.event;
    return event?.kind === 'commit' && event.handle === handle;
  });
  const begin = reachable(graph).find((x) => x.event.kind === 'begin' && x.event.handle === handle)?.event;
  return ends && begin?.kind === 'begin' ? begin : undefined;
}

/** The transaction that an effect is part of: one is open and the effect runs on its handle. */
export function transactionOf(graph: FlowGraph, n: EffectNode): string | undefined {
  const open = openTransactions(graph).get(n.id);
  const { handle } = n.event.effect;
  if (!open || handle === undefined) return undefined;
  return open.has(handle) ? handle : undefined;
}

/** The nodes that stand, on every path, where a failure is being handled. */
export function failureHandling(graph: FlowGraph): ReadonlySet<number> {
  let found = failureOf.get(graph);
  if (found) return found;
  const inside = new Map<number, boolean>();
  walk({
    graph,
    from: graph.entry,
    state: [] as string[],
    keyOf: (s) => s.join(','),
    visit: (n, caught) => {
      inside.set(n.id, (inside.get(n.id) ?? true) && caught.length > 0);
      const { event } = n;
      if (event.kind === 'catch') return [...caught, event.error];
      return event.kind === 'caught' ? caught.filter((c) => c !== event.error) : caught;
    },
  });
  found = new Set([...inside].filter(([, always]) => always).map(([id]) => id));
  failureOf.set(graph, found);
  return found;
}
const failureOf = new WeakMap<FlowGraph, Set<number>>();

/** Does a path lead from one node to another kind without passing `through` with success? */
export function isBypassed(graph: FlowGraph, through: FlowNode, from: number, isEnd: (n: FlowNode) => boolean): boolean {
  let found = false;
  const isGoal = (n: FlowNode): boolean => n.id !== through.id && isEnd(n);
  const within = leadingTo(graph, isGoal, { failing: through });
  if (!within.has(from)) return false;
  walk({
    graph,
    from,
    state: '',
    within,
    isDone: () => found,
    visit: (n) => {
      found ||= isGoal(n);
      return '';
    },
    ways: (n, _, allowed) => (n.id === through.id ? allowed.filter((w) => w.thrown) : allowed),
  });
  return found;
}

/** A claim that commits together with the change, or a check under a lock in the change's own transaction. */
export function isAtomic(graph: FlowGraph, d: Dedup, change: EffectNode): boolean {
  if (change.event.effect.kind === 'external') return false;
  if (change.event.call === d.node.event.call) return true;
  const own = transactionOf(graph, d.node);
  if (own === undefined || own !== transactionOf(graph, change)) return false;
  return d.claims || d.node.event.effect.locking === true;
}

/**
 * A second delivery does not get to an external effect: a record that says so is committed before it. A check whose record
 * is written behind the effect does not count, since a crash in between leaves none.
 */
export function guardsExternal(graph: FlowGraph, n: EffectNode): boolean {
  const open = openTransactions(graph).get(n.id);
  const committed = (x: EffectNode): boolean => x.event.effect.handle === undefined || !open?.has(x.event.effect.handle);
  return guardsOf(graph, n).some((d) => {
    if (d.node.event.effect.inMemory) return false;
    return d.claims ? committed(d.node) : !reachesWithout(graph, d.fresh, n, (x) => isEffect(x) && x.event.effect.kind === 'write' && sameTable(x, d.node) && committed(x));
  });
}

function sameTable(a: EffectNode, b: EffectNode): boolean {
  return a.event.effect.table !== undefined && a.event.effect.table.toLowerCase() === b.event.effect.table?.toLowerCase();
}

/** A path leads from here to the node and passes none of these. */
export function reachesWithout(graph: FlowGraph, from: number, to: FlowNode, passes: (n: FlowNode) => boolean): boolean {
  let found = false;
  walk({
    graph,
    from,
    state: '',
    visit: (n) => {
      if (n.id === to.id) found = true;
      return found || passes(n) ? undefined : '';
    },
  });
  return found;
}

/** It happens only because something before it has failed: a report of the failure, a dead letter. */
export function followsFailure(graph: FlowGraph, n: FlowNode): boolean {
  return !reaches(graph, graph.entry, { success: true }).has(n.id);
}

/** The redelivered flag of the delivery decides whether it happens. */
export function dependsOnRedelivered(graph: FlowGraph, n: FlowNode): boolean {
  return reachable(graph).some((b) => {
    const [yes, no] = b.next;
    return asksForRedelivered(b) && yes !== undefined && no !== undefined && reaches(graph, yes).has(n.id) !== reaches(graph, no).has(n.id);
  });
}

/** `if (msg.fields.redelivered)`. */
export function asksForRedelivered({ event }: FlowNode): boolean {
  if (event.kind !== 'branch') return false;
  const { condition } = event;
  const v = condition.kind === 'derived' && condition.operator === '!' ? condition.parts[0] : condition;
  return v?.kind === 'library' && v.stability === 'delivery' && /redeliver/i.test(v.name);
}

/** A repeat of the change leaves the world as it was. */
export function isIdempotent(effect: Effect): boolean {
  if (effect.kind === 'read') return true;
  if (effect.kind === 'external') return effect.idempotent === true || isKeyed(effect);
  return effect.writeKind === 'absolute' || effect.writeKind === 'upsert' || effect.writeKind === 'insert-or-ignore' || effect.writeKind === 'guarded' || effect.writeKind === 'delete';
}

/** An idempotency key that a redelivery brings again. */
export function isKeyed(effect: Effect): boolean {
  const s = effect.idempotencyKey?.stability;
  return s === 'producer-stable' || s === 'broker-stable' || s === 'unknown';
}

/** The condition's own guard: a relative change in a statement that a version or a state protects. */
export function hasOwnGate(effect: Effect): boolean {
  return effect.gate !== undefined;
}

export function placeText(p: Place): string {
  return `line ${p.line}`;
}

/** Says where something stands, seen from another place. */
export function where(p: Place, from: Place): string {
  return p.file === from.file ? `line ${p.line}` : `${p.file}:${p.line}`;
}
