import { ts, isFunctionNode, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { lastName, lookup, type Declaration } from '../syntax/scope.js';

/** What becomes of the promise that an expression gives. */
export type Fate =
  /** Somebody waits for it, or it goes somewhere that cannot be followed. */
  | { kind: 'awaited' }
  /** The function hands it to its caller. */
  | { kind: 'returned' }
  /** Nobody waits. `root` is the whole expression that floats. */
  | { kind: 'floating'; root: Node };

const AWAITED: Fate = { kind: 'awaited' };
const COMBINATORS = new Set(['all', 'allSettled', 'race', 'any']);

export function fateOf(expression: Node, depth = 0): Fate {
  if (depth > 8) return AWAITED;
  let child: Node = expression;
  for (let n = expression.parent; n; child = n, n = n.parent) {
    if (ts.isAwaitExpression(n) || ts.isYieldExpression(n) || ts.isForOfStatement(n)) return AWAITED;
    if (ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n) || ts.isNonNullExpression(n)) continue;
    if (ts.isReturnStatement(n)) return { kind: 'returned' };
    if (ts.isArrowFunction(n)) return { kind: 'returned' };
    if (ts.isExpressionStatement(n)) return { kind: 'floating', root: child };
    if (ts.isVoidExpression(n)) return { kind: 'floating', root: child };
    if (ts.isPropertyAccessExpression(n) && n.expression === child) {
      // A method on the promise (`then`), or on what a synchronous call gave.
      if (ts.isCallExpression(n.parent) && n.parent.expression === n) continue;
      return AWAITED;
    }
    if (ts.isCallExpression(n)) {
      if (n.expression === child) continue;
      if (isCombinator(n)) continue;
      // The platform keeps the process alive for it, but nobody waits and nobody sees it fail.
      if (lastName(n.expression) === 'waitUntil') return { kind: 'floating', root: child };
      const collected = pushedInto(n);
      if (collected) return fateOfVariable(collected, n, depth);
      return AWAITED;
    }
    if (ts.isArrayLiteralExpression(n) || ts.isSpreadElement(n)) continue;
    if (ts.isConditionalExpression(n)) {
      if (n.condition === child) return AWAITED;
      continue;
    }
    if (ts.isBinaryExpression(n)) {
      const kind = n.operatorToken.kind;
      const passes = kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.CommaToken;
      if (passes && n.right === child) continue;
      if (kind === ts.SyntaxKind.EqualsToken && n.right === child && ts.isIdentifier(n.left)) {
        const d = lookup(n.left.text, n.left);
        return d ? fateOfVariable(d, n, depth) : AWAITED;
      }
      return AWAITED;
    }
    if (ts.isVariableDeclaration(n) && ts.isIdentifier(n.name) && n.initializer === child) return fateOfVariable(n, n, depth);
    return AWAITED;
  }
  return AWAITED;
}

/** The promise is one link of a chain, or one of several that are waited for together: what comes behind it sees it fail. */
export function isLinkOf(promise: Node, chain: Node): boolean {
  for (let n = promise; n !== chain; n = n.parent) {
    const { parent } = n;
    if (!parent) return false;
    if (ts.isCallExpression(parent) && (parent.expression === n || isCombinator(parent))) return true;
  }
  return false;
}

function isCombinator(call: Compiler.CallExpression): boolean {
  const e = call.expression;
  return ts.isPropertyAccessExpression(e) && ts.isIdentifier(e.expression) && /^(Promise|Bluebird|BPromise|P|Q)$/.test(e.expression.text) && COMBINATORS.has(e.name.text);
}

/** The variable of `list.push(promise)`. */
function pushedInto(call: Compiler.CallExpression): Declaration | undefined {
  const e = call.expression;
  if (!ts.isPropertyAccessExpression(e) || (e.name.text !== 'push' && e.name.text !== 'add') || !ts.isIdentifier(e.expression)) return undefined;
  return lookup(e.expression.text, e.expression);
}

/** The promise in a variable floats only if nobody ever looks at the variable. */
function fateOfVariable(d: Declaration, from: Node, depth: number): Fate {
  let scope: Node = d;
  while (scope.parent && !isFunctionNode(scope.parent) && !ts.isSourceFile(scope.parent)) scope = scope.parent;
  const home = scope.parent ?? scope;
  let used = false;
  let fate: Fate | undefined;
  const visit = (n: Node): void => {
    if (fate?.kind === 'awaited') return;
    if (ts.isIdentifier(n) && isReference(n, d)) {
      if (isPushReceiver(n)) return;
      used = true;
      const own = fateOf(n as Expression, depth + 1);
      if (!fate || own.kind !== 'floating') fate = own;
    }
    ts.forEachChild(n, visit);
  };
  visit(home);
  return used && fate ? fate : { kind: 'floating', root: floatRoot(from) };
}

function isReference(n: Compiler.Identifier, d: Declaration): boolean {
  if (n === (d as { name?: Node }).name) return false;
  if (ts.isPropertyAccessExpression(n.parent) && n.parent.name === n) return false;
  if (ts.isBinaryExpression(n.parent) && n.parent.left === n && n.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) return false;
  return lookup(n.text, n) === d;
}

function isPushReceiver(n: Compiler.Identifier): boolean {
  const p = n.parent;
  return ts.isPropertyAccessExpression(p) && p.expression === n && p.name.text === 'push' && ts.isCallExpression(p.parent);
}

function floatRoot(from: Node): Node {
  return ts.isVariableDeclaration(from) && from.initializer ? from.initializer : from;
}
