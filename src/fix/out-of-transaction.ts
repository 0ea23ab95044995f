import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, type Compiler, type FunctionNode, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import { assignsWhatItReads, isList, isRefusal, meansTheSame, some, statementOf, waitingStatement } from './code.js';
import { nodesAt, type FixContext } from './context.js';
import { insertedBefore, insertedBehind, moving, removed } from './settle.js';

/** Moves a call behind the transaction that it stands in; a question whose answer is used inside, in front of it. */
export function outOfTransaction(request: Extract<FixRequest, { kind: 'out-of-transaction' }>, context: FixContext): Suggestion[] {
  const call = nodesAt(request.call, context).find((n) => ts.isCallExpression(n));
  if (!call || request.call.file !== request.transaction.file) return [];
  if (request.before) return inFrontOf(call, request, context);
  const statement = statementOf(call);
  return statement && isAwaited(statement) ? [...behindCallback(statement, request, context), ...behindCommit(statement, context)] : [];
}

function isAwaited(statement: Compiler.ExpressionStatement): boolean {
  return ts.isAwaitExpression(statement.expression);
}

/** The function that the transaction runs, if `statement` stands directly in it, and the statement that waits for the transaction. */
function frameOf(statement: Node, request: Extract<FixRequest, { kind: 'out-of-transaction' }>, context: FixContext): { body: Compiler.Block; around: Compiler.Statement } | undefined {
  const callback: FunctionNode | undefined = enclosingFunction(statement);
  const transaction = nodesAt(request.transaction, context).find((n) => ts.isCallExpression(n));
  if (!callback || !transaction || callback.parent !== transaction || statement.parent !== callback.body || !ts.isBlock(statement.parent)) return undefined;
  const around = waitingStatement(transaction);
  return around && isList(around.parent) ? { body: statement.parent, around } : undefined;
}

function behindCallback(statement: Compiler.ExpressionStatement, request: Extract<FixRequest, { kind: 'out-of-transaction' }>, context: FixContext): Suggestion[] {
  const frame = frameOf(statement, request, context);
  // What leaves the callback early would have left the call out.
  if (!frame || frame.body.statements.at(-1) !== statement || leavesEarly(frame.body) || !meansTheSame(statement, frame.around)) return [];
  return [{ title: 'Call it after the transaction', edits: [removed(statement, context), insertedBehind(frame.around, moving(statement), context)] }];
}

function leavesEarly(body: Compiler.Block): boolean {
  return some(body, (n) => ts.isReturnStatement(n) || isRefusal(n));
}

/** The call stands right in front of the statement that commits. */
function behindCommit(statement: Compiler.ExpressionStatement, context: FixContext): Suggestion[] {
  if (!isList(statement.parent)) return [];
  const commit = statement.parent.statements[statement.parent.statements.indexOf(statement) + 1];
  if (!commit || !ts.isExpressionStatement(commit) || !ts.isAwaitExpression(commit.expression) || !isCommit(commit.expression.expression)) return [];
  return [{ title: 'Call it after the commit', edits: [removed(statement, context), insertedBehind(commit, moving(statement), context)] }];
}

function isCommit(n: Node): boolean {
  if (!ts.isCallExpression(n) || !ts.isPropertyAccessExpression(n.expression)) return false;
  const [first] = n.arguments;
  return /^commit(Transaction)?$/.test(n.expression.name.text) || (first !== undefined && ts.isStringLiteralLike(first) && /^\s*commit\b/i.test(first.text));
}

/** `const answer = await fetch(…)` at the beginning of the transaction's function. */
function inFrontOf(call: Node, request: Extract<FixRequest, { kind: 'out-of-transaction' }>, context: FixContext): Suggestion[] {
  const statement = waitingStatement(call);
  const frame = statement && frameOf(statement, request, context);
  if (!statement || !frame) return [];
  const before = frame.body.statements.slice(0, frame.body.statements.indexOf(statement));
  if (before.length > 0 || assignsWhatItReads(statement, before) || !meansTheSame(statement, frame.around)) return [];
  const names = declared(statement);
  if (!names || names.some((name) => lookup(name, frame.around) !== undefined || mentions(frame.around.parent, name, frame.body))) return [];
  return [{ title: 'Ask before the transaction begins', edits: [removed(statement, context), insertedBefore(frame.around, moving(statement), context)] }];
}

/** The variables that a statement declares; undefined if it is no declaration of plain names. */
function declared(statement: Compiler.Statement): string[] | undefined {
  if (!ts.isVariableStatement(statement)) return ts.isExpressionStatement(statement) && ts.isAwaitExpression(statement.expression) ? [] : undefined;
  const names: string[] = [];
  for (const d of statement.declarationList.declarations) {
    some(d.name, (n) => {
      if (ts.isBindingElement(n) && ts.isIdentifier(n.name)) names.push(n.name.text);
      return false;
    });
    if (ts.isIdentifier(d.name)) names.push(d.name.text);
  }
  return names;
}

/** The name stands somewhere in the list outside of the callback: it would mean something else there. */
function mentions(list: Node, name: string, except: Node): boolean {
  let found = false;
  const visit = (n: Node): void => {
    if (n === except || found) return;
    if (ts.isIdentifier(n) && n.text === name) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(list);
  return found;
}
