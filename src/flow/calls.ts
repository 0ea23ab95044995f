import type { Call, Runs } from '../catalog/schema.js';
import type { Effect } from '../model/effect.js';
import { globalName } from '../origin/builtins.js';
import { argumentsOf } from '../origin/evaluate.js';
import { argument, argumentNode, isMet, paramValue, receiverOf } from '../origin/library.js';
import { UNKNOWN, constant, isOwnObject, options, union, type Args, type Func, type LibraryValue, type Thunk, type Value } from '../origin/value.js';
import { appliedFunction, ts, isAsync, isFunctionNode, unwrap, type CallLike, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { callName, type ReadEffect } from './effects.js';
import { canSettle, identityOf } from './escape.js';
import { isDrained } from './drained.js';
import { forgetsRejection, handsFailureOn, isSilent } from './forgets.js';
import { requestByOptions } from './http-like.js';
import { lowerInbox } from './inbox.js';
import type { EffectEvent, SettleEvent, Task } from './ir.js';
import { isBatch, type Lowering, type PromiseFate, type Scope } from './lower.js';
import { isLookedAt } from './settled.js';
import { isFound } from './work-list.js';

/** Array methods that call their argument for every element. */
const EACH = new Set(['forEach', 'map', 'flatMap', 'filter', 'some', 'every', 'find', 'findIndex', 'reduce', 'reduceRight', 'sort', 'mapSeries', 'each']);
const LOGGING = /^(console|log|logger|this\.logger|this\.log|winston|pino|Sentry|debug|process\.(stdout|stderr))\b|\b(logger|log)\.(debug|info|warn|error|log|trace|verbose)$/i;

type Lowered = Compiler.CallExpression | Compiler.NewExpression;

export function lowerCall(l: Lowering, node: Lowered, scope: Scope, next: number, throws: number): number {
  const fate = l.fate(node, scope);
  const failing = rejection(fate, scope, next, throws);
  const callee = node.expression;
  if (ts.isPropertyAccessExpression(callee) && ts.isCallExpression(node)) {
    const chained = promiseMethod(l, node, callee, scope, next, failing, fate.task);
    if (chained !== undefined) return chained;
  }
  const name = globalName(callee);
  if (ts.isNewExpression(node)) {
    if (name === 'Promise') return newPromise(l, node, scope, next, failing);
  } else if (name === 'Promise.allSettled') {
    return allSettled(l, node, scope, next, failing);
  }
  if (name !== undefined && (name.startsWith('Promise.') || /^(Array|Object|JSON|Math|String|Number|Buffer|Boolean|parseInt|parseFloat|Date|Symbol|Reflect|structuredClone|encodeURIComponent|BigInt|isNaN|Error|TypeError|RangeError|SyntaxError|AggregateError|Map|Set|WeakMap|WeakSet|URL|URLSearchParams|RegExp|TextEncoder|TextDecoder|Intl)\b/.test(name))) {
    const list = argumentsOf(node);
    if (name === 'Array.from' && list[1]) return each(l, node, l.e.evaluate(list[0] as Expression, scope.frame), list[1], 'map', scope, next, { throws, rejects: failing }, fate.task);
    // Input that is no JSON throws.
    const parsed = name === 'JSON.parse' && throws !== next ? l.node({ kind: 'nothing' }, [next], throws) : next;
    return l.expressions(list, scope, parsed, failing);
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(callee) && EACH.has(callee.name.text) && node.arguments[0]) {
    const receiver = l.e.evaluate(callee.expression, scope.frame);
    const own = receiver.kind === 'library' && (receiver.shape.members?.[callee.name.text] !== undefined || receiver.shape.builder !== undefined);
    const isProgram = isOwnObject(receiver) || receiver.kind === 'class' || receiver.kind === 'module';
    if (!own && !isProgram && functionArgument(l, node.arguments[0], scope)) {
      return l.expression(callee.expression, scope, each(l, node, receiver, node.arguments[0], callee.name.text, scope, next, { throws, rejects: failing }, fate.task), throws);
    }
  }
  const applied = appliedTo(l, node, scope);
  if (applied) return operands(l, node, scope, applyAll(l, applied.value, node, scope, next, { throws, rejects: failing }, fate.task, applied.args), throws);
  const value = l.e.callable(l.e.evaluate(callee, scope.frame));
  if (l.receives.has(node) && !isBatch(l.e.evaluate(node, scope.frame))) next = l.node({ kind: 'message', place: l.place(node), call: scope.frame.key(node) }, [next]);
  const done = applyAll(l, value, node, scope, next, { throws, rejects: failing }, fate.task);
  return operands(l, node, scope, done, throws);
}

/** `handle.call(this, message)` calls what stands before it. */
function appliedTo(l: Lowering, node: CallLike, scope: Scope): { value: Value; args: Thunk[] } | undefined {
  const fn = appliedFunction(node);
  if (!fn) return undefined;
  const value = l.e.evaluate(fn, scope.frame);
  if (value.kind === 'library' || isOwnObject(value) || value.kind === 'object' || value.kind === 'class') return undefined;
  const [first, ...rest] = argumentsOf(node);
  const self = first && l.e.evaluate(first, scope.frame);
  const bound = (v: Value): Value => (v.kind === 'function' && !v.self && isOwnObject(self) ? { ...v, self } : v);
  return { value: value.kind === 'union' ? union(value.options.map(bound)) : bound(value), args: l.e.thunks(rest, scope.frame) };
}

/** Where a call leads that fails at once, and where its promise leads that fails later. */
interface Failing {
  throws: number;
  rejects: number;
}

/** A promise that nobody waits for fails where nobody sees it. */
function rejection({ seenBy }: PromiseFate, scope: Scope, next: number, throws: number): number {
  if (seenBy === 'nobody') return next;
  return seenBy === 'caller' ? (scope.rejects ?? throws) : throws;
}

/** Marks that the message leaves by one of these arguments. */
function escaping(l: Lowering, args: readonly Expression[], scope: Scope, next: number): number {
  return args.some((a) => canSettle(l.e, l.e.evaluate(a, scope.frame))) ? l.node({ kind: 'escape' }, [next]) : next;
}

/** What is evaluated before the call: the receiver and the arguments. */
function operands(l: Lowering, node: CallLike, scope: Scope, next: number, throws: number): number {
  const list = argumentsOf(node).filter((a) => !isFunctionNode(unwrap(a)));
  const callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  const receiver = ts.isPropertyAccessExpression(callee) || ts.isElementAccessExpression(callee) ? callee.expression : ts.isCallExpression(unwrap(callee)) ? callee : undefined;
  return l.expressions([receiver, ...list], scope, next, throws);
}

export function lowerTagged(l: Lowering, node: Compiler.TaggedTemplateExpression, scope: Scope, next: number, throws: number): number {
  const fate = l.fate(node, scope);
  const tag = l.e.evaluate(node.tag, scope.frame);
  const failing = rejection(fate, scope, next, throws);
  const done = tag.kind === 'library' ? library(l, tag, node, { nodes: argumentsOf(node), frame: scope.frame }, scope, next, failing, fate.task) : next;
  return operands(l, node, scope, done, failing);
}

function functionArgument(l: Lowering, node: Expression, scope: Scope): boolean {
  return options(l.e.evaluate(node, scope.frame)).some((v) => v.kind === 'function');
}

function functions(l: Lowering, node: Expression | undefined, scope: Scope): Func[] {
  if (!node) return [];
  return options(l.e.evaluate(node, scope.frame)).filter((v): v is Func => v.kind === 'function');
}

// --- Promises

function promiseMethod(l: Lowering, node: Compiler.CallExpression, callee: Compiler.PropertyAccessExpression, scope: Scope, next: number, throws: number, task: Task | undefined): number | undefined {
  const method = callee.name.text;
  if (method !== 'then' && method !== 'catch' && method !== 'finally') return undefined;
  const receiver = l.e.evaluate(callee.expression, scope.frame);
  if (isOwnObject(receiver) || receiver.kind === 'class') return undefined;
  const [first, second] = node.arguments;
  const run = (fn: Expression | undefined, args: Thunk[], to: number, failing: number, label: string): number => {
    const called = functions(l, fn, scope);
    if (called.length) return l.choice(called.map((f) => l.inline(f, node, scope, args, to, failing, { task, resultTask: task, label })));
    // `.then(resolve)`, `.catch(next)`: a function value that is not the program's.
    const value = fn && l.e.evaluate(fn, scope.frame);
    return value && fn ? applyAll(l, value, node, scope, to, { throws: failing, rejects: failing }, task, args) : to;
  };
  const error: Value = { kind: 'error', from: node, frame: scope.frame, path: [] };
  const caught = (handler: Expression): number => {
    const id = scope.frame.key(node);
    const left = l.node({ kind: 'caught', error: id }, [next]);
    const inner: Scope = { ...scope, catches: [...scope.catches, id] };
    const called = functions(l, handler, scope);
    const body = called.length
      ? l.choice(called.map((f) => l.inline(f, node, inner, [() => error], left, throws, { task, resultTask: task, label: 'catch' })))
      : applyAll(l, l.e.evaluate(handler, scope.frame), node, inner, left, { throws, rejects: throws }, task, [() => error]);
    return l.catchNode(handler, handler, id, { ...scope, task }, body, method === 'catch' ? { forgets: forgetsRejection(node, isLog), handsOn: handsFailureOn(node, isLog), silent: isFunctionNode(handler) && isSilent(handler.body) } : {});
  };
  if (method === 'then') {
    const value = receiver;
    const fulfilled = first ? run(first, [() => value], next, throws, 'then') : next;
    return l.expression(callee.expression, scope, fulfilled, second ? caught(second) : throws);
  }
  if (method === 'catch') return l.expression(callee.expression, scope, next, first ? caught(first) : throws);
  const after = run(first, [], next, throws, 'finally');
  const afterThrow = run(first, [], throws, throws, 'finally-throw');
  return l.expression(callee.expression, scope, after, afterThrow);
}

function newPromise(l: Lowering, node: Compiler.NewExpression, scope: Scope, next: number, throws: number): number {
  const [executor] = node.arguments ?? [];
  const fn = executor && functions(l, executor, scope)[0];
  if (!fn) return next;
  const promise = scope.frame.key(node);
  const args: Thunk[] = [() => ({ kind: 'resolver', promise, rejects: false }), () => ({ kind: 'resolver', promise, rejects: true })];
  const waited = l.fate(node, scope);
  const inner = { executor: { next, throws, promise } };
  return l.inline(fn, node, scope, args, next, throws, { task: waited.task, resultTask: waited.task, scope: inner });
}

function allSettled(l: Lowering, node: Compiler.CallExpression, scope: Scope, next: number, throws: number): number {
  if (isLookedAt(node)) return l.expressions(node.arguments, scope, next, throws);
  const id = scope.frame.key(node);
  const ignored = l.catchNode(node, node, id, scope, l.node({ kind: 'caught', error: id }, [next]), { by: 'settled' });
  return l.expressions(node.arguments, scope, next, ignored);
}

/** A callback that runs for each element of a list. */
function each(l: Lowering, node: Lowered, list: Value, callback: Expression, method: string, scope: Scope, next: number, failing: Failing, task: Task | undefined): number {
  const element = l.e.element(list);
  const args: Thunk[] = method.startsWith('reduce') ? [() => UNKNOWN, () => element] : [() => element];
  return turns(l, node, list, next, (head, { batch, ...around }) =>
    functions(l, callback, scope).map((fn) => {
      const async_ = isAsync(fn.node);
      const gone = method === 'forEach' && !scope.executor ? l.task(node, scope.frame, scope.task, 'forEach') : undefined;
      const collects = method === 'map' || method === 'flatMap';
      const resultTask = gone ?? (collects ? task : scope.task);
      const floats = resultTask !== scope.task;
      const parallel = scope.parallel || (batch && async_ && (collects || method === 'forEach'));
      return called(l, fn, node, { ...scope, ...around, parallel }, args, head, { throws: failing.throws, rejects: floats ? head : failing.rejects }, resultTask);
    }),
  );
}

/** One turn for each element of a list: of messages each is a path of its own, others are gone through by a loop. */
function turns(l: Lowering, node: CallLike, list: Value, next: number, bodies: (head: number, around: { batch: boolean; perItem?: true }) => number[]): number {
  const batch = isBatch(list);
  const single = list.kind === 'list' && list.single === true;
  const head = batch || single ? next : l.node({ kind: 'nothing' }, []);
  const made = bodies(head, { batch, ...(!batch && isFound(list) && { perItem: true }) });
  if (batch) return l.node({ kind: 'message', place: l.place(node) }, [l.choice(made.length ? made : [next])]);
  if (single) return l.choice([...made, next]);
  l.nodes[head]?.next.push(...made, next);
  return head;
}

// --- Calls of values

/** A function of the program is called: what an async one throws is a rejection of its promise. */
function called(l: Lowering, fn: Func, node: CallLike, scope: Scope, args: readonly Thunk[], next: number, failing: Failing, task: Task | undefined): number {
  const async_ = isAsync(fn.node);
  return l.inline(fn, node, scope, args, next, async_ ? failing.rejects : failing.throws, { task: async_ ? task : scope.task, resultTask: task, scope: { rejects: failing.rejects } });
}

function applyAll(l: Lowering, value: Value, node: CallLike, scope: Scope, next: number, failing: Failing, task: Task | undefined, given?: Thunk[]): number {
  const dispatched = l.options.dispatch(value, node, scope.frame);
  const all: Value[] = dispatched ?? options(value);
  const known = all.filter((v) => v.kind === 'function' || v.kind === 'library' || v.kind === 'resolver');
  if (known.length === 0) {
    const request = requestByOptions(l.e, value, node, scope.frame);
    return request ? apply(l, request, node, scope, next, failing, task, given) : unresolved(l, value, node, scope, next, failing.rejects, task);
  }
  return l.choice(known.map((v) => apply(l, v, node, scope, next, failing, task, given)));
}

function apply(l: Lowering, value: Value, node: CallLike, scope: Scope, next: number, failing: Failing, task: Task | undefined, given?: Thunk[]): number {
  if (value.kind === 'resolver') {
    const { executor } = scope;
    if (executor?.promise !== value.promise) return escaping(l, argumentsOf(node), scope, next);
    return value.rejects ? l.node({ kind: 'throw', place: l.place(node) }, [executor.throws]) : executor.next;
  }
  if (value.kind === 'function') {
    return called(l, value, node, scope, given ?? l.e.thunks(argumentsOf(node), scope.frame), next, failing, task);
  }
  if (value.kind === 'library') {
    const args: Args = { nodes: argumentsOf(node), frame: scope.frame, ...(given && { values: given }) };
    // What gives no promise fails at once.
    const isSync = (ts.isNewExpression(node) ? value.shape.construct : value.shape.call)?.sync === true;
    return library(l, value, node, args, scope, next, isSync ? failing.throws : failing.rejects, task);
  }
  return next;
}

/** A call that logs: it is taken not to fail. */
export function isLog(node: Node): boolean {
  return ts.isCallExpression(node) && LOGGING.test(callName(node));
}

/** A call of something that cannot be seen: nothing is assumed of it, but functions written out for it are taken to run. */
function unresolved(l: Lowering, value: Value, node: CallLike, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const name = callName(node);
  if (isLog(node)) return next;
  // What is written out as a function is followed below, to where it settles the message.
  next = escaping(l, argumentsOf(node).filter((a) => !isFunctionNode(unwrap(a))), scope, next);
  const memory = inMemory(l, node, scope, next);
  if (memory !== undefined) return memory;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && /^(push|splice|unshift|pop|shift)$/.test(node.expression.name.text)) {
    next = l.mutation(node.expression.expression, true, scope, next);
  }
  const isKnownValue = value.kind !== 'unknown' && value.kind !== 'parameter' && value.kind !== 'package' && !(value.kind === 'derived' && (value.operator === 'call' || value.operator === 'result'));
  if (!isKnownValue) {
    next = l.unseen({ kind: 'unresolved', name, because: because(value), place: l.place(node), task }, next, throws);
  }
  const floats = task !== scope.task;
  if (floats) return l.choice([...continuations(l, node, scope), escaping(l, argumentsOf(node), scope, next)]);
  for (const a of [...argumentsOf(node)].reverse()) {
    const fn = unwrap(a);
    if (!ts.isArrowFunction(fn) && !ts.isFunctionExpression(fn)) continue;
    const before = l.nodes.length;
    next = l.inline(l.e.functionValue(fn, scope.frame), node, scope, [], next, throws, { task: scope.task, resultTask: scope.task, scope: { assumed: true }, label: `cb${fn.pos}` });
    if (l.nodes.slice(before).some((n) => n.event.kind === 'settle')) next = l.node({ kind: 'escape' }, [next]);
  }
  return next;
}

