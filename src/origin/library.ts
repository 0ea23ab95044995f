import type { Bound } from '../catalog/catalog.js';
import type { ArgPath, Condition, Shape } from '../catalog/schema.js';
import type { Stability } from '../model/effect.js';
import { ts, type CallLike } from '../syntax/compiler.js';
import type { Evaluator } from './evaluate.js';
import type { Frame } from './frame.js';
import { stabilityOf } from './stability.js';
import { UNKNOWN, constant, union, type Args, type CallKey, type LibraryValue, type Value } from './value.js';

interface Given {
  root: string;
  name: string;
  call?: CallKey;
  path?: string[];
  parent?: LibraryValue;
  member?: string;
  args?: Args;
  stability?: Stability;
  typeArgs?: string[];
}

/** A value of a catalogued shape. */
export function shapeValue(bound: Bound, given: Given): Value {
  const { shape, library } = bound;
  if (shape.constant !== undefined) return constant(shape.constant);
  const stability = shape.stability ?? given.stability;
  return {
    kind: 'library',
    library,
    shape,
    root: given.root,
    name: given.name,
    path: given.path ?? [],
    ...(given.call !== undefined && { call: given.call }),
    ...(given.parent && { parent: given.parent }),
    ...(given.member !== undefined && { member: given.member }),
    ...(given.args && { args: given.args }),
    ...(stability && { stability }),
    ...(given.typeArgs?.length && { typeArgs: given.typeArgs }),
  };
}

/** `value.name` on a library value; undefined where nothing is known of it. */
export function libraryMember(evaluator: Evaluator, value: LibraryValue, name: string): Value | undefined {
  const { catalog } = evaluator;
  const { shape, library } = value;
  const own = shape.members && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
  const ref = own ?? promised(shape, name) ?? (isOrdinary(name) ? undefined : shape.anyMember);
  const bound = catalog.bind(ref, library);
  const given: Given = {
    root: value.root,
    name: name === '*' ? value.name : /^\d+$/.test(name) ? `${value.name}[${name}]` : `${value.name}.${name}`,
    path: [...value.path, name],
    parent: value,
    member: name,
    ...(value.call !== undefined && { call: value.call }),
    ...(value.stability && !bound?.shape.message && { stability: value.stability }),
    ...(value.args && { args: value.args }),
  };
  if (bound) {
    const made = shapeValue(bound, given);
    // A method of a chain stays in the chain.
    return made.kind === 'library' && value.chain ? { ...made, chain: value.chain } : made;
  }
  if (shape.builder) return { ...value, parent: value, member: name, path: [...value.path, name], name: `${value.name}.${name}` };
  if (/^\d+$/.test(name) && shape.element) return evaluator.element(value);
  if (value.stability || value.call !== undefined || shape.message) {
    return { kind: 'library', library, shape: { ...(value.stability && { stability: value.stability }) }, ...given, path: given.path ?? [] };
  }
  return undefined;
}

/** `client.delAsync(key)` after `promisifyAll`, or the same by hand: a method that takes a callback, as one that gives a promise. */
function promised(shape: Shape, name: string): Shape | undefined {
  const plain = /^(\w+)Async$/.exec(name)?.[1];
  const ref = plain !== undefined && shape.members && Object.hasOwn(shape.members, plain) ? shape.members[plain] : undefined;
  return typeof ref === 'object' && ref.call?.nodeCallback ? ref : undefined;
}

/** Members that every object has; a proxy-like `anyMember` does not mean them. */
function isOrdinary(name: string): boolean {
  return name === 'then' || name === 'catch' || name === 'finally' || name === 'toString' || name === 'bind' || name === 'call' || name === 'apply' || name === 'constructor' || name === 'prototype';
}

