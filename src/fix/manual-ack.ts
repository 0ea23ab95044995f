import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, isAsync, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { unique } from './async.js';
import { isInlineFunction, isTypeScript, methodOf, some, type Exit } from './code.js';
import { edit, nodesAt, type FixContext } from './context.js';
import { beforeExits, insertedBehind, lastWork, type Moving } from './settle.js';

type Handler = Compiler.ArrowFunction | Compiler.FunctionExpression;

/** `noAck: false`, and `channel.ack(msg)` at the end of the handler. */
export function manualAck(request: Extract<FixRequest, { kind: 'manual-ack' }>, context: FixContext): Suggestion[] {
  const option = nodesAt(request.option, context).find((n) => n.kind === ts.SyntaxKind.TrueKeyword);
  const property = option?.parent;
  if (!option || !property || !ts.isPropertyAssignment(property) || property.name.getText() !== 'noAck') return [];
  const consume = property.parent.parent;
  if (!ts.isCallExpression(consume) || methodOf(consume) !== 'consume' || !ts.isPropertyAccessExpression(consume.expression)) return [];
  const channel = consume.expression.expression;
  const handler = consume.arguments.find((a) => isInlineFunction(a)) as Handler | undefined;
  const [parameter] = handler?.parameters ?? [];
  if (!handler || !ts.isBlock(handler.body) || !isAsync(handler) || !parameter || !ts.isIdentifier(parameter.name) || !isPath(channel)) return [];
  if (ts.isFunctionExpression(handler) && some(channel, (n) => n.kind === ts.SyntaxKind.ThisKeyword)) return [];
  const source = consume.getSourceFile();
  const msg = parameter.name.text;
  const { statements } = handler.body;
  const only = statements.length === 1 ? statements[0] : undefined;
  // `if (msg) { … }` around everything.
  const list = only && ts.isIfStatement(only) && !only.elseStatement && only.expression.getText(source) === msg && ts.isBlock(only.thenStatement) ? only.thenStatement.statements : statements;
  const target = lastWork(list);
  if (!target) return [];
  const ack = `${channel.getText(source)}.ack(${msg});`;
  const known = list !== statements || !isTypeScript(handler) || !mayBeNull(parameter) || statements.some((s) => isNullGuard(s, msg));
  const what: Moving = { source, text: known ? ack : `if (${msg}) ${ack}`, indent: '', bare: known ? ack : `if (${msg}) ${ack}`, ownLines: false };
  const before = list.slice(0, list.findIndex((s) => s.pos <= target.pos && target.end <= s.end) + 1);
  const exits = beforeExits(before, what, (exit) => isExitOfGuard(exit, msg) || exit.pos >= target.end, context);
  if (!exits) return [];
  const edits = [edit(source, option.getStart(source), option.end, 'false', context), ...exits, insertedBehind(target, what, context)];
  return [{ title: 'Acknowledge by hand at the end of the handler', edits: unique(edits) }];
}

function isPath(e: Expression): boolean {
  return ts.isIdentifier(e) || e.kind === ts.SyntaxKind.ThisKeyword || (ts.isPropertyAccessExpression(e) && isPath(e.expression));
}

function mayBeNull(parameter: Compiler.ParameterDeclaration): boolean {
  return parameter.type === undefined || /\b(null|undefined)\b/.test(parameter.type.getText());
}

function isNullTest(e: Node, msg: string): boolean {
  return new RegExp(String.raw`^(!\s*${msg}\b|${msg}\s*={2,3}\s*(null|undefined)\b|(null|undefined)\s*={2,3}\s*${msg}\b)`).test(e.getText());
}

function isNullGuard(s: Node, msg: string): boolean {
  if (!ts.isIfStatement(s) || !isNullTest(s.expression, msg)) return false;
  const then = ts.isBlock(s.thenStatement) ? s.thenStatement.statements.at(-1) : s.thenStatement;
  return then !== undefined && (ts.isReturnStatement(then) || ts.isThrowStatement(then));
}

function isExitOfGuard(exit: Exit, msg: string): boolean {
  const s = ts.isBlock(exit.parent) ? exit.parent.parent : exit.parent;
  return isNullGuard(s, msg);
}
