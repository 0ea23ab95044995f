import { changes, leadingTo, isAck, isCacheRefresh, isChange, isWithin, dependsOn, isEffect, reachable, sideOfAllErrors, walk, where, type EffectNode, type FlowGraph, type FlowNode, type HandlerModel, type Way } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-ack-on-failure',
  description: 'disallow acknowledging a message whose effect has failed',
  preset: 'recommended',
  severity: 'error',
  messages: {
    caught: 'A failure of `{{effect}}` on {{where}} ends here, and the message is acknowledged all the same: this work is lost, and no redelivery will do it. Rethrow, refuse the message, or store it for later.',
    settled: 'Nobody looks at what failed here: a failure of `{{effect}}` on {{where}} is dropped and the message is acknowledged. Throw if a result is rejected, or use `Promise.all`.',
    value: '`{{effect}}` tells of a failure in its result (`{{field}}`), and nobody looks at it: the message is acknowledged although this did not happen. Check the result and throw.',
    callback: 'This callback ignores its error: if `{{effect}}` fails, the message is acknowledged all the same and the work is lost. Refuse the message if there is an error.',
    finallyAck: 'This acknowledges in `finally`, also when `{{effect}}` on {{where}} has failed: the work is lost, and no redelivery will do it. Acknowledge after the work, at the end of `try`.',
    status: 'The answer of `{{effect}}` is not checked: `fetch` does not fail on an error status, and the message is acknowledged although the other side refused. Check `response.ok` and throw.',
    answer: 'This result says {{status}}, but {{client}} reads no status: returning it acknowledges the message, and no redelivery will do the work that failed. Throw an error instead.',
  },
  looksAt: { what: 'effects that can fail', in: ({ graph }) => changes(graph).filter((n) => n.thrown !== undefined || n.event.effect.failure === 'value') },
  check(handler) {
    const found = new Map<string, RuleFinding>();
    for (const { place, status } of handler.failureAnswers ?? []) found.set(`${place.file}:${place.start}`, { messageId: 'answer', place, data: { status: String(status), client: handler.source ?? handler.client } });
    for (const n of reachable(handler.graph)) {
      if (!isEffect(n)) continue;
      const finding = thrown(handler, n) ?? asValue(handler, n) ?? unchecked(handler, n);
      if (finding) {
        const key = `${finding.place.file}:${finding.place.start}`;
        if (!found.has(key)) found.set(key, finding);
      }
    }
    return [...found.values()];
  },
});

/** The error of an effect is caught, and the path goes on to an acknowledgement. */
function thrown(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  if (n.thrown === undefined || n.event.negligible) return undefined;
  const { effect } = n.event;
  // A read that fails matters only if work was to follow.
  if (effect.inMemory || (effect.kind === 'read' && !followedByWork(handler, n))) return undefined;
  return lost(handler, n, n.thrown, false);
}

/**
 * What begins as a failure of the effect ends in an acknowledgement. `told`: its result tells of the failure, so no other
 * failure can have come here, and what is written behind the clause is no record of it.
 */
function lost(handler: HandlerModel, n: EffectNode, from: number, told: boolean): RuleFinding | undefined {
  const { effect } = n.event;
  const end = swallowed(handler, n, from, told);
  if (!end) return undefined;
  // To delete what is gone already fails, and says nothing new.
  if (isDeletion(n) && end.clause?.event.kind === 'catch' && end.clause.event.silent) return undefined;
  // What one run could not do with one of many things is still there for the next run.
  if (handler.takesNothing && end.clause?.event.kind === 'catch' && end.clause.event.perItem) return undefined;
  const place = end.clause?.event.kind === 'catch' ? end.clause.event.place : end.ack.event.kind === 'settle' ? end.ack.event.place : undefined;
  if (!place) return undefined;
  const data = { effect: effect.name, where: where(effect.place, place) };
  const trace = [{ place: effect.place, message: `\`${effect.name}\` fails here` }];
  if (!end.clause) return { messageId: 'finallyAck', place, data, trace, fix: { kind: 'ack-out-of-finally', ack: place } };
  const by = end.clause.event.kind === 'catch' ? end.clause.event.by : 'clause';
  const messageId = by === 'clause' ? 'caught' : by;
  return { messageId, place, data, trace, fix: { kind: 'rethrow', clause: place } };
}

function isDeletion({ event: { effect } }: EffectNode): boolean {
  return effect.writeKind === 'delete' || effect.request?.verb === 'DELETE' || (effect.kind === 'external' && /(^|\.)(delete|remove|detach|unlink|rm)[A-Z]?\w*$/i.test(effect.name));
}

interface Swallowed {
  ack: FlowNode;
  clause: FlowNode | undefined;
}