/** The result of calling a library's function. */
export function libraryCall(evaluator: Evaluator, callee: LibraryValue, node: CallLike, args: Args, frame: Frame, isNew = false): Value {
  const { catalog } = evaluator;
  const { call } = callee.shape;
  const receiver = receiverOf(callee);
  // A method of what a property of the rows holds (`rows[0].balance.toFixed(2)`) is none of the statement's.
  if (receiver.chain && receiver.shape.builder && receiver.path.length === 0 && callee.member !== undefined && !call) {
    return { ...receiver, chain: [...receiver.chain, { method: callee.member, args, node }], call: frame.key(node), path: [] };
  }
  if (!call) return unknownCall(evaluator, callee, node, args);
  if (call.mints !== undefined && !(call.derives && args.nodes.length)) return { kind: 'derived', operator: 'call', parts: [], minted: call.mints, node };
  if (call.derives) return { kind: 'derived', operator: 'call', parts: [...(callee.parent?.call !== undefined || callee.parent?.stability ? [callee.parent] : []), ...args.nodes.slice(0, 4).map((n) => evaluator.evaluate(n, args.frame))], node, ...(call.condition && { condition: call.condition }) };
  if (call.returns === 'this') return receiver.chain ? { ...receiver, chain: [...receiver.chain, { method: callee.member ?? '', args, node }] } : receiver;
  if (typeof call.returns === 'string' && /^\d+$/.test(call.returns)) return argument(evaluator, args, call.returns, callee) ?? UNKNOWN;
  const key = frame.key(node);
  const command = call.sends === undefined ? undefined : commandOf(argument(evaluator, args, call.sends, callee));
  const bound = command ? catalog.bind(command.shape.command?.returns, command.library) : catalog.bind(call.returns, callee.library);
  const begins = call.transaction?.begins === 'result';
  const named = call.identifiedBy === undefined ? undefined : argument(evaluator, args, call.identifiedBy, callee);
  const given: Given = {
    ...(call.identifiedBy !== undefined && { stability: named ? stabilityOf(evaluator, named).stability : 'minted' }),
    root: isNew || begins || (receiver === callee && !bound?.shape.builder) || (bound?.shape.connection && !receiver.shape.connection) ? key : receiver.root,
    name: nameOfResult(callee, isNew),
    call: key,
    parent: receiver,
    args,
    ...(callee.typeArgs && { typeArgs: callee.typeArgs }),
  };
  const typeArgs = 'typeArguments' in node ? node.typeArguments?.map((t) => t.getText()) : undefined;
  if (typeArgs?.length) given.typeArgs = typeArgs;
  if (bound) {
    // A method of a stable value that gives a new thing is not the message any more, unless it says so.
    const made = shapeValue(bound, given);
    if (made.kind === 'library' && made.shape.builder) return { ...made, chain: [{ method: callee.member ?? '', args, node }] };
    return made;
  }
  const runs = call.runs?.find((r) => r.returns);
  if (runs) {
    const fn = argument(evaluator, args, runs.function, callee);
    const results = (fn ? [fn] : []).flatMap((f) => (f.kind === 'union' ? f.options : [f])).filter((f) => f.kind === 'function');
    const params = runs.params ?? [];
    const found = results.map((f) => evaluator.returned(f, node, frame, params.map((p) => () => paramValue(evaluator, callee, p, key))));
    return found.length ? union(found) : UNKNOWN;
  }
  if (call.transaction?.callback !== undefined) {
    const fn = argument(evaluator, args, call.transaction.callback, callee);
    if (fn?.kind === 'function') {
      const params = call.transaction.params ?? [];
      return evaluator.returned(fn, node, frame, params.map((p, i) => () => paramValue(evaluator, callee, p, key, `tx:${key}:${i}`)));
    }
  }
  if (callee.stability && !call.effect) return { ...callee, shape: { stability: callee.stability }, call: key };
  return { kind: 'library', library: callee.library, shape: {}, root: given.root, name: given.name, call: key, path: [], parent: receiver, args };
}

/** What a method is called on; a client that is called itself (`knex('t')`) is its own receiver. */
export function receiverOf(callee: LibraryValue): LibraryValue {
  return callee.member !== undefined ? (callee.parent ?? callee) : callee;
}

