import type { Row } from '../keys/row-key.js';
import type { Effect } from '../model/effect.js';
import type { Place } from '../model/place.js';
import type { CallKey, Value } from '../origin/value.js';

/**
 * A flow graph: all ways through one handler, helpers included, for one message.
 * A node is one event; `next` are the ways on, `thrown` is the way if the event fails.
 */
export interface FlowGraph {
  nodes: FlowNode[];
  entry: number;
  /** The lowering stopped early, since the code was too large to follow in full. */
  truncated: boolean;
  /** Calls of the handler that nothing is known of, those in code of no consequence too. */
  unresolved: readonly UnresolvedEvent[];
}

export interface FlowNode {
  id: number;
  event: FlowEvent;
  /** Ways on. For a branch: [condition holds, condition does not hold]. */
  next: number[];
  thrown?: number;
}

/** Work that the code around it does not wait for. */
export interface Task {
  id: number;
  parent: Task | undefined;
  /** The call that starts it. */
  place: Place;
  /** How it gets away: for the message. */
  how: 'floating' | 'forEach' | 'timer' | 'callback' | 'detached' | 'buffered';
}

export type FlowEvent =
  | { kind: 'nothing' }
  | { kind: 'start' }
  /** The handler is over. */
  | { kind: 'end'; by: 'return' | 'throw' }
  | EffectEvent
  | SettleEvent
  | { kind: 'begin' | 'commit' | 'rollback'; handle: string; place: Place; broker: boolean; name: string; task?: Task | undefined }
  | BranchEvent
  | { kind: 'assign'; variable: string; value: Value }
  /** `statement`: written out, and not the end of a body. */
  | { kind: 'return'; frame: number; value: Value; place: Place; statement?: boolean }
  /** `by`: a catch clause or `.catch`, a `Promise.allSettled` nobody looks at, a callback's error argument. `perItem`: for one of many things that a loop goes through. `forgets`: nothing behind it can tell that it was run; `handsOn`: what it makes of the failure goes where nobody sees. `silent`: it is empty. */
  | { kind: 'catch'; by: 'clause' | 'settled' | 'callback'; place: Place; end: Place; task: Task | undefined; error: string; frame: number; function: string; perItem?: boolean; forgets?: boolean; handsOn?: boolean; silent?: boolean }
  /** The end of a catch region: what follows is no longer inside it. */
  | { kind: 'caught'; error: string }
  | { kind: 'throw'; place: Place }
  | { kind: 'mutate'; of: CallKey; place: Place; relative: boolean; field: string }
  | { kind: 'step'; place: Place; enter: boolean; name: string }
  | UnresolvedEvent
  /** From here on the path is that of one message: one turn of a loop over messages, or what a receive call gave. */
  | { kind: 'message'; place: Place; call?: CallKey }
  /** The message, or what can settle it, goes where it cannot be followed. */
  | { kind: 'escape' }
  /** Messages that are not settled go back. */
  | { kind: 'release' }
  /** Time passes. */
  | { kind: 'delay' };

export interface UnresolvedEvent {
  kind: 'unresolved';
  name: string;
  because: string;
  place: Place;
  task: Task | undefined;
}

export interface EffectEvent {
  kind: 'effect';
  effect: Effect;
  call: CallKey;
  task: Task | undefined;
  /** What the result looks like the first time and on a repeat. */
  result?: { fresh: Record<string, unknown>; duplicate: Record<string, unknown> };
  /** The field of the result that tells of failure. */
  failureIn?: string;
  partialFailureIn?: string;
  /** The call whose entity is written back (`save(row)`), for read-modify-write. */
  entityOf?: CallKey;
  /** The calls whose results go into the row that it adds; `listed`: as one of a list of rows. */
  rowFrom?: readonly { call: CallKey; listed: boolean }[];
  /** The columns that it writes, as far as the code writes them out. */
  row?: Row;
  /** Runs inside a keyed step of a durable runtime. */
  step?: string;
  negligible?: boolean;
  /** The values in its keys and its data, for asking where they come from. */
  inputs: Value[];
}

export interface SettleEvent {
  kind: 'settle';
  as: 'ack' | 'nack';
  /** What does it: a call, the handler's return or throw, a callback, an HTTP answer. */
  by: 'call' | 'return' | 'throw' | 'callback' | 'http';
  place: Place;
  task: Task | undefined;
  name: string;
  /** Settles all messages up to this one. */
  upTo: boolean;
  /** Runs for several messages at the same time. */
  parallel: boolean;
  /** Identity of the message that is settled, where it is known; equal strings are the same message. */
  message?: string;
  /** Inside a function that was handed to something unknown: whether it runs is not known. */
  assumed?: boolean;
  /** A refusal that puts the message back into the queue at once. */
  requeues?: boolean;
  /** What it does to a message that is settled already; absent: nothing. */
  again?: 'closes-channel' | 'throws';
}

export interface BranchEvent {
  kind: 'branch';
  condition: Value;
  /** The condition as written. */
  text: string;
  place: Place;
  frame: number;
  /** The catch regions that the branch stands in, innermost last. */
  catches: readonly string[];
}

/** The task runs inside `outer`, or is it. */
export function isWithin(task: Task | undefined, outer: Task | undefined): boolean {
  if (!outer) return true;
  for (let t = task; t; t = t.parent) if (t === outer) return true;
  return false;
}