/** Words of acknowledgement and of HTTP answers, for a look at a function before it is followed. */
const SETTLES = /ack|reject|commit|delete|complete|abandon|done|callback|\.(send|json|end|status|sendStatus)\(/i;

/**
 * `thread.on('done', async () => { …; channel.ack(message); })` of a `thread` that nobody knows: what settles the message is
 * what goes on with it, whenever that is. What else is given to such a call may be about anything.
 */
function continuations(l: Lowering, node: CallLike, scope: Scope): number[] {
  return argumentsOf(node).flatMap((a) => {
    const fn = unwrap(a);
    if (!(ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) || !SETTLES.test(fn.body.getText())) return [];
    const before = l.nodes.length;
    const over = l.node({ kind: 'escape' }, [l.node({ kind: 'end', by: 'return' }, [])]);
    const entry = l.inline(l.e.functionValue(fn, scope.frame), node, scope, [], over, over, { task: scope.task, resultTask: scope.task, scope: { assumed: true }, label: `later${fn.pos}` });
    return l.nodes.slice(before).some((n) => n.event.kind === 'settle') ? [entry] : [];
  });
}

function because(value: Value): string {
  if (value.kind === 'package') return `the package ${value.specifier} is not known`;
  if (value.kind === 'parameter') return 'it is given by a caller that cannot be seen';
  if (value.kind === 'derived') return 'it comes out of a call that cannot be seen';
  return 'where it comes from cannot be seen';
}

/** What is kept to spare a question, not to tell messages apart, by its name. */
const CACHE = /cache/i;

/** `seen.has(id)`, `seen.add(id)` on a set of the process's own that outlives the message. */
function inMemory(l: Lowering, node: CallLike, scope: Scope, next: number): number | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const method = node.expression.name.text;
  if (!/^(has|get|add|set|includes|push)$/.test(method)) return undefined;
  const [first] = node.arguments;
  const holder = l.e.evaluate(node.expression.expression, scope.frame);
  if (holder.kind !== 'collection' || !first || holder.frame.fn || CACHE.test(holder.holder)) return undefined;
  const key = l.effects.key('key', l.e.evaluate(first, scope.frame), first);
  if (key.stability === 'constant') return undefined;
  const reads = method === 'has' || method === 'get' || method === 'includes';
  // A list of names that nobody adds to remembers no message.
  if (reads && holder.given && l.e.contents(holder).length === holder.initial.length) return undefined;
  const effect: Effect = {
    kind: reads ? 'read' : 'write',
    library: 'memory',
    name: callName(node),
    place: l.place(node),
    ...(!reads && { writeKind: 'insert-or-ignore' as const }),
    table: holder.holder || 'memory',
    handle: `memory:${holder.id}`,
    keys: [key],
    failure: 'never',
    marker: true,
    inMemory: true,
  };
  const event: EffectEvent = { kind: 'effect', effect, call: scope.frame.key(node), task: scope.task, inputs: [], negligible: true, ...(reads && { result: { fresh: { '': method === 'get' ? null : false }, duplicate: { '': true } } }) };
  return l.node(event, [next]);
}

