import { ts, type Compiler } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import type { Evaluator } from './evaluate.js';
import type { Frame } from './frame.js';
import { textsOf } from './folders.js';
import { SPELLING, spelled } from './spelling.js';
import { isOwnObject, UNKNOWN, constant, options, union, type Func, type ListValue, type Value } from './value.js';

/** Functions of the language that give back what they are given, as far as origin goes. */
const PASS = new Set(['Object.freeze', 'Object.seal', 'Object.assign', 'structuredClone', 'Promise.resolve', 'Object.create', 'Array.from', 'Promise.all', 'Promise.allSettled', 'Promise.race', 'Promise.any']);
const DERIVE = new Set([
  'String', 'Number', 'BigInt', 'Boolean', 'parseInt', 'parseFloat', 'JSON.parse', 'JSON.stringify', 'Buffer.from', 'Buffer.concat', 'atob', 'btoa', 'encodeURIComponent', 'decodeURIComponent',
  'Date.parse', 'Math.max', 'Math.min', 'Math.round', 'Math.floor', 'Math.abs', 'Number.parseInt', 'Number.parseFloat', 'Object.keys', 'Object.fromEntries', 'TextDecoder.decode',
]);
const MINT = new Set(['Date.now', 'Math.random', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime', 'crypto.randomUUID', 'crypto.getRandomValues', 'Date']);
/** Array methods whose result holds elements of the receiver. */
const SAME_ELEMENTS = new Set(['filter', 'slice', 'sort', 'reverse', 'concat', 'splice', 'toSorted', 'values', 'flat']);
const ONE_ELEMENT = new Set(['find', 'findLast', 'at', 'pop', 'shift']);

/** The result of a call of the language itself; undefined for every other call. */
export function builtinCall(e: Evaluator, node: Compiler.CallExpression, frame: Frame): Value | undefined {
  const name = globalName(node.expression);
  if (name !== undefined) {
    if (MINT.has(name)) return { kind: 'derived', operator: 'call', parts: [], minted: `${name}()`, node };
    const [first] = node.arguments;
    if (name === 'Array.from' && first && node.arguments[1]) return mapped(e, e.evaluate(first, frame), node.arguments[1], node, frame);
    if (PASS.has(name)) return first ? e.evaluate(first, frame) : UNKNOWN;
    if (DERIVE.has(name)) return { kind: 'derived', operator: 'call', parts: node.arguments.map((a) => e.evaluate(a, frame)), node };
    if (name === 'Object.values' || name === 'Object.entries') {
      const object = first ? e.evaluate(first, frame) : UNKNOWN;
      if (object.kind === 'unknown') return UNKNOWN;
      const element = e.element(object);
      return { kind: 'list', elements: name === 'Object.values' ? options(element) : options(element).map((v) => ({ kind: 'list' as const, elements: [UNKNOWN, v] })) };
    }
    return undefined;
  }
  if (!ts.isPropertyAccessExpression(node.expression)) return undefined;
  const method = node.expression.name.text;
  switch (method) {
    case 'then':
      return thenResult(e, node, frame);
    case 'catch':
      return caughtResult(e, node, frame);
    case 'finally':
      return e.evaluate(node.expression.expression, frame);
    case 'bind':
      return boundFunction(e, node, frame);
    case 'call':
    case 'apply': {
      const fn = e.evaluate(node.expression.expression, frame);
      if (fn.kind !== 'function') return undefined;
      const self = node.arguments[0] && e.evaluate(node.arguments[0], frame);
      return e.returned({ ...fn, ...(self && self.kind !== 'unknown' && { self }) }, node, frame, e.thunks(node.arguments.slice(1), frame));
    }
  }
  const receiver = rowsOf(e.evaluate(node.expression.expression, frame), method);
  return collectionMethod(e, receiver, method, node, frame) ?? stableMethod(receiver, method, node, e, frame);
}

/** What a statement gave is no statement any more: a method that its builder does not have is one of the rows, or of a value in them. */
function rowsOf(receiver: Value, method: string): Value {
  if (receiver.kind !== 'library' || receiver.call === undefined || !receiver.shape.builder || receiver.shape.builder.methods[method]) return receiver;
  const { chain: _, ...rows } = receiver;
  void _;
  const { builder: __, ...shape } = receiver.shape;
  void __;
  return { ...rows, shape };
}

/** Methods of lists and maps. */
function collectionMethod(e: Evaluator, receiver: Value, method: string, node: Compiler.CallExpression, frame: Frame): Value | undefined {
  if (receiver.kind === 'parameter' && (SAME_ELEMENTS.has(method) || ONE_ELEMENT.has(method) || method === 'get')) return SAME_ELEMENTS.has(method) ? receiver : e.element(receiver);
  const isList = receiver.kind === 'list' || (receiver.kind === 'collection' && receiver.of !== 'object');
  const isBatch = receiver.kind === 'library' && (receiver.shape.batch || receiver.shape.element !== undefined) && !receiver.shape.members?.[method];
  const isResult = receiver.kind === 'library' && receiver.call !== undefined && !receiver.shape.members?.[method] && !receiver.shape.builder && !receiver.shape.anyMember;
  // A list in the message: what is made of each of its elements.
  const isPart = receiver.kind === 'library' && receiver.stability !== undefined && !receiver.shape.members?.[method] && (method === 'map' || method === 'flatMap');
  if (!isList && !isBatch && !isResult && !isPart && !(receiver.kind === 'derived' && receiver.operator === 'element')) return undefined;
  const [first] = node.arguments;
  if (method === 'map' && first) return mapped(e, receiver, first, node, frame);
  // Each element may give none or several.
  if (method === 'flatMap' && first) return { ...mapped(e, receiver, first, node, frame), of: undefined };
  if (method === 'get' && receiver.kind === 'collection') return e.element(receiver);
  if (method === 'keys' && receiver.kind === 'collection') return UNKNOWN;
  if (method === 'entries' && receiver.kind === 'collection') return { kind: 'list', elements: options(e.element(receiver)).map((v) => ({ kind: 'list' as const, elements: [UNKNOWN, v] })) };
  if (SAME_ELEMENTS.has(method)) {
    if (receiver.kind === 'collection') return { kind: 'list', elements: options(e.element(receiver)) };
    return receiver.kind === 'list' && /^(concat|splice|flat)$/.test(method) ? { ...receiver, single: false } : receiver;
  }
  if (ONE_ELEMENT.has(method)) return e.element(receiver);
  if (method === 'reduce' || method === 'join' || method === 'includes' || method === 'some' || method === 'every' || method === 'has' || method === 'indexOf') {
    return { kind: 'derived', operator: `.${method}`, call: frame.key(node), parts: [receiver, ...(first ? [first].filter((a) => !ts.isArrowFunction(a)).map((a) => e.evaluate(a, frame)) : [])], node };
  }
  return undefined;
}

function mapped(e: Evaluator, list: Value, callback: Compiler.Expression, node: Compiler.CallExpression, frame: Frame): ListValue {
  const fn = e.evaluate(callback, frame);
  const element = e.element(list);
  const batch = (list.kind === 'list' && list.batch) || (list.kind === 'library' && list.shape.batch);
  const single = list.kind === 'list' && list.single === true && !/flatMap$/.test(node.expression.getText());
  if (fn.kind !== 'function') return { kind: 'list', elements: element.kind === 'unknown' ? [] : [{ kind: 'derived', operator: 'call', parts: [element], node }], of: list, ...(batch && { batch: true }) };
  const result = e.returned(fn, node, frame, [() => element]);
  return { kind: 'list', elements: [result.kind === 'unknown' ? { kind: 'derived', operator: 'call', parts: [element], node } : result], of: list, ...(batch && { batch: true }), ...(single && { single }) };
}

/** String, Buffer and date methods: as stable as what they are called on. */
function stableMethod(receiver: Value, method: string, node: Compiler.CallExpression, e: Evaluator, frame: Frame): Value | undefined {
  const known = knownText(e, receiver, method, node, frame);
  if (known) return known;
  if (receiver.kind === 'text' || receiver.kind === 'constant' || (receiver.kind === 'derived' && receiver.operator !== 'namespace')) {
    return { kind: 'derived', operator: `.${method}`, parts: [receiver, ...node.arguments.slice(0, 3).filter((a) => !ts.isArrowFunction(a) && !ts.isFunctionExpression(a)).map((a) => e.evaluate(a, frame))], node, ...(receiver.kind === 'derived' && receiver.minted && { minted: receiver.minted }) };
  }
  return undefined;
}

/** `file.replace('.js', '')` of texts that are known. */
function knownText(e: Evaluator, receiver: Value, method: string, node: Compiler.CallExpression, frame: Frame): Value | undefined {
  if (!SPELLING.has(method)) return undefined;
  const texts = textsOf(receiver);
  const all = texts?.map((text) => spelled(text, method, node.arguments, (a) => textsOf(e.evaluate(a, frame))));
  const made = all?.filter((v) => v !== undefined);
  return made && made.length > 0 && made.length === all?.length ? union(made) : undefined;
}

function thenResult(e: Evaluator, node: Compiler.CallExpression, frame: Frame): Value {
  const access = node.expression as Compiler.PropertyAccessExpression;
  const base = e.evaluate(access.expression, frame);
  const [callback] = node.arguments;
  const fn = callback && e.evaluate(callback, frame);
  if (fn?.kind !== 'function') return base;
  return e.returned(fn, node, frame, [() => base]);
}

function caughtResult(e: Evaluator, node: Compiler.CallExpression, frame: Frame): Value {
  const access = node.expression as Compiler.PropertyAccessExpression;
  const base = e.evaluate(access.expression, frame);
  const [callback] = node.arguments;
  const fn = callback && e.evaluate(callback, frame);
  if (fn?.kind !== 'function') return base;
  return union([base, e.returned(fn, node, frame, [() => ({ kind: 'error', from: node, frame, path: [] })])]);
}

function boundFunction(e: Evaluator, node: Compiler.CallExpression, frame: Frame): Value | undefined {
  const fn = e.evaluate((node.expression as Compiler.PropertyAccessExpression).expression, frame);
  const self = node.arguments[0] && e.evaluate(node.arguments[0], frame);
  const bind = (f: Func): Func => {
    const rest = e.thunks(node.arguments.slice(1), frame);
    return { ...f, ...(self && self.kind !== 'unknown' && !(self.kind === 'constant') && { self }), ...(rest.length && { bound: [...(f.bound ?? []), ...rest] }) };
  };
  if (fn.kind === 'function') return bind(fn);
  if (fn.kind === 'library') return fn;
  if (fn.kind === 'parameter') return isOwnObject(self) ? { ...fn, self } : fn;
  if (fn.kind === 'union') return union(fn.options.map((o) => (o.kind === 'function' ? bind(o) : o)));
  return undefined;
}

/** `new` of the language's own classes. */
export function builtinNew(e: Evaluator, node: Compiler.NewExpression, frame: Frame): Value | undefined {
  const name = globalName(node.expression);
  if (name === undefined) return undefined;
  const args = node.arguments ?? [];
  if (name === 'Date') {
    if (args.length === 0) return { kind: 'derived', operator: 'call', parts: [], minted: 'new Date()', node };
    return { kind: 'derived', operator: 'call', parts: args.map((a) => e.evaluate(a, frame)), node };
  }
  if (name === 'Map' || name === 'Set' || name === 'WeakMap' || name === 'WeakSet') {
    const [first] = args;
    const from = first ? e.evaluate(first, frame) : UNKNOWN;
    if (name === 'Set' && from.kind === 'list') return from;
    return { kind: 'collection', of: name.endsWith('Map') ? 'map' : 'set', holder: '', scope: node.getSourceFile(), frame, initial: from.kind === 'list' ? from.elements.map((x) => (x.kind === 'list' ? (x.elements[1] ?? UNKNOWN) : x)) : [], id: `c${frame.key(node)}` };
  }
  if (name === 'Promise') return promiseResult(e, node, frame);
  if (name === 'Error' || name.endsWith('Error')) return { kind: 'derived', operator: 'error', parts: [], node };
  if (name === 'URL' || name === 'TextDecoder' || name === 'TextEncoder' || name === 'URLSearchParams' || name === 'Uint8Array' || name === 'Intl.NumberFormat' || name === 'RegExp' || name === 'Headers') {
    return { kind: 'derived', operator: 'call', parts: args.slice(0, 3).map((a) => e.evaluate(a, frame)), node };
  }
  return undefined;
}

/** The value that the executor hands to `resolve`. */
function promiseResult(e: Evaluator, node: Compiler.NewExpression, frame: Frame): Value {
  const [executor] = node.arguments ?? [];
  if (!executor || (!ts.isArrowFunction(executor) && !ts.isFunctionExpression(executor))) return UNKNOWN;
  const resolve = executor.parameters[0];
  if (!resolve || !ts.isIdentifier(resolve.name)) return UNKNOWN;
  const name = resolve.name.text;
  const found: Value[] = [];
  const inner = frame.enter(node, executor, frame, [() => ({ kind: 'resolver', promise: frame.key(node), rejects: false }), () => ({ kind: 'resolver', promise: frame.key(node), rejects: true })], undefined);
  if (!inner) return UNKNOWN;
  const visit = (n: Compiler.Node): void => {
    if (ts.isCallExpression(n) && ts.isIdentifier(n.expression) && n.expression.text === name && n.arguments[0] && lookup(name, n) === resolve) {
      found.push(e.evaluate(n.arguments[0], enclosingFrame(e, n, executor, inner)));
    }
    ts.forEachChild(n, visit);
  };
  visit(executor.body);
  return found.length ? union(found) : constant(undefined);
}

function enclosingFrame(e: Evaluator, n: Compiler.Node, outer: Compiler.Node, frame: Frame): Frame {
  let f = frame;
  const chain: Compiler.Node[] = [];
  for (let p = n.parent; p && p !== outer; p = p.parent) if (ts.isArrowFunction(p) || ts.isFunctionExpression(p)) chain.unshift(p);
  for (const fn of chain) f = e.openChild(fn as Compiler.ArrowFunction, f);
  return f;
}

/** `Date.now`, `JSON.parse`: a name of the language that nothing in the file hides. */
export function globalName(expression: Compiler.Expression): string | undefined {
  if (ts.isIdentifier(expression)) return lookup(expression.text, expression) ? undefined : expression.text;
  if (ts.isPropertyAccessExpression(expression)) {
    const left = globalName(expression.expression);
    if (left === 'globalThis' || left === 'window' || left === 'global') return expression.name.text;
    return left === undefined ? undefined : `${left}.${expression.name.text}`;
  }
  return undefined;
}
