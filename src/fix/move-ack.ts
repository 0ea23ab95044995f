import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, isFunctionNode, type Compiler, type Node } from '../syntax/compiler.js';
import { unique } from './async.js';
import { assignsWhatItReads, exitsOf, hasCall, isList, isRefusal, meansTheSame, methodOf, outcomeOf, some, statementOf, triesAround, waitingStatement } from './code.js';
import { holds, isHandler, nodesAt, type FixContext } from './context.js';
import { beforeExits, insertedBehind, lastWork, moving, removed } from './settle.js';

/** Moves the acknowledgement behind the work, or out of the transaction that it stands in. */
export function moveAck(request: Extract<FixRequest, { kind: 'move-ack' }>, context: FixContext): Suggestion[] {
  const call = nodesAt(request.ack, context).find((n) => !ts.isStatement(n));
  const statement = call && statementOf(call);
  if (!statement || !isList(statement.parent)) return [];
  const inside = nodesAt(request.after, context).find((n) => ts.isCallExpression(n) && n.pos <= statement.pos && statement.end <= n.end && request.after.file === request.ack.file);
  return inside ? outOf(inside, statement, context) : behind(request, statement, context);
}

/** From inside of a transaction's callback to behind the statement that waits for the transaction. */
function outOf(transaction: Node, statement: Compiler.ExpressionStatement, context: FixContext): Suggestion[] {
  const callback = enclosingFunction(statement);
  const fn = enclosingFunction(transaction);
  if (!callback || !fn || callback.parent !== transaction || statement.parent !== callback.body) return [];
  const target = waitingStatement(transaction);
  if (!target || !isList(target.parent) || some(callback, isRefusal)) return [];
  // A `try` that drops the failed commit would lead to the acknowledgement all the same, were it not inside.
  if (!meansTheSame(statement, target)) return [];
  const what = moving(statement);
  return [{ title: 'Acknowledge after the transaction', edits: [removed(statement, context), insertedBehind(target, what, context)] }];
}

function behind(request: Extract<FixRequest, { kind: 'move-ack' }>, statement: Compiler.ExpressionStatement, context: FixContext): Suggestion[] {
  const list = statement.parent;
  const fn = enclosingFunction(statement);
  if (!fn || !isList(list)) return [];
  const rest = list.statements.slice(list.statements.indexOf(statement) + 1);
  if (!reaches(rest, statement, request, context)) return [];
  const target = lastWork(rest);
  if (!target || some(target, (n) => n === statement)) return [];
  const between = rest.slice(0, rest.findIndex((s) => s.pos <= target.pos && target.end <= s.end) + 1);
  if (!meansTheSame(statement, target) || assignsWhatItReads(statement, between)) return [];
  const what = moving(statement);
  const exits = beforeExits(between, what, (exit) => exit.pos >= target.end, context);
  if (!exits || leavesByCatch(between, target)) return [];
  const edits: Edit[] = [removed(statement, context), ...exits, insertedBehind(target, what, context)];
  return [{ title: 'Acknowledge after the last effect', edits: unique(edits) }];
}

/** A way out of a `catch` around the new place: whether the message is done there, only a person can say. */
function leavesByCatch(between: readonly Node[], target: Node): boolean {
  return between.some((s) => ts.isTryStatement(s) && s.catchClause && s.pos <= target.pos && target.end <= s.end && s !== target && (exitsOf([s.catchClause]) ?? [s]).length > 0 && outcomeOf(s.catchClause.block) === 'unknown');
}

/** The work that comes too late stands in these statements, or in what they call, and nowhere behind them. */
function reaches(rest: readonly Compiler.Statement[], statement: Node, request: Extract<FixRequest, { kind: 'move-ack' }>, context: FixContext): boolean {
  const fn = enclosingFunction(statement);
  if (!fn) return false;
  const later = laterStatements(statement, fn);
  if (later.some((s) => context.effects.some((e) => holds(s, e, context)))) return false;
  if (triesAround(statement, fn).some((t) => t.finallyBlock && context.effects.some((e) => t.finallyBlock && holds(t.finallyBlock, e, context)))) return false;
  if (rest.some((s) => holds(s, request.after, context))) return true;
  const name = nameAround(request, context);
  if (name !== undefined && rest.some((s) => some(s, (n) => ts.isCallExpression(n) && methodOf(n) === name, false))) return true;
  return isHandler(fn, context) && rest.some((s) => hasCall(s)) && !later.some((s) => hasCall(s));
}

/** Statements that run after the list which the statement stands in, up to the end of the function. */
function laterStatements(statement: Node, fn: Node): Compiler.Statement[] {
  const found: Compiler.Statement[] = [];
  for (let n = statement.parent; n && n !== fn; n = n.parent) {
    if (isList(n.parent)) found.push(...n.parent.statements.slice(n.parent.statements.indexOf(n as Compiler.Statement) + 1));
  }
  return found;
}

/** The name of the function in which the work stands. */
function nameAround(request: Extract<FixRequest, { kind: 'move-ack' }>, context: FixContext): string | undefined {
  const [node] = nodesAt(request.after, context);
  for (let n: Node | undefined = node?.parent; n; n = n.parent) {
    if (!isFunctionNode(n)) continue;
    if ('name' in n && n.name && (ts.isIdentifier(n.name) || ts.isPrivateIdentifier(n.name))) return n.name.text;
    if ((ts.isVariableDeclaration(n.parent) || ts.isPropertyDeclaration(n.parent) || ts.isPropertyAssignment(n.parent)) && ts.isIdentifier(n.parent.name)) return n.parent.name.text;
  }
  return undefined;
}
