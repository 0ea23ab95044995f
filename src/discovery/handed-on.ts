import type { Evaluator } from '../origin/evaluate.js';
import { propertiesOf, type Value } from '../origin/value.js';
import { ts, boundNames, isFunctionNode, unwrap, type Compiler, type Expression, type Node } from '../syntax/compiler.js';

/** How deep an argument is looked into for the message. */
const MAX_DEPTH = 4;

/** Does an argument hold the message as a whole, or its whole payload, and not only a detail of it? */
export function handsMessageOn(e: Evaluator, args: readonly Value[]): boolean {
  return args.some((v) => isWhole(e, v, 0));
}

function isWhole(e: Evaluator, v: Value, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const any = (list: readonly Value[]): boolean => list.some((x) => isWhole(e, x, depth + 1));
  switch (v.kind) {
    case 'library':
      if (v.shape.message === true || v.shape.batch === true) return true;
      return v.stability !== undefined && v.stability !== 'constant' && !isDetail(v);
    case 'union':
      return any(v.options);
    case 'list':
      return any(v.elements);
    case 'object':
      return any([...e.propertyValues(v), ...propertiesOf(v).filter((p) => ts.isSpreadAssignment(p)).map((p) => e.evaluate(p.expression, v.frame))]);
    case 'derived':
      // `.trim()` has its call; `.id` has none.
      return (v.node !== undefined || !v.operator.startsWith('.')) && any(v.parts);
    default:
      return false;
  }
}

/** A property of the payload that the catalog does not know: `job.data.userId`. */
function isDetail(v: Extract<Value, { kind: 'library' }>): boolean {
  const { parent, member } = v;
  if (!parent || member === undefined || member === '*') return false;
  const known = parent.shape.members && Object.hasOwn(parent.shape.members, member);
  return !known && parent.shape.anyMember === undefined;
}

/** Is the call's result a value that other calls work with, not only awaited, handed back or tested? */
export function isUsedAsData(call: Node): boolean {
  const use = useOf(call as Expression);
  if (!use) return false;
  const { node, parent } = use;
  if (ts.isVariableDeclaration(parent) && parent.initializer && unwrap(parent.initializer) === unwrap(node as Expression)) {
    const names = boundNames(parent.name);
    // Nobody waits for it, and its properties are read: it is no promise.
    return names.some(isWorkedWith) || (unwrap(node as Expression) === call && (names[0] !== parent.name || names.some(isRead)));
  }
  // `save({ data: parse(message) })`
  let [given, taker]: [Node, Node] = [node, parent];
  while (ts.isPropertyAssignment(taker) || ts.isObjectLiteralExpression(taker)) [given, taker] = [taker, taker.parent];
  return ts.isCallExpression(taker) && taker.arguments.some((a) => a === given);
}

/** Where a value ends up, behind `await`, parentheses and the methods of promises. */
function useOf(call: Expression): { node: Node; parent: Node } | undefined {
  let node: Node = call;
  for (let p = node.parent; p; node = p, p = p.parent) {
    if (ts.isAwaitExpression(p) || ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p)) continue;
    // .catch(…) and .then(() => …) do not look at the result.
    if (ts.isPropertyAccessExpression(p) && ts.isCallExpression(p.parent) && p.parent.expression === p) {
      const [callback] = p.parent.arguments;
      const looks = p.name.text === 'then' && callback !== undefined && isFunctionNode(callback) && callback.parameters.length > 0;
      if (!/^(then|catch|finally|call|apply)$/.test(p.name.text) || looks) return undefined;
      if (p.name.text === 'then' && callback) return undefined;
      p = p.parent;
      continue;
    }
    return { node, parent: p };
  }
  return undefined;
}

/** Is the variable, or a part of it, given to some call, gone through, added up or spread? Logging and its written form apart. */
function isWorkedWith(name: Compiler.Identifier): boolean {
  let scope: Node = name;
  while (scope.parent && !isFunctionNode(scope)) scope = scope.parent;
  let found = false;
  const visit = (n: Node): void => {
    if (ts.isIdentifier(n) && n !== name && n.text === name.text) {
      const calls = callsGiven(n);
      if (isGoneThrough(n) || ts.isSpreadAssignment(n.parent) || (calls.length > 0 && !calls.some((c) => NO_USE.test(c.expression.getText())))) found = true;
    }
    if (!found) ts.forEachChild(n, visit);
  };
  visit(scope);
  return found;
}

/** Is a property of the variable read, other than the methods of promises? */
function isRead(name: Compiler.Identifier): boolean {
  let scope: Node = name;
  while (scope.parent && !isFunctionNode(scope)) scope = scope.parent;
  let found = false;
  const visit = (n: Node): void => {
    found ||= ts.isPropertyAccessExpression(n) && ts.isIdentifier(n.expression) && n.expression.text === name.text && !/^(then|catch|finally)$/.test(n.name.text);
    if (!found) ts.forEachChild(n, visit);
  };
  visit(scope);
  return found;
}

/** `for (const row of result.rows)`, `total += result.count`. */
function isGoneThrough(value: Node): boolean {
  let n = value;
  while (ts.isPropertyAccessExpression(n.parent) && n.parent.expression === n) n = n.parent;
  const { parent } = n;
  if (ts.isForOfStatement(parent)) return parent.expression === n;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken && parent.right === n;
}

const NO_USE = /\b(log|logger|console|debug|JSON\.stringify)\b/i;

/** The calls of one statement that the value, or what is made of it, is an argument of; innermost first. */
function callsGiven(value: Node): Compiler.CallExpression[] {
  const calls: Compiler.CallExpression[] = [];
  for (let n = value; n.parent && !ts.isStatement(n) && !isFunctionNode(n); n = n.parent) {
    const { parent } = n;
    if (ts.isCallExpression(parent) && parent.arguments.some((a) => a === n)) calls.push(parent);
  }
  return calls;
}