// --- Library calls

function library(l: Lowering, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const call: Call | undefined = ts.isNewExpression(node) ? callee.shape.construct : callee.shape.call;
  const receiver = receiverOf(callee);
  const result = given(args) ? undefined : l.e.evaluate(node as Expression, scope.frame);
  if (result?.kind === 'library' && result.chain && result.shape.builder) return builder(l, result, node, scope, next, throws, task);
  if (!call) return next;
  if (call.sends !== undefined) return sent(l, call, callee, node, args, scope, next, throws, task);
  if (call.settles) return settled(l, call, callee, node, args, scope, next);
  if (call.inbox) return lowerInbox(l, call.inbox, callee, node, args, scope, next, throws, task);
  if (call.transaction) return transaction(l, call, callee, receiver, node, args, scope, next, throws, task);
  let done = escapingLibrary(l, call, args, scope, next);
  if (call.runs) done = runs(l, call.runs, callee, node, args, scope, done, throws);
  if (call.effect) {
    const effects = l.effects.read(call.effect, callee, args, node);
    const isLeft = call.buffered !== undefined && !isDrained(node, call.buffered);
    const inBuffer: Scope = isLeft ? { ...scope, task: l.task(node, scope.frame, scope.task, 'buffered') } : scope;
    return effectNodes(l, effects, call, callee, node, args, inBuffer, done, throws, task);
  }
  if (call.nodeCallback) done = nodeCallback(l, callee, node, args, scope, done, throws, undefined).next;
  if (call.releases) done = l.node({ kind: 'release' }, [done]);
  return call.delays ? l.node({ kind: 'delay' }, [done]) : done;
}

