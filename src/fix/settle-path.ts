import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, type Compiler, type Node } from '../syntax/compiler.js';
import { hasCall, isExit, isInlineFunction, meansTheSame, statementOf, walkOwn } from './code.js';
import { edit, holds, nodesAt, type FixContext } from './context.js';
import { isDone, refusalOf } from './refuse.js';
import { endedBy, isCatchHandler } from './rethrow.js';
import { endOf, indentAt, lineStart, newline } from './text.js';

/** Settles the message where it is left unsettled: refuses it or, on a way out where nothing has failed, acknowledges it. */
export function settlePath(request: Extract<FixRequest, { kind: 'settle' }>, context: FixContext): Suggestion[] {
  const nodes = nodesAt(request.at, context);
  const region = nodes.find((n) => ts.isCatchClause(n) || isCatchHandler(n));
  const exit = nodes.map((n) => (ts.isReturnStatement(n) ? n : n.parent)).find((n) => ts.isReturnStatement(n));
  const at = region ?? exit;
  const ack = at && context.acks.flatMap((a) => nodesAt(a, context)).find((n): n is Compiler.CallExpression => ts.isCallExpression(n) && !holds(n, request.at, context) && meansTheSame(n, at));
  if (!at || !ack) return [];
  const made = (title: string, call: string): Suggestion[] => {
    const edits = region ? atEnd(region, call, context) : before(at as Compiler.ReturnStatement, call, context);
    return edits ? [{ title: `${title}: \`${call}\``, edits }] : [];
  };
  const acknowledgement = request.failed ? [] : made('Acknowledge the message', ack.getText());
  if (isDone(ack)) {
    const error = request.failed ? errorAt(at) : undefined;
    return error === undefined ? acknowledgement : made('Pass the error on', `${ack.expression.getText()}(${error})`);
  }
  const refusal = refusalOf(ack, context);
  return [...(refusal === undefined ? [] : made('Refuse the message', refusal)), ...acknowledgement];
}

/** The error in whose handling a node stands. */
function errorAt(node: Node): string | undefined {
  for (let n: Node | undefined = node; n; n = n.parent) {
    const name = ts.isCatchClause(n) ? n.variableDeclaration?.name : isInlineFunction(n) ? n.parameters[0]?.name : undefined;
    if (name && ts.isIdentifier(name) && (ts.isCatchClause(n) || isCatchHandler(n) || /^(e|er|err|error)$/.test(name.text))) return name.text;
  }
  return undefined;
}

function atEnd(region: Node, call: string, context: FixContext): Edit[] | undefined {
  const block = ts.isCatchClause(region) ? region.block : isInlineFunction(region) && ts.isBlock(region.body) ? region.body : undefined;
  if (!block) return undefined;
  const last = block.statements.at(-1);
  return isExit(last) ? before(last, call, context) : endedBy(block, `${call};`, context);
}

function before(exit: Compiler.Statement, call: string, context: FixContext): Edit[] | undefined {
  const source = exit.getSourceFile();
  // What the way out itself does comes before the settlement.
  if (ts.isReturnStatement(exit) && exit.expression && hasCall(exit.expression)) return undefined;
  const start = exit.getStart(source);
  if (!ts.isBlock(exit.parent) && !ts.isCaseOrDefaultClause(exit.parent)) return [edit(source, start, exit.end, `{ ${call}; ${withSemicolon(exit.getText(source))} }`, context)];
  const alone = source.text.slice(lineStart(source.text, start), start).trim() === '';
  return [edit(source, start, start, alone ? `${call};${newline(source)}${indentAt(source.text, start)}` : `${call}; `, context)];
}

/** Leaves behind the first settlement, so that the second is not reached. */
export function returnAfter(request: Extract<FixRequest, { kind: 'return-after' }>, context: FixContext): Suggestion[] {
  const first = nodesAt(request.first, context).find((n) => ts.isCallExpression(n));
  const second = nodesAt(request.second, context).find((n) => ts.isCallExpression(n));
  const statement = first && statementOf(first);
  const fn = first && enclosingFunction(first);
  if (!first || !second || first === second || !statement || !fn || enclosingFunction(second) !== fn) return [];
  const source = statement.getSourceFile();
  if (leavesInVain(first, second, fn) || givesResult(fn)) return [];
  const word = turnOf(first, second, fn) ? 'continue' : 'return';
  const title = word === 'return' ? 'Return after the first' : 'Go on with the next one after the first';
  if (!ts.isBlock(statement.parent)) return [{ title, edits: [edit(source, statement.getStart(source), statement.end, `{ ${withSemicolon(statement.getText(source))} ${word}; }`, context)] }];
  // Behind the last of a branch, or what stands there is done no more.
  if (statement.parent.statements.at(-1) !== statement || statement.parent === fn.body) return [];
  const at = endOf(source, statement);
  const start = statement.getStart(source);
  const alone = source.text.slice(lineStart(source.text, start), start).trim() === '';
  return [{ title, edits: [edit(source, at, at, alone ? `${newline(source)}${indentAt(source.text, start)}${word};` : ` ${word};`, context)] }];
}

/** A `finally` with the second settlement is run on the way out all the same. */
function leavesInVain(first: Node, second: Node, fn: Node): boolean {
  for (let n = first.parent; n !== fn; n = n.parent) if (ts.isTryStatement(n) && n.finallyBlock && within(second, n.finallyBlock)) return true;
  return false;
}

function givesResult(fn: Node): boolean {
  let found = false;
  walkOwn(fn, (n) => {
    found ||= ts.isReturnStatement(n) && n.expression !== undefined;
    return true;
  });
  return found;
}

/** Both stand in one turn of the innermost loop. */
function turnOf(first: Node, second: Node, fn: Node): boolean {
  for (let n = first.parent; n !== fn; n = n.parent) if (ts.isIterationStatement(n, false)) return within(second, n);
  return false;
}

function within(n: Node, outer: Node): boolean {
  return n.pos >= outer.pos && n.end <= outer.end;
}

function withSemicolon(text: string): string {
  return text.endsWith(';') ? text : `${text};`;
}
