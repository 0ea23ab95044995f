import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, boundNames, type Compiler, type Node } from '../syntax/compiler.js';
import { unique } from './async.js';
import { exitsOf, isExit, isList, meansTheSame, statementOf } from './code.js';
import { edit, holds, nodesAt, rewritten, type FixContext } from './context.js';
import { beforeExits, insertedBehind, moving, removed, type Moving } from './settle.js';
import { hasComment, indentAt, newline, reindent } from './text.js';

/** Moves the acknowledgement from `finally` to the end of `try`; a `finally` that is left empty goes. */
export function ackOutOfFinally(request: Extract<FixRequest, { kind: 'ack-out-of-finally' }>, context: FixContext): Suggestion[] {
  const call = nodesAt(request.ack, context).find((n) => !ts.isStatement(n));
  const statement = call && statementOf(call);
  const block = statement?.parent;
  if (!statement || !block || !ts.isBlock(block) || !ts.isTryStatement(block.parent) || block.parent.finallyBlock !== block) return [];
  const attempt = block.parent;
  const edits = moved(attempt, statement, context);
  return edits ? [{ title: 'Acknowledge at the end of `try`', edits }] : [];
}

/** The same where a catch clause passes the failure on and its `finally` acknowledges all the same. */
export function ackOutOfFinallyOf(request: Extract<FixRequest, { kind: 'rethrow' }>, context: FixContext): Suggestion[] {
  const clause = nodesAt(request.clause, context).find((n) => ts.isCatchClause(n));
  const block = clause?.parent.finallyBlock;
  const ack = block && context.acks.find((a) => holds(block, a, context));
  return ack ? ackOutOfFinally({ kind: 'ack-out-of-finally', ack }, context) : [];
}

function moved(attempt: Compiler.TryStatement, statement: Compiler.ExpressionStatement, context: FixContext): Edit[] | undefined {
  const { tryBlock, finallyBlock, catchClause } = attempt;
  const source = attempt.getSourceFile();
  const last = tryBlock.statements.at(-1);
  if (!last || !finallyBlock) return undefined;
  const target = isExit(last) || ts.isThrowStatement(last) ? tryBlock.statements.at(-2) : last;
  if (!meansTheSame(statement, last)) return undefined;
  const what = moving(statement);
  // Ways out of the `try` come by `finally` and no longer would: each acknowledges for itself.
  const exits = beforeExits(tryBlock.statements, what, () => false, context);
  const leaves = exitsOf(catchClause ? [catchClause] : []);
  if (!exits || !leaves) return undefined;
  const end = isExit(last) ? [] : [insertedBehind(target ?? last, what, context)];
  if (finallyBlock.statements.length > 1 || hasComment(commentsLeft(finallyBlock, what))) return unique([...exits, ...end, removed(statement, context)]);
  if (catchClause) return unique([...exits, ...end, edit(source, catchClause.end, attempt.end, '', context)]);
  return unwrapped(attempt, [...exits, ...end], context);
}

/** `try { … }` without `catch` and `finally` is only its statements. */
function unwrapped(attempt: Compiler.TryStatement, edits: readonly Edit[], context: FixContext): Edit[] {
  const source = attempt.getSourceFile();
  const { text } = source;
  const { tryBlock, parent } = attempt;
  const start = tryBlock.getStart(source);
  const inner = rewritten(source, start, tryBlock.end, edits);
  const first = tryBlock.statements[0];
  const whole = { start: attempt.getStart(source), end: attempt.end };
  const onLines = text.slice(start + 1, first?.getStart(source)).includes('\n');
  if (!first || !onLines || !isList(parent) || clashes(tryBlock, parent)) return [edit(source, whole.start, whole.end, inner, context)];
  const from = indentAt(text, first.getStart(source));
  const to = indentAt(text, whole.start);
  const body = inner.slice(1, -1).replace(/^[ \t]*\r?\n/, '').trimEnd();
  const shifted = reindent(source, start, tryBlock.end, from, to, `${newline(source)}${body}`).slice(newline(source).length);
  return [edit(source, whole.start, whole.end, shifted.replace(/^[ \t]+/, ''), context)];
}

/** Does the block declare a name that the statements around it use? */
function clashes(block: Compiler.Block, around: { statements: readonly Compiler.Statement[] }): boolean {
  const names = new Set<string>();
  for (const s of block.statements) {
    if (ts.isVariableStatement(s)) for (const d of s.declarationList.declarations) for (const n of boundNames(d.name)) names.add(n.text);
    else if ((ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s)) && s.name) names.add(s.name.text);
  }
  if (names.size === 0) return false;
  let used = false;
  const visit = (n: Node): void => {
    if (used || n === block) return;
    if (ts.isIdentifier(n) && names.has(n.text)) used = true;
    else ts.forEachChild(n, visit);
  };
  for (const s of around.statements) visit(s);
  const fn = (around as Compiler.Block).parent;
  if (fn && 'parameters' in fn) for (const p of (fn as Compiler.ArrowFunction).parameters) visit(p);
  return used;
}

function commentsLeft(block: Compiler.Block, what: Moving): string {
  return block.getText().replace(what.text, '');
}