/** A method that the catalog does not name, on a value of a library: what it gives was made from the value. */
function unknownCall(evaluator: Evaluator, callee: LibraryValue, node: CallLike, args: Args): Value {
  const of = callee.parent ?? callee;
  if (of.stability) return { kind: 'derived', operator: `.${callee.member ?? 'call'}`, parts: [of, ...args.nodes.slice(0, 3).filter((n) => !ts.isArrowFunction(n) && !ts.isFunctionExpression(n)).map((n) => evaluator.evaluate(n, args.frame))], node };
  if (of.call !== undefined) return { kind: 'library', library: callee.library, shape: {}, root: of.root, name: callee.name, call: of.call, path: [...of.path, `${callee.member ?? ''}()`], parent: of, args };
  return UNKNOWN;
}

/** The command object that a client is given to send. */
function commandOf(value: Value | undefined): LibraryValue | undefined {
  if (value?.kind === 'union') return value.options.map(commandOf).find((c) => c !== undefined);
  return value?.kind === 'library' && value.shape.command ? value : undefined;
}

/** The value of a parameter that a library hands to a callback. */
export function paramValue(evaluator: Evaluator, callee: LibraryValue, ref: NonNullable<Bound['shape']['element']>, call: CallKey, root = `${call}:param`): Value {
  const bound = evaluator.catalog.bind(ref, callee.library);
  if (!bound) return UNKNOWN;
  return shapeValue(bound, { root, name: typeof ref === 'string' ? ref : 'argument', call });
}

function nameOfResult(callee: LibraryValue, isNew: boolean): string {
  return isNew ? `new ${callee.name}` : callee.name;
}

/** The argument is known to be one of the values. */
export function isMet(evaluator: Evaluator, { arg, is }: Condition, args: Args, callee?: LibraryValue): boolean {
  const value = argument(evaluator, args, arg, callee);
  return value?.kind === 'constant' && is.some((x) => x === value.value);
}

/** The value at an argument path; undefined where there is no such argument. */
export function argument(evaluator: Evaluator, args: Args, path: ArgPath, callee?: LibraryValue): Value | undefined {
  const [head, ...rest] = path.split('.');
  if (head === undefined) return undefined;
  let value: Value | undefined;
  if (head === 'this') {
    // `this.0`: an argument of the call that made the receiver (a prepared statement's text).
    const [index] = rest;
    if (index !== undefined && /^\d+$/.test(index)) {
      const made = callee?.parent?.args;
      return made && argument(evaluator, made, rest.join('.'));
    }
    value = callee?.parent;
  }
  else {
    const index = head === 'last' ? (args.values?.length ?? args.nodes.length) - 1 : Number(head);
    const node = args.nodes[index];
    value = args.values ? args.values[index]?.() : node && evaluator.evaluate(node, args.frame);
  }
  for (const name of rest) {
    if (!value || isAbsent(value)) return undefined;
    value = name === '*' ? evaluator.element(value) : evaluator.member(value, name, args.frame);
  }
  return value && isAbsent(value) ? undefined : value;
}

export function isAbsent(value: Value): boolean {
  return value.kind === 'constant' && value.value === undefined;
}

/** The expression at an argument path where it is written out, for the place of a finding. */
export function argumentNode(args: Args, path: ArgPath): import('../syntax/compiler.js').Expression | undefined {
  const [head, ...rest] = path.split('.');
  if (head === undefined || head === 'this') return undefined;
  let node = args.nodes[head === 'last' ? args.nodes.length - 1 : Number(head)];
  for (const name of rest) {
    if (!node || !ts.isObjectLiteralExpression(node)) return node;
    const p = node.properties.find((x) => x.name && (ts.isIdentifier(x.name) || ts.isStringLiteralLike(x.name)) && x.name.text === name);
    node = p && ts.isPropertyAssignment(p) ? p.initializer : p && ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
  }
  return node;
}