/** Libraries keep what they are given, unless the catalog says what they do with it. */
function escapingLibrary(l: Lowering, call: Call, args: Args, scope: Scope, next: number): number {
  const follows = call.runs !== undefined || call.nodeCallback === true;
  const used = call.effect !== undefined || call.derives === true;
  return escaping(l, args.nodes.filter((a) => (isFunctionNode(unwrap(a)) ? !follows : !used)), scope, next);
}

function given(args: Args): boolean {
  return args.values !== undefined;
}

const ROWS = /^(map|filter|find|forEach|some|every|reduce|flatMap|sort|slice|join|includes|at|push|pop|shift|toJSON|toObject)$/;

/** A statement chain: one effect at its last call. */
function builder(l: Lowering, value: LibraryValue, node: CallLike, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const facts = value.shape.builder;
  if (!facts || !value.chain) return next;
  const parent = node.parent;
  const continues = ts.isPropertyAccessExpression(parent) && parent.expression === node && ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
  if (continues && !facts.methods[parent.name.text]?.ends) return next;
  const last = value.chain.at(-1)?.method ?? '';
  if (facts.runsWith && !facts.runsWith.includes(last)) return next;
  // What is called on the rows that came back is no statement.
  if (!facts.methods[last] && ROWS.test(last)) return next;
  const read = l.effects.chain(value, value.chain, node);
  const result = read.asksForState ? facts.result : resultOf(facts.result, read);
  const event: EffectEvent = { kind: 'effect', effect: read.effect, call: scope.frame.key(node), task, inputs: read.inputs, ...(read.rowFrom && { rowFrom: read.rowFrom }), ...(read.row && { row: read.row }), ...(result && { result }), ...(scope.step !== undefined && { step: scope.step }), ...(scope.telemetry === true && { negligible: true }) };
  return l.node(event, [next], throws === next ? undefined : throws);
}

