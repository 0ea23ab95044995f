import { boundNames, enclosingFunction, isFunctionNode, ts, unwrap, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { isStep, lookup, usesOf } from '../syntax/scope.js';
import { returnExpressions } from '../origin/evaluate.js';

/** Methods that leave something behind in what they are called on. */
const KEEPS = /^(push|unshift|splice|add|set|delete|append|assign)$/;

/**
 * Nothing behind the statement can tell whether it failed: the clause does no more than log, and neither it nor the block
 * leaves a value behind. What is written later is so written in any case, and is no record of the failure.
 */
export function forgetsFailure({ tryBlock, catchClause }: Compiler.TryStatement, isLog: (call: Node) => boolean): boolean {
  return catchClause !== undefined && onlyLogs(catchClause.block, isLog) && !leavesByValue(catchClause.block) && !leavesValue(tryBlock);
}

/** `await send().catch(log);`: the same for a promise whose result nobody takes. */
export function forgetsRejection(call: Compiler.CallExpression, isLog: (call: Node) => boolean): boolean {
  let n: Node = call;
  while (ts.isAwaitExpression(n.parent) || ts.isParenthesizedExpression(n.parent)) n = n.parent;
  const handler = call.arguments[0] && unwrap(call.arguments[0]);
  if (!ts.isExpressionStatement(n.parent) || !handler) return false;
  if (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler)) return onlyLogs(handler.body, isLog);
  return /^(console|(this\.)?log(ger)?)\.\w+$/.test(handler.getText());
}

/**
 * `const outcome = await work().catch((error) => ({ status: 'failed', error }));`, and the outcome is given to a call: who
 * gets it may keep it, though nobody sees how.
 */
export function handsFailureOn(call: Compiler.CallExpression, isLog: (call: Node) => boolean): boolean {
  let n: Node = call;
  while (ts.isAwaitExpression(n.parent) || ts.isParenthesizedExpression(n.parent)) n = n.parent;
  const handler = call.arguments[0] && unwrap(call.arguments[0]);
  const holder = n.parent;
  if (!ts.isVariableDeclaration(holder) || !handler || !isFunctionNode(handler)) return false;
  if (!returnExpressions(handler).some((r) => r && ts.isObjectLiteralExpression(unwrap(r)))) return false;
  const scope = enclosingFunction(holder) ?? holder.getSourceFile();
  return boundNames(holder.name).some((name) => usesOf(name.parent, name.text, scope).some((use) => isGivenTo(use, (c) => !isLog(c))));
}

/** Stands among the arguments of such a call. */
function isGivenTo(use: Node, is: (call: Node) => boolean): boolean {
  for (let n: Node = use; n.parent && !ts.isBlock(n.parent); n = n.parent) {
    const { parent } = n;
    if (ts.isCallExpression(parent) && parent.arguments.some((a) => a === n)) return is(parent);
  }
  return false;
}

/** A program's own functions that report an error, and those that mark a span as failed. */
const REPORTS = /^(log|report|capture)[A-Z]\w*$|\.(captureException|captureMessage|recordException|setStatus|noticeError)$/;

/** Every call is one that logs, stands inside of one, or makes a text for one. */
function onlyLogs(n: Node, isLog: (call: Node) => boolean): boolean {
  if (ts.isVariableDeclaration(n) && n.initializer) return !any(n.initializer, (x) => ts.isAwaitExpression(x) || isChange(x));
  if (ts.isCallExpression(n)) return isLog(n) || REPORTS.test(n.expression.getText());
  if (ts.isNewExpression(n) || ts.isThrowStatement(n) || isChange(n)) return false;
  return ts.forEachChild(n, (c) => (onlyLogs(c, isLog) ? undefined : true)) === undefined;
}

/** Ends the function with what tells its caller of the failure. */
function leavesByValue(block: Compiler.Block): boolean {
  const fn = enclosingFunction(block);
  return holds(block, (n) => ts.isReturnStatement(n) || ts.isBreakOrContinueStatement(n)) && (fn === undefined || returnExpressions(fn).some((e) => e !== undefined));
}

/** Sets, on success, what code behind the block may ask for. */
function leavesValue(block: Compiler.Block): boolean {
  if (holds(block, (n) => ts.isReturnStatement(n) || ts.isBreakOrContinueStatement(n))) return true;
  return any(block, (n) => isChange(n) && !isWithin(declarationOf(changed(n)), block));
}

function isChange(n: Node): n is Compiler.BinaryExpression | Compiler.CallExpression | Compiler.PrefixUnaryExpression | Compiler.PostfixUnaryExpression {
  if (ts.isBinaryExpression(n)) return n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  return isStep(n) || (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && KEEPS.test(n.expression.name.text) && ts.isExpressionStatement(n.parent));
}

function changed(n: Node): Expression | undefined {
  if (ts.isBinaryExpression(n)) return n.left;
  if (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression)) return n.expression.name.text === 'assign' ? n.arguments[0] : n.expression.expression;
  return isStep(n) ? n.operand : undefined;
}

/** The variable that an expression starts from. */
function declarationOf(e: Expression | undefined): Node | undefined {
  let n = e && unwrap(e);
  while (n && (ts.isPropertyAccessExpression(n) || ts.isElementAccessExpression(n))) n = unwrap(n.expression);
  return n && ts.isIdentifier(n) ? lookup(n.text, n) : undefined;
}

function isWithin(n: Node | undefined, outer: Node): boolean {
  for (let at = n; at; at = at.parent) if (at === outer) return true;
  return false;
}

/** In a node or below it. */
function any(n: Node, is: (n: Node) => boolean): boolean {
  return is(n) || ts.forEachChild(n, (c) => any(c, is) || undefined) === true;
}

/** In a node or below it, functions in it left out. */
function holds(n: Node, is: (n: Node) => boolean): boolean {
  return is(n) || (!isFunctionNode(n) && ts.forEachChild(n, (c) => holds(c, is) || undefined) === true);
}

/** `catch {}`, `.catch(() => {})`: nothing is done about the failure, and nobody is told. */
export function isSilent(body: Node | undefined): boolean {
  return body !== undefined && ts.isBlock(body) && body.statements.length === 0;
}
