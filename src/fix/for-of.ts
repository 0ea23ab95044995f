import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, boundNames, enclosingFunction, isAsync, isGenerator, type Compiler, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import { madeAsync, unique } from './async.js';
import { hasCall, isInlineFunction, isReading, methodOf, some } from './code.js';
import { edit, nodesAt, rewritten, type FixContext } from './context.js';
import { letThrough } from './surroundings.js';
import { hasComment, indentAt, indentUnit, newline, reindent } from './text.js';

type Callback = Compiler.ArrowFunction | Compiler.FunctionExpression;

export function isForEach(n: Node): n is Compiler.CallExpression {
  return ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && methodOf(n) === 'forEach' && n.arguments.length === 1 && isInlineFunction(n.arguments[0]) && isAsync(n.arguments[0]);
}

/** `items.forEach(async (x) => { … })` as a loop that waits for each turn. */
export function forOf(request: Extract<FixRequest, { kind: 'for-of' }>, context: FixContext): Suggestion[] {
  const call = nodesAt(request.call, context).find((n) => isForEach(n));
  const callback = call?.arguments[0];
  const fn = call && enclosingFunction(call);
  if (!call || !fn || !isInlineFunction(callback) || isGenerator(callback) || !ts.isPropertyAccessExpression(call.expression)) return [];
  const statement = call.parent;
  if (!ts.isExpressionStatement(statement)) return [];
  const asynchronous = madeAsync(fn, context);
  const around = letThrough(call, fn, context);
  const head = headOf(call.expression, callback);
  const body = bodyOf(callback, context);
  if (!asynchronous || !around || head === undefined || body === undefined) return [];
  const source = call.getSourceFile();
  const { text } = source;
  const start = statement.getStart(source);
  const between = [text.slice(call.expression.expression.end, callback.parameters.pos), text.slice(callback.parameters.end, callback.body.getStart(source)), text.slice(callback.end, statement.end)];
  if (between.some(hasComment) || callback.parameters.some((p) => hasComment(text.slice(p.pos, p.end)))) return [];
  const edits = [...asynchronous, ...around, edit(source, start, statement.end, `${head} ${body}`, context)];
  return [{ title: 'Loop with `for … of` and wait for each turn', edits: unique(edits) }];
}

function headOf(callee: Compiler.PropertyAccessExpression, callback: Callback): string | undefined {
  const source = callee.getSourceFile();
  const { parameters } = callback;
  const [item, index] = parameters;
  if (!item || parameters.length > 2 || parameters.some((p) => p.initializer || p.dotDotDotToken)) return undefined;
  if (!isIterable(callee.expression)) return undefined;
  const names = new Set(parameters.flatMap((p) => boundNames(p.name)).map((n) => n.text));
  // In the head of the loop these names already stand for the loop's own.
  if (some(callee.expression, (n) => ts.isIdentifier(n) && isReading(n) && names.has(n.text), false)) return undefined;
  const list = callee.expression.getText(source);
  const items = callee.questionDotToken ? (index ? `(${list} ?? [])` : `${list} ?? []`) : list;
  const keyword = assigns(callback, names) ? 'let' : 'const';
  return index ? `for (${keyword} [${index.name.getText(source)}, ${item.name.getText(source)}] of ${items}.entries())` : `for (${keyword} ${item.name.getText(source)} of ${items})`;
}

/** A map gives pairs and a query snapshot gives nothing when looped over. */
function isIterable(list: Compiler.Expression): boolean {
  const text = list.getText();
  if (/(snap|snapshot|map)s?$/i.test(text) || /\bnew Map\b/.test(text)) return false;
  const d = ts.isIdentifier(list) ? lookup(list.text, list) : undefined;
  if (!d) return true;
  const type = ts.isVariableDeclaration(d) || ts.isParameter(d) ? d.type?.getText() : undefined;
  const value = ts.isVariableDeclaration(d) ? d.initializer?.getText() : undefined;
  return !/\b(Map|ReadonlyMap|Snapshot|QuerySnapshot|FormData|Headers|URLSearchParams)\b/.test(type ?? '') && !/^new (Map|Headers|FormData|URLSearchParams)\b/.test(value ?? '');
}

function bodyOf(callback: Callback, context: FixContext): string | undefined {
  const { body } = callback;
  const source = callback.getSourceFile();
  const from = indentAt(source.text, body.end);
  const statement = callback.parent.parent;
  const to = indentAt(source.text, statement.getStart(source));
  if (!ts.isBlock(body)) {
    const nl = newline(source);
    const inner = ts.isParenthesizedExpression(body) ? body.expression : body;
    const call = ts.isAwaitExpression(inner) ? inner.getText(source) : `await ${inner.getText(source)}`;
    return `{${nl}${to}${indentUnit(source)}${call};${nl}${to}}`;
  }
  if (usesFunction(callback) || some(body, (n) => ts.isVariableDeclarationList(n) && !(n.flags & ts.NodeFlags.BlockScoped))) return undefined;
  const edits = returnsAsContinues(body, context);
  if (!edits) return undefined;
  const start = body.getStart(source);
  return reindent(source, start, body.end, from, to, rewritten(source, start, body.end, edits));
}

/** `this` and `arguments` of a function of its own mean something else in a loop. */
function usesFunction(callback: Callback): boolean {
  return ts.isFunctionExpression(callback) && (callback.name !== undefined || some(callback.body, (n) => n.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(n) && n.text === 'arguments'), false));
}

function returnsAsContinues(body: Compiler.Block, context: FixContext): Edit[] | undefined {
  const source = body.getSourceFile();
  const edits: Edit[] = [];
  const inLoop = some(body, (n) => ts.isIterationStatement(n, false) && some(n, (x) => ts.isReturnStatement(x)));
  if (inLoop) return undefined;
  some(body, (n) => {
    if (!ts.isReturnStatement(n)) return false;
    const last = body.statements.at(-1) === n;
    const value = n.expression;
    const waits = value && hasCall(value) ? (ts.isAwaitExpression(value) ? value.getText(source) : `await ${value.getText(source)}`) : undefined;
    edits.push(edit(source, n.getStart(source), n.end, waits === undefined ? 'continue;' : last ? `${waits};` : `{ ${waits}; continue; }`, context));
    return false;
  });
  return edits;
}

function assigns(callback: Callback, names: ReadonlySet<string>): boolean {
  return some(
    callback.body,
    (n) =>
      (ts.isBinaryExpression(n) && n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment && ts.isIdentifier(n.left) && names.has(n.left.text)) ||
      ((ts.isPrefixUnaryExpression(n) || ts.isPostfixUnaryExpression(n)) && (n.operator === ts.SyntaxKind.PlusPlusToken || n.operator === ts.SyntaxKind.MinusMinusToken) && ts.isIdentifier(n.operand) && names.has(n.operand.text)),
    false,
  );
}
