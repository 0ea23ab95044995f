import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, isAsync, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';
import { isCallbackOfPromise, madeAsync, unique } from './async.js';
import { isInlineFunction, methodOf, needsParentheses, outcomeOf, walkOwn } from './code.js';
import { edit, isHandler, nodesAt, type FixContext } from './context.js';
import { forOf, isForEach } from './for-of.js';
import { isCatchHandler, thrownOn } from './rethrow.js';
import { letThrough } from './surroundings.js';

const TIMERS = /^(setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|after|waitUntil|defer|on|once|addListener|addEventListener)$/;

/** Waits for a promise that nobody waits for: `await`, or `return` where the function is not async. */
export function waitFor(request: Extract<FixRequest, { kind: 'await' }>, context: FixContext): Suggestion[] {
  const nodes = nodesAt(request.call, context);
  const each = nodes.find((n) => isForEach(n));
  if (each) return forOf({ kind: 'for-of', call: request.call }, context);
  const root = nodes.find((n) => !ts.isStatement(n)) as Expression | undefined;
  const fn = root && enclosingFunction(root);
  if (!root || !fn || !givesPromise(root)) return [];
  const caught = rethrownInChain(root, context);
  const around = letThrough(root, fn, context);
  if (!caught || !around) return [];
  const made = returned(root, fn, context) ?? awaited(root, fn, context);
  return made ? [{ title: made.title, edits: unique([...made.edits, ...caught, ...around]) }] : [];
}

/** Timers, listeners and node-style callbacks give no promise. */
function givesPromise(root: Expression): boolean {
  if (ts.isBinaryExpression(root) && root.operatorToken.kind === ts.SyntaxKind.EqualsToken) return false;
  if (!ts.isCallExpression(root)) return true;
  if (TIMERS.test(methodOf(root))) return false;
  // A list that promises are put into gives none; a queue that functions are put into does.
  if (/^(push|add|unshift)$/.test(methodOf(root)) && !isInlineFunction(root.arguments[0])) return false;
  const last = root.arguments.at(-1);
  if (/^(then|catch|finally|map|flatMap)$/.test(methodOf(root)) || !isInlineFunction(last) || isAsync(last)) return true;
  const [first] = last.parameters;
  return first !== undefined && !/^_?(e|er|err|error)$/i.test(first.name.getText());
}

/** `return` where the function is not async and nothing follows. */
function returned(root: Expression, fn: FunctionNode, context: FixContext): { title: string; edits: Edit[] } | undefined {
  if (isAsync(fn) || (!isHandler(fn, context) && !isCallbackOfPromise(fn))) return undefined;
  // Callbacks and a fixed return type: async would not help there, or is written by `awaited`.
  if (fn.type || !madeAsync(fn, context)) return undefined;
  const source = root.getSourceFile();
  if (ts.isVoidExpression(root.parent) && ts.isArrowFunction(root.parent.parent)) {
    return { title: 'Return the promise', edits: [edit(source, root.parent.getStart(source), root.getStart(source), '', context)] };
  }
  const whole = ts.isVoidExpression(root.parent) ? root.parent : root;
  const statement = whole.parent;
  if (!ts.isExpressionStatement(statement) || !fn.body || !ts.isBlock(fn.body) || fn.body.statements.at(-1) !== statement) return undefined;
  let others = false;
  walkOwn(fn.body, (n) => {
    others ||= ts.isReturnStatement(n);
    return true;
  });
  if (others || isList(root)) return undefined;
  return { title: 'Return the promise', edits: [edit(source, whole.getStart(source), root.getStart(source), 'return ', context)] };
}

function awaited(root: Expression, fn: FunctionNode, context: FixContext): { title: string; edits: Edit[] } | undefined {
  const asynchronous = madeAsync(fn, context);
  if (!asynchronous || inParameters(root, fn)) return undefined;
  const source = root.getSourceFile();
  const whole = ts.isVoidExpression(root.parent) ? root.parent : root;
  const [open, close] = isList(root) ? ['await Promise.all(', ')'] : needsParentheses(root) ? ['await (', ')'] : ['await ', ''];
  const edits = [...asynchronous, edit(source, whole.getStart(source), root.getStart(source), open, context)];
  if (close) edits.push(edit(source, root.end, root.end, close, context));
  return { title: isList(root) ? 'Await all of them' : 'Await the promise', edits };
}

function isList(root: Expression): boolean {
  return ts.isArrayLiteralExpression(root) || (ts.isCallExpression(root) && methodOf(root) === 'map' && root.arguments.length === 1 && isInlineFunction(root.arguments[0]));
}

function inParameters(node: Node, fn: FunctionNode): boolean {
  return fn.parameters.some((p) => p.pos <= node.pos && node.end <= p.end);
}

/** A `.catch` of the chain that only drops the error throws it again, or awaiting would end in silence. */
function rethrownInChain(root: Expression, context: FixContext): Edit[] | undefined {
  const edits: Edit[] = [];
  for (let n: Expression = root; ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression); n = n.expression.expression) {
    const handler = (n as Compiler.CallExpression).arguments.find((a) => isCatchHandler(a));
    if (!handler) continue;
    const outcome = !isInlineFunction(handler) ? 'drops' : ts.isBlock(handler.body) ? outcomeOf(handler.body) : 'drops';
    if (outcome === 'unknown') return undefined;
    if (outcome !== 'drops') continue;
    const more = thrownOn(handler, context);
    if (!more) return undefined;
    edits.push(...more);
  }
  return edits;
}