function sent(l: Lowering, call: Call, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const command = call.sends === undefined ? undefined : argument(l.e, args, call.sends, callee);
  const alternatives = command ? options(command).filter((v): v is LibraryValue => v.kind === 'library' && v.shape.command !== undefined) : [];
  if (alternatives.length === 0) {
    return l.unseen({ kind: 'unresolved', name: callName(node), because: 'which command it sends cannot be seen', place: l.place(node), task }, next, throws);
  }
  return l.choice(
    alternatives.map((c) => {
      const facts = c.shape.command as Call;
      const commandArgs = c.args ?? args;
      const asCallee: LibraryValue = { ...c, parent: callee.parent ?? callee };
      if (facts.settles) return settled(l, facts, asCallee, node, commandArgs, scope, next);
      if (!facts.effect) return next;
      const effects = l.effects.read(facts.effect, asCallee, commandArgs, node).map((x) => ({ ...x, effect: { ...x.effect, library: c.library.name, name: c.name.replace(/^new /, '') } }));
      return effectNodes(l, effects, facts, asCallee, node, args, scope, next, throws, task);
    }),
  );
}

function settled(l: Lowering, call: Call, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number): number {
  const s = call.settles;
  if (!s) return next;
  if (s.when && !isMet(l.e, s.when, args, callee)) return next;
  let as: 'ack' | 'nack' = s.as === 'nack' ? 'nack' : 'ack';
  let by: 'call' | 'callback' | 'http' = 'call';
  let message = s.message === undefined ? undefined : identityOf(argument(l.e, args, s.message, callee));
  if (s.as === 'callback') {
    by = 'callback';
    message = identityOf(callee);
    const first = argument(l.e, args, '0', callee);
    if (first && !(first.kind === 'constant' && !first.value)) as = 'nack';
  } else if (s.as === 'http' || s.as === 'http-status') {
    by = 'http';
    const status = s.as === 'http-status' ? statusOf(argument(l.e, args, '0', callee)) : statusOf(chainedStatus(l, node, scope));
    if (status !== undefined && (status < 200 || status > 299)) as = 'nack';
  }
  const isTrue = (path: string, byDefault: boolean): boolean => {
    const v = argument(l.e, args, path, callee);
    return v === undefined ? byDefault : v.kind === 'constant' && Boolean(v.value);
  };
  const requeues = (r: NonNullable<typeof s.requeues>): boolean =>
    (r.arg === undefined ? r.default : isTrue(r.arg, r.default)) && !(r.delay !== undefined && argument(l.e, args, r.delay, callee));
  const upTo = typeof s.upTo === 'string' ? isTrue(s.upTo, false) : s.upTo === true;
  const event: SettleEvent = {
    kind: 'settle',
    as,
    by,
    place: l.place(node),
    task: scope.task,
    name: callName(node),
    upTo,
    parallel: scope.parallel,
    ...(message !== undefined && { message }),
    ...(scope.assumed && { assumed: true }),
    ...(s.requeues && requeues(s.requeues) && { requeues: true }),
    ...(s.again && { again: s.again }),
  };
  return l.node(event, [next]);
}

