import { ts, enclosingFunction, isFunctionNode, unwrap, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';
import { indexOf, lookup, type MemberWrite } from '../syntax/scope.js';

/** A function that makes objects: `function Orders(db) { this.db = db; }` with `Orders.prototype.save = function () { … }`. */
export type ConstructorFunction = Compiler.FunctionDeclaration | Compiler.FunctionExpression;

/** What stands on its prototype, as it was written: single members, and objects that hold many. */
export interface Prototype {
  members: ReadonlyMap<string, Expression>;
  /** `F.prototype = { … }`, `Object.assign(F.prototype, { … })` */
  objects: readonly Expression[];
}

const prototypes = new WeakMap<Node, Prototype>();

/** By the assignments in the file of the function. */
export function prototypeOf(fn: ConstructorFunction): Prototype {
  let found = prototypes.get(fn);
  if (found) return found;
  const members = new Map<string, Expression>();
  const objects: Expression[] = [];
  found = { members, objects };
  prototypes.set(fn, found);
  const index = indexOf(fn.getSourceFile());
  for (const w of index.memberWrites) {
    if (w.name === undefined) continue;
    if (w.name === 'prototype' && functionNamed(w.object) === fn) objects.push(w.value);
    else if (isPrototype(w.object, fn)) members.set(w.name, w.value);
  }
  for (const call of index.calls.get('assign') ?? []) {
    const [to, ...from] = call.arguments ?? [];
    if (to && isPrototype(to, fn)) objects.push(...from);
  }
  return found;
}

/** The function on whose prototype this one was put, where it was put there in so many words. */
export function constructorOf(method: FunctionNode): ConstructorFunction | undefined {
  if (ts.isArrowFunction(method)) return undefined;
  let at: Node = method;
  if (ts.isPropertyAssignment(at.parent)) at = at.parent;
  if (ts.isObjectLiteralExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (ts.isBinaryExpression(parent) && parent.right === at && ts.isPropertyAccessExpression(parent.left)) {
    const { left } = parent;
    // F.prototype.save = function …, or F.prototype = { save … }
    const prototype = at === method ? left.expression : left;
    return ts.isPropertyAccessExpression(prototype) && prototype.name.text === 'prototype' ? functionNamed(prototype.expression) : undefined;
  }
  if (ts.isCallExpression(parent) && at !== method && parent.arguments[0] && ts.isPropertyAccessExpression(parent.arguments[0]) && parent.arguments[0].name.text === 'prototype') return functionNamed(parent.arguments[0].expression);
  return undefined;
}

/** Does a function say what its objects are: by `this.x = …`, or by its prototype? */
export function isConstructor(fn: FunctionNode): fn is ConstructorFunction {
  if (!ts.isFunctionDeclaration(fn) && !ts.isFunctionExpression(fn)) return false;
  const { members, objects } = prototypeOf(fn);
  return members.size > 0 || objects.length > 0;
}

/** `this.name = …`, in the constructor or in a method of its prototype. */
export function fieldWrites(fn: ConstructorFunction, name: string): MemberWrite[] {
  return indexOf(fn.getSourceFile()).memberWrites.filter((w) => w.name === name && ownerOf(w.object) === fn);
}

/** The constructor whose objects an expression means by `this`, or by a variable that keeps `this`. */
function ownerOf(object: Expression): ConstructorFunction | undefined {
  const n = unwrap(object);
  const kept = ts.isIdentifier(n) ? lookup(n.text, n) : undefined;
  const self = kept && ts.isVariableDeclaration(kept) && kept.initializer ? unwrap(kept.initializer) : n;
  if (self.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  let fn = enclosingFunction(self);
  while (fn && ts.isArrowFunction(fn)) fn = enclosingFunction(fn);
  if (!fn || ts.isClassLike(fn.parent)) return undefined;
  const of = constructorOf(fn);
  if (of) return of;
  return ts.isFunctionDeclaration(fn) || ts.isFunctionExpression(fn) ? fn : undefined;
}

function isPrototype(e: Expression, fn: ConstructorFunction): boolean {
  return ts.isPropertyAccessExpression(e) && e.name.text === 'prototype' && functionNamed(e.expression) === fn;
}

function functionNamed(e: Expression): ConstructorFunction | undefined {
  const d = ts.isIdentifier(e) ? lookup(e.text, e) : undefined;
  if (!d) return undefined;
  if (ts.isFunctionDeclaration(d) || ts.isFunctionExpression(d)) return d;
  const initializer = ts.isVariableDeclaration(d) && d.initializer ? unwrap(d.initializer) : undefined;
  return initializer && isFunctionNode(initializer) && ts.isFunctionExpression(initializer) ? initializer : undefined;
}