/** A path from a failure to an acknowledgement on which nothing refuses, stores or rethrows. Effects that fail to the same place share it. */
function swallowed(handler: HandlerModel, n: EffectNode, from: number, told: boolean): Swallowed | undefined {
  let known = swallowing.get(handler.graph);
  if (!known) swallowing.set(handler.graph, (known = new Map()));
  // A read that fails skips no more than what depends on it; a cache that is not refreshed, nothing.
  const isWork = !told && isChange(n) && !isCacheRefresh(n.event.effect);
  const key = `${String(from)}:${String(n.event.task?.id)}:${String(told)}:${String(isWork)}:${n.event.effect.library}`;
  const before = known.get(key);
  if (before) return before.end;
  const end = pathToAck(handler, n, from, { told, isWork });
  known.set(key, { end });
  return end;
}
const swallowing = new WeakMap<FlowGraph, Map<string, { end: Swallowed | undefined }>>();

function pathToAck(handler: HandlerModel, n: EffectNode, from: number, { told, isWork }: { told: boolean; isWork: boolean }): Swallowed | undefined {
  let result: Swallowed | undefined;
  walk<{ clause: number; inside: boolean }>({
    graph: handler.graph,
    from,
    state: { clause: -1, inside: false },
    keyOf: (s) => `${String(s.clause)}${s.inside ? '!' : ''}`,
    knowledge: { failing: true },
    isDone: () => result !== undefined,
    visit: (x, s) => {
      if (x.event.kind === 'end') {
        if (handler.acknowledgement === 'on-delivery' && x.event.by === 'return') result = hidden(handler.graph.nodes[s.clause], x);
        return undefined;
      }
      if (x.event.kind === 'rollback') return s;
      // The next message; what becomes of that says nothing of this one.
      if (x.event.kind === 'message') return undefined;
      if (x.event.kind === 'settle') {
        if (x.event.as === 'nack') return undefined;
        // Work that nobody waits for is the matter of ack-after-commit, unless all is: to wait for it is not enough then.
        if (!isWithin(x.event.task, n.event.task) && !(s.clause >= 0 && nothingIsAwaited(handler.graph))) return undefined;
        // Without a catch only `finally` leads from a failure to an acknowledgement.
        if (s.clause < 0 && x.event.by === 'return') return undefined;
        result = { ack: x, clause: s.clause >= 0 ? handler.graph.nodes[s.clause] : undefined };
        return undefined;
      }
      // The clause that lets the path go on is the one to change, not one before it that rethrows.
      if (x.event.kind === 'catch') return x.event.handsOn ? undefined : { clause: x.id, inside: true };
      if (x.event.kind === 'caught') return { clause: s.clause, inside: false };
      if (x.event.kind === 'throw') return { clause: -1, inside: false };
      const clause = handler.graph.nodes[s.clause]?.event;
      const isForgotten = (told || isWork) && clause?.kind === 'catch' && clause.forgets === true;
      if (keepsFailure(x, isForgotten ? s.inside : s.clause >= 0)) return undefined;
      return s;
    },
    // What fails while this failure is dealt with, or after that, is a failure of its own.
    ways: (x, s, allowed) => chooseHandling(handler, n.event.effect.library, x, s, s.clause >= 0 ? allowed.filter((w) => !w.thrown) : allowed),
  });
  return result;
}

/** The handler starts all that it does and waits for none of it. */
function nothingIsAwaited(graph: FlowGraph): boolean {
  return changes(graph).every((x) => x.event.task !== undefined);
}

/**
 * What was acknowledged before it began is not handled again either, and here nobody is even told. A driver's callback has
 * nobody to throw to.
 */
function hidden(clause: FlowNode | undefined, end: FlowNode): Swallowed | undefined {
  return clause?.event.kind === 'catch' && clause.event.by !== 'callback' ? { ack: end, clause } : undefined;
}

/** A durable record of the failure: a write or a publish in the catch region. */
function keepsFailure(x: FlowNode, inCatch: boolean): boolean {
  if (!inCatch || x.event.kind !== 'effect') return false;
  const { effect, negligible } = x.event;
  if (negligible || effect.inMemory || effect.kind === 'read') return false;
  return true;
}

/**
 * Inside a catch region a condition that refuses on one side is taken to mean this failure: an error class that is known
 * as permanent, a number of attempts. Nothing is proven against such code.
 */
function chooseHandling({ graph }: HandlerModel, library: string, x: FlowNode, { clause, inside }: { clause: number; inside: boolean }, allowed: Way[]): Way[] {
  if (allowed.length < 2) return allowed;
  // A loop over what failed is taken to run: it records each.
  if (x.event.kind === 'nothing' && inside) return refusingFirst(graph, allowed);
  if (x.event.kind !== 'branch') return allowed;
  if (x.event.catches.length === 0 && clause < 0) return allowed;
  const side = x.event.catches.length > 0 ? sideOfAllErrors(x.event, library) : undefined;
  if (side !== undefined) return allowed.filter((w) => w.taken === side);
  // A clause that throws some errors on is not the one that ends them, whatever becomes of them further out.
  const thrownOn = x.event.catches.length > 0 ? allowed.filter((w) => isThrownOn(graph, w.to)) : [];
  return thrownOn.length ? thrownOn : refusingFirst(graph, allowed);
}