function statusOf(value: Value | undefined): number | undefined {
  return value?.kind === 'constant' && typeof value.value === 'number' ? value.value : undefined;
}

/** The status of `res.status(400).json(…)`, or of a `res.status(400)` just before. */
function chainedStatus(l: Lowering, node: CallLike, scope: Scope): Value | undefined {
  let e: Node = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  while (ts.isPropertyAccessExpression(e) || ts.isCallExpression(e)) {
    if (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression) && /^(status|code|writeHead)$/.test(e.expression.name.text) && e.arguments[0]) {
      return l.e.evaluate(e.arguments[0], scope.frame);
    }
    e = e.expression;
  }
  return undefined;
}

function effectNodes(l: Lowering, effects: readonly ReadEffect[], call: Call, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  let to = next;
  let failing = throws;
  let own = call.sync ? scope.task : task;
  // A command has its arguments, and not the call that sends it.
  const given = callee.shape.command === call ? (callee.args ?? args) : args;
  const isUnanswered = call.effect?.unanswered !== undefined && isMet(l.e, call.effect.unanswered, given, callee);
  if (call.nodeCallback) {
    const cb = nodeCallback(l, callee, node, args, scope, next, throws, own);
    if (cb.called) {
      to = cb.next;
      failing = cb.failing;
      own = cb.task;
    } else if (cb.missing && own !== scope.task && !scope.executor) own = task;
  }
  for (const read of [...effects].reverse()) {
    const { statement } = read;
    if (statement && (statement.verb === 'begin' || statement.verb === 'commit' || statement.verb === 'rollback')) {
      to = l.node({ kind: statement.verb, handle: read.effect.handle ?? '', place: read.effect.place, broker: false, name: read.effect.name }, [to], statement.verb === 'rollback' ? undefined : failing);
      continue;
    }
    const facts = call.effect;
    const entity = read.entity && options(read.entity).find((v): v is LibraryValue => v.kind === 'library' && v.call !== undefined);
    const event: EffectEvent = {
      kind: 'effect',
      effect: read.effect,
      call: scope.frame.key(node),
      task: own,
      inputs: read.inputs,
      ...(read.rowFrom && { rowFrom: read.rowFrom }),
      ...(read.row && { row: read.row }),
      ...(resultOf(facts?.result, read) && { result: resultOf(facts?.result, read) as NonNullable<EffectEvent['result']> }),
      ...(facts?.failureIn !== undefined && !isUnanswered && { failureIn: facts.failureIn }),
      ...(facts?.partialFailureIn !== undefined && { partialFailureIn: facts.partialFailureIn }),
      ...(entity?.call !== undefined && { entityOf: entity.call }),
      ...(scope.step !== undefined && { step: scope.step }),
      ...((facts?.negligible === true || scope.telemetry === true) && { negligible: true }),
    };
    to = l.node(event, [to], read.effect.failure === 'never' || failing === to ? undefined : failing);
  }
  return to;
}

