import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, type Compiler, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import { hasCall, isExit, isInlineFunction, isLog, isReading, neverEnds, outcomeOf, some, triesAround } from './code.js';
import { edit, holds, nodesAt, type FixContext } from './context.js';
import { indentAt, indentUnit, lineStart, newline } from './text.js';

/** Lets a caught failure reach the caller, so that the message is not acknowledged. */
export function rethrow(request: Extract<FixRequest, { kind: 'rethrow' }>, context: FixContext): Suggestion[] {
  const nodes = nodesAt(request.clause, context);
  const clause = nodes.find((n) => ts.isCatchClause(n));
  if (clause) return suggestion(canRethrow(clause, context) ? thrownAgain(clause, context) : undefined);
  const handler = nodes.find((n) => isCatchHandler(n)) as Expression | undefined;
  return suggestion(handler && !context.acks.some((a) => holds(handler, a, context)) ? thrownOn(handler, context) : undefined);
}

function suggestion(edits: Edit[] | undefined): Suggestion[] {
  return edits ? [{ title: 'Throw the error again', edits }] : [];
}

function canRethrow(clause: Compiler.CatchClause, context: FixContext): boolean {
  const { parent } = clause;
  // With an acknowledgement of its own the clause would throw behind it.
  if (context.acks.some((a) => holds(clause, a, context) || (parent.finallyBlock && holds(parent.finallyBlock, a, context)))) return false;
  const fn = enclosingFunction(clause);
  // Around it another clause would only drop the error in its turn.
  return fn !== undefined && triesAround(parent, fn).every((t) => !t.catchClause || ['throws', 'refuses'].includes(outcomeOf(t.catchClause.block)));
}

/** Edits that end a catch clause with a throw. */
export function thrownAgain(clause: Compiler.CatchClause, context: FixContext): Edit[] | undefined {
  const source = clause.getSourceFile();
  const variable = clause.variableDeclaration;
  if (variable && !ts.isIdentifier(variable.name)) return undefined;
  const name = variable ? variable.name.getText(source) : nameFor(clause.block);
  const edits = endedBy(clause.block, `throw ${name};`, context);
  if (!edits) return undefined;
  const at = clause.block.getStart(source);
  return variable ? edits : [edit(source, at, at, `(${name}) `, context), ...edits];
}

/** Edits that let the function given to `.catch` throw. */
export function thrownOn(handler: Expression, context: FixContext): Edit[] | undefined {
  const source = handler.getSourceFile();
  const start = handler.getStart(source);
  if (!isInlineFunction(handler)) {
    if (!ts.isIdentifier(handler) && !ts.isPropertyAccessExpression(handler)) return undefined;
    return [edit(source, start, handler.end, block(source, start, '(error) =>', [`${handler.getText(source)}(error);`, 'throw error;']), context)];
  }
  const [parameter] = handler.parameters;
  if (parameter && (!ts.isIdentifier(parameter.name) || parameter.dotDotDotToken)) return undefined;
  const name = parameter ? parameter.name.getText(source) : nameFor(handler.body);
  const named = parameter ? [] : parameterFor(handler, name, context);
  if (!named) return undefined;
  if (ts.isBlock(handler.body)) {
    const edits = endedBy(handler.body, `throw ${name};`, context);
    return edits && [...named, ...edits];
  }
  const { body } = handler;
  const call = ts.isParenthesizedExpression(body) ? body.expression : body;
  const kept = ts.isVoidExpression(call) ? call.expression : call;
  const lines = hasCall(kept) || isLog(kept) || (ts.isAwaitExpression(kept) && isLog(kept.expression)) ? [`${kept.getText(source)};`, `throw ${name};`] : [`throw ${name};`];
  return [...named, edit(source, body.getStart(source), body.end, block(source, start, '', lines), context)];
}

export function isCatchHandler(n: Node): boolean {
  const call = n.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const at = call.arguments.indexOf(n as Expression);
  return (call.expression.name.text === 'catch' && at === 0) || (call.expression.name.text === 'then' && at === 1);
}

function block(source: SourceFile, at: number, head: string, lines: readonly string[]): string {
  const nl = newline(source);
  const indent = indentAt(source.text, at);
  const inner = indent + indentUnit(source);
  return `${head}${head ? ' ' : ''}{${nl}${lines.map((l) => inner + l + nl).join('')}${indent}}`;
}

/** Inserts the parameter into `() => …` or `function () {…}`. */
function parameterFor(fn: Compiler.ArrowFunction | Compiler.FunctionExpression, name: string, context: FixContext): Edit[] | undefined {
  const source = fn.getSourceFile();
  const open = fn.getChildren(source).find((c) => c.kind === ts.SyntaxKind.OpenParenToken);
  return open && [edit(source, open.end, open.end, name, context)];
}

/** Ends a block by this statement, in place of a last `return`, `continue` or `break`. */
export function endedBy(body: Compiler.Block, statement: string, context: FixContext): Edit[] | undefined {
  const source = body.getSourceFile();
  const { text } = source;
  const last = body.statements.at(-1);
  if (isExit(last)) {
    if (ts.isReturnStatement(last) && last.expression && tells(last.expression)) return undefined;
    return [edit(source, last.getStart(source), last.end, statement, context)];
  }
  if (neverEnds(body)) return undefined;
  const close = body.end - 1;
  const nl = newline(source);
  const indent = indentAt(text, body.getStart(source));
  const inner = last ? indentAt(text, last.getStart(source)) : indentAt(text, body.getStart(source)) + indentUnit(source);
  if (text.slice(lineStart(text, close), close).trim() === '') {
    const at = lineStart(text, close);
    return [edit(source, at, at, `${last ? inner : indentAt(text, close) + indentUnit(source)}${statement}${nl}`, context)];
  }
  if (!last && text.slice(body.getStart(source) + 1, close).trim() === '') return [edit(source, body.getStart(source) + 1, close, `${nl}${indent}${indentUnit(source)}${statement}${nl}${indent}`, context)];
  // A block on one line stays on one line.
  let at = close;
  while (/[ \t]/.test(text[at - 1] ?? '')) at--;
  return [edit(source, at, close, `${text[at - 1] === ';' || text[at - 1] === '{' || text[at - 1] === '}' ? '' : ';'} ${statement} `, context)];
}

/** A result by which the caller may learn of the failure. */
function tells(value: Expression): boolean {
  return hasCall(value) || some(value, (n) => ts.isObjectLiteralExpression(n) || (ts.isIdentifier(n) && /err|reason|cause|fail/i.test(n.text)) || ts.isFunctionLike(n), false);
}

function nameFor(scope: Node): string {
  const taken = (name: string): boolean => some(scope, (n) => ts.isIdentifier(n) && n.text === name && isReading(n), false);
  return ['error', 'cause', 'caught', 'failure'].find((n) => !taken(n)) ?? 'caughtError';
}