/** Nothing but a `throw` comes here. */
function isThrownOn(graph: FlowGraph, from: number): boolean {
  let n = graph.nodes[from];
  for (let steps = 0; n && steps < 20; steps++) {
    if (n.event.kind === 'throw') return true;
    if (n.event.kind === 'caught' || n.event.kind === 'settle' || n.next.length !== 1) return false;
    n = graph.nodes[n.next[0] as number];
  }
  return false;
}

/** The ways that refuse the message, if there are any. */
function refusingFirst(graph: FlowGraph, ways: Way[]): Way[] {
  if (ways.length < 2) return ways;
  const refusing = ways.filter((w) => !reachesAck(graph, w.to));
  return refusing.length ? refusing : ways;
}

function reachesAck(graph: FlowGraph, from: number): boolean {
  let known = reachingAck.get(graph);
  if (!known) reachingAck.set(graph, (known = new Map()));
  const before = known.get(from);
  if (before !== undefined) return before;
  // A loop that comes back here adds no way of its own.
  known.set(from, true);
  let within = leadingToAck.get(graph);
  if (!within) leadingToAck.set(graph, (within = leadingTo(graph, isAck, { isEnd: (x) => x.event.kind === 'settle' || keepsFailure(x, true), success: true })));
  let acks: Passing | undefined;
  if (within.has(from)) walk<Passing>({
    graph,
    from,
    within,
    isDone: () => acks !== undefined,
    state: { id: from, before: undefined },
    keyOf: () => '',
    knowledge: { failing: true },
    visit: (x, s) => {
      if (x.event.kind === 'end') return undefined;
      if (x.event.kind === 'settle') {
        if (x.event.as === 'ack') acks = s;
        return undefined;
      }
      return keepsFailure(x, true) ? undefined : { id: x.id, before: s };
    },
    // A list of known errors, each tested by a condition of its own, is read to its end: the rest is refused.
    ways: (x, _, w) => {
      const ways = w.filter((y) => !y.thrown);
      return x.event.kind === 'branch' && x.event.catches.length > 0 ? refusingFirst(graph, ways) : ways;
    },
  });
  known.set(from, acks !== undefined);
  for (let at = acks; at; at = at.before) known.set(at.id, true);
  return acks !== undefined;
}

/** A path, from its end. */
interface Passing {
  id: number;
  before: Passing | undefined;
}
const leadingToAck = new WeakMap<FlowGraph, ReadonlySet<number>>();
const reachingAck = new WeakMap<FlowGraph, Map<number, boolean>>();

function followedByWork(handler: HandlerModel, n: EffectNode): boolean {
  let work = false;
  walk({
    graph: handler.graph,
    from: n.id,
    state: '',
    visit: (x) => {
      if (work || isAck(x)) return undefined;
      if (x.id !== n.id && isChange(x)) work = true;
      return work ? undefined : '';
    },
    ways: (_, __, w) => w.filter((y) => !y.thrown),
  });
  return work;
}

/** A failure that is a field of the result, which nobody looks at before the acknowledgement. */
function asValue(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect, failureIn, partialFailureIn, call } = n.event;
  const field = failureIn ?? partialFailureIn;
  if (field === undefined || effect.kind === 'read') return undefined;
  const failed: Record<string, unknown> = { [field]: {}, [`${field}.length`]: 1, ...(/Count$/.test(field) && { [field]: 1 }), ...(field === 'error' && { data: null }) };
  let acked: FlowNode | undefined;
  let thrownOn: number | undefined;
  walk({
    graph: handler.graph,
    from: n.id,
    state: '',
    isDone: () => acked !== undefined,
    knowledge: { failing: true, results: new Map([[call, failed]]) },
    visit: (x) => {
      if (x.event.kind === 'settle') {
        if (x.event.as === 'ack') acked = x;
        return undefined;
      }
      // Somebody looked at it and made an error of it.
      if (x.event.kind === 'throw') thrownOn ??= x.next[0];
      return x.event.kind === 'end' || x.event.kind === 'throw' ? undefined : '';
    },
    ways: (x, _, allowed) => {
      const open = allowed.filter((w) => !w.thrown);
      if (x.event.kind === 'branch' && open.length > 1) {
        const refusing = open.filter((w) => !reachesAck(handler.graph, w.to));
        if (refusing.length) return refusing;
      }
      return open;
    },
  });
  if (!acked) return thrownOn === undefined ? undefined : lost(handler, n, thrownOn, true);
  return { messageId: 'value', place: effect.place, data: { effect: effect.name, field, where: where(effect.place, effect.place) } };
}

/** An HTTP call whose answer decides nothing, where it is all that the handler does. */
function unchecked(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect, call } = n.event;
  if (effect.library !== 'fetch' || effect.kind !== 'external' || n.event.task || n.event.negligible) return undefined;
  if (changes(handler.graph).some((x) => x.event.call !== call)) return undefined;
  if (reachable(handler.graph).some((x) => x.event.kind === 'branch' && dependsOn(x.event.condition, call))) return undefined;
  if (!reachable(handler.graph).some(isAck)) return undefined;
  return { messageId: 'status', place: effect.place, data: { effect: effect.name }, preset: 'strict' };
}