/** For reads, what is found and what is not; for conditional writes, what the catalog says. */
function resultOf(facts: EffectEvent['result'], read: ReadEffect): EffectEvent['result'] {
  if (read.effect.kind !== 'read') return facts;
  if (facts && read.effect.marker) return facts;
  return { fresh: { '': null, length: 0, rowCount: 0, 'rows.length': 0, count: 0, ...zeros(facts?.duplicate) }, duplicate: { '': {}, length: 1, rowCount: 1, 'rows.length': 1, count: 1, ...zeros(facts?.fresh) } };
}

function zeros(facts: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!facts) return {};
  const { '': _, ...rest } = facts;
  void _;
  return rest;
}

interface CallbackFlow {
  called: boolean;
  missing: boolean;
  next: number;
  failing: number;
  task: Task | undefined;
}

/** A node-style callback: the code after the call goes on at once, the callback runs when the call is done. */
function nodeCallback(l: Lowering, callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): CallbackFlow {
  const last = args.nodes.at(-1);
  const named = (callee.shape.call?.runs ?? []).some((r) => argumentNode(args, r.function) === last);
  const fn = last && !named ? functions(l, last, scope)[0] : undefined;
  if (!fn || !last) return { called: false, missing: true, next, failing: throws, task };
  const own = scope.executor ? scope.task : l.task(node, scope.frame, scope.task, 'callback');
  const result = l.e.evaluate(node as Expression, scope.frame);
  const error: Value = { kind: 'error', from: node, frame: scope.frame, path: [] };
  const id = scope.frame.key(node);
  const ok = l.inline(fn, node, scope, [() => constant(null), () => result], next, next, { task: own, resultTask: own, label: 'ok' });
  const left = l.node({ kind: 'caught', error: id }, [next]);
  const inner: Scope = { ...scope, catches: [...scope.catches, id] };
  const bad = l.inline(fn, node, inner, [() => error, () => constant(undefined)], left, left, { task: own, resultTask: own, label: 'error' });
  return { called: true, missing: false, next: ok, failing: l.catchNode(last, last, id, { ...scope, task: own }, bad, { by: 'callback' }), task: own };
}

