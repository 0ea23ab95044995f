import type { Evaluator } from '../origin/evaluate.js';
import { returnExpressions } from '../origin/evaluate.js';
import { ingredients } from '../origin/stability.js';
import { options, type Func, type Value } from '../origin/value.js';
import { ts, boundNames, enclosingFunction, unwrap, type CallLike, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';
import { runAtTheEndOf } from './local-loop.js';
import type { ProgramIndex } from './program-index.js';
import { handlersIn, type Registered } from './registered.js';

/** A function that a client calls with messages. */
export interface Target {
  fn: Func;
  registered: Registered;
}

const MAX_LIFT = 3;

/** The functions behind a registration. */
export function targetsOf(e: Evaluator, index: ProgramIndex, registered: Registered): Target[] {
  if (registered.receive) return around(e, index, registered.receive, 0).map((fn) => ({ fn, registered }));
  return [...functionsOf(e, index, registered.handler), ...processorFile(e, registered)].map((fn) => ({ fn, registered }));
}

function functionsOf(e: Evaluator, index: ProgramIndex, value: Value): Func[] {
  return options(value).flatMap((v): Func[] => {
    switch (v.kind) {
      case 'function':
        return [v];
      case 'parameter':
        return index.argumentsFor(v).flatMap((a) => functionsOf(e, index, a));
      case 'derived':
        if (v.operator === 'result') return index.given(v).filter((f): f is Func => f.kind === 'function');
        return handlersIn(e, v);
      case 'library':
        return handlersIn(e, v);
      default:
        return [];
    }
  });
}

/** `(message) => handle(message)` is nothing but a call, by which a parameter or a part of one is passed on. */
export function onlyCalls(node: FunctionNode): Compiler.CallExpression | undefined {
  let body = ts.isArrowFunction(node) ? onlyExpression(node.body) : undefined;
  while (body && ts.isAwaitExpression(body)) body = unwrap(body.expression);
  if (!body || !ts.isCallExpression(body)) return undefined;
  const names = new Set(node.parameters.flatMap((p) => boundNames(p.name)).map((n) => n.text));
  return body.arguments.some((a) => ts.isIdentifier(a) && names.has(a.text)) ? body : undefined;
}

/** What a function consists of, if it is a single expression. */
function onlyExpression(body: Compiler.ConciseBody): Expression | undefined {
  if (!ts.isBlock(body)) return unwrap(body);
  const [only] = body.statements;
  if (!only || body.statements.length > 1 || !(ts.isExpressionStatement(only) || ts.isReturnStatement(only))) return undefined;
  return only.expression && unwrap(only.expression);
}

/** `(message) => this.onOrder(message)` only passes on: the function that it calls is what a reader takes for the handler. */
export function forwardsTo(e: Evaluator, fn: Func): Func | undefined {
  const { node } = fn;
  const body = onlyCalls(node);
  if (!body || (node.body && ts.isBlock(node.body))) return undefined;
  const callee = options(e.evaluate(body.expression, e.openChild(node, fn.frame)));
  const [only] = callee;
  return callee.length === 1 && only?.kind === 'function' ? only : undefined;
}

/**
 * The function around a receive call, or around a call that verifies a webhook. A function that only hands the message
 * on to its caller is none: its callers are.
 */
function around(e: Evaluator, index: ProgramIndex, node: Node, depth: number): Func[] {
  // receive(params, (error, data) => …): the callback handles what was received.
  if (depth === 0 && ts.isCallExpression(node)) {
    const last = node.arguments.at(-1);
    const callback = last && options(e.evaluate(last, e.openFrame(node))).find((v): v is Func => v.kind === 'function');
    if (callback && callback.node.parameters.length > 1) return [callback];
  }
  const fn = enclosingFunction(node);
  if (!fn) return [];
  if (depth < MAX_LIFT) {
    const call = passedTo(fn);
    if (call && (returnsDirectly(fn, node) || isAwaited(call))) return around(e, index, call, depth + 1);
    if (handsOn(e, fn, node)) {
      const sites = index.callSites(fn).filter((s) => s.node !== node);
      const lifted = sites.flatMap((s) => around(e, index, s.node, depth + 1));
      if (lifted.length) return unique(lifted);
    }
    const run = runAtTheEndOf(fn);
    if (run) return around(e, index, run, depth + 1);
  }
  const frame = e.openFrame(fn);
  const self = ts.isClassLike(fn.parent) ? e.injected(fn.parent, e.openFrame(fn.parent)) : undefined;
  return [{ kind: 'function', node: fn, frame, ...(self && { self }) }];
}

function unique(list: Func[]): Func[] {
  return list.filter((f, i) => list.findIndex((g) => g.node === f.node) === i);
}

/** `await tracer.trace('poll', async () => { … receive … })`: the code around the helper is the handler. */
function isAwaited(call: CallLike): boolean {
  return ts.isAwaitExpression(call.parent);
}

/** A processor that is given as a path: the handler is what that file exports. */
function processorFile(e: Evaluator, registered: Registered): Func[] {
  const node = registered.args?.nodes.at(-1);
  if (!node || options(registered.handler).some((v) => v.kind === 'function')) return [];
  const literal = /['"`]([^'"`]+?)(?:\.[cm]?[jt]s)?['"`]\s*\)?$/.exec(node.getText());
  if (!literal?.[1] || !/__dirname|import\.meta|\//.test(node.getText())) return [];
  const from = node.getSourceFile();
  const found = e.required(`./${literal[1].replace(/^\.?\//, '')}`, from);
  const exported = found.kind === 'module' ? e.moduleExport(found.source, 'default') : found;
  return options(exported).filter((v): v is Func => v.kind === 'function');
}

/** The call that a function literal is an argument of. */
function passedTo(fn: FunctionNode): CallLike | undefined {
  const { parent } = fn;
  return ts.isCallExpression(parent) && parent.arguments.some((a) => a === (fn as Node)) ? parent : undefined;
}

function returnsDirectly(fn: FunctionNode, node: Node): boolean {
  return returnExpressions(fn).some((r) => {
    if (!r) return false;
    let n = unwrap(r);
    while (ts.isAwaitExpression(n)) n = unwrap(n.expression);
    return n === node;
  });
}

/** Gives the message, or the list of messages, back to its caller. */
function handsOn(e: Evaluator, fn: FunctionNode, node: Node): boolean {
  const frame = e.openChild(fn, e.openFrame(fn));
  const key = frame.key(node);
  return returnExpressions(fn).some((r) => {
    if (!r) return false;
    return ingredients(e, e.evaluate(r, frame)).some((v) => v.kind === 'library' && (v.call === key || (v.root === key && (v.shape.message === true || v.shape.batch === true))));
  });
}

/** Does a call hand a part of the message on? */
export function carriesMessage(e: Evaluator, values: readonly Value[]): boolean {
  return values.some((v) => ingredients(e, v).some((i) => i.kind === 'library' && (i.shape.message === true || i.shape.batch === true || i.stability === 'producer-stable' || i.stability === 'broker-stable')));
}