function transaction(l: Lowering, call: Call, callee: LibraryValue, receiver: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number, task: Task | undefined): number {
  const facts = call.transaction;
  if (!facts) return next;
  const broker = facts.broker === true;
  const key = scope.frame.key(node);
  const name = callName(node);
  const place = l.place(node);
  if (facts.ends) {
    return l.node({ kind: facts.ends, handle: receiver.root, place, broker, name, task }, [next], facts.ends === 'commit' ? throws : undefined);
  }
  const callback = facts.callback === undefined ? undefined : argument(l.e, args, facts.callback, callee);
  const lastFunction = callback?.kind === 'function' ? callback : args.nodes.map((n) => l.e.evaluate(n, scope.frame)).find((v) => v.kind === 'function');
  if (facts.callback !== undefined && lastFunction?.kind === 'function') {
    const handle = `tx:${key}:0`;
    const commit = l.node({ kind: 'commit', handle, place, broker, name }, [next], throws);
    const rollback = l.node({ kind: 'rollback', handle, place, broker, name }, [throws]);
    const params = (facts.params ?? []).map((p, i): Thunk => () => paramValue(l.e, callee, p, key, i === 0 ? handle : `tx:${key}:${i}`));
    const body = l.inline(lastFunction, node, scope, params, commit, rollback, { task, resultTask: task });
    return l.node({ kind: 'begin', handle, place, broker, name }, [body], throws);
  }
  if (facts.begins === undefined) return next;
  const handle = facts.begins === 'result' ? key : receiver.root;
  return l.node({ kind: 'begin', handle, place, broker, name }, [next], throws);
}

function runs(l: Lowering, list: readonly Runs[], callee: LibraryValue, node: CallLike, args: Args, scope: Scope, next: number, throws: number): number {
  for (const r of [...list].reverse()) {
    const value = argument(l.e, args, r.function, callee);
    const fns = value ? options(value).filter((v): v is Func => v.kind === 'function') : [];
    if (fns.length === 0) continue;
    const key = scope.frame.key(node);
    const params = (r.params ?? []).map((p): Thunk => () => paramValue(l.e, callee, p, key));
    const drained = r.drainedBy !== undefined && isDrained(node, r.drainedBy);
    const gone = r.promise === 'detached' && !scope.executor && !drained ? l.task(node, scope.frame, scope.task, /setTimeout|setImmediate|nextTick|setInterval/.test(callName(node)) ? 'timer' : 'detached') : undefined;
    const own = gone ?? (drained ? scope.task : l.fate(node, scope).task);
    const step = r.step ? key : scope.step;
    const items = r.over === undefined ? (drained && r.times === 'many' ? UNKNOWN : undefined) : (argument(l.e, args, r.over, callee) ?? UNKNOWN);
    const given = params.length === 0 && items ? [(): Value => l.e.element(items)] : params;
    const bodies = (to: number, around: Partial<Scope>): number[] => {
      const failing = gone || (drained && r.promise === 'detached') || r.errors === 'swallow' ? to : throws;
      return fns.map((fn) => l.inline(fn, node, scope, given, to, failing, { task: own, resultTask: own, scope: { ...around, step }, label: `runs:${r.function}` }));
    };
    if (items) next = turns(l, node, items, next, (head, { batch, ...around }) => bodies(head, { ...around, ...(batch && { parallel: true }) }));
    else next = r.times === 'many' && !r.step ? l.choice([...bodies(next, {}), next]) : l.choice(bodies(next, {}));
  }
  return next;
}

