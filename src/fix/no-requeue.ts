import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, type Compiler } from '../syntax/compiler.js';
import { methodOf } from './code.js';
import { edit, nodesAt, type FixContext } from './context.js';

/** Refuses for good what goes back to the queue at once; where the client knows no such refusal, it waits first. */
export function noRequeue(request: Extract<FixRequest, { kind: 'no-requeue' }>, context: FixContext): Suggestion[] {
  for (const n of nodesAt(request.at, context)) {
    if (ts.isCallExpression(n)) return refused(n, context);
    if (ts.isNewExpression(n)) return suggestion(nackOf(n, context));
    if (ts.isObjectLiteralExpression(n) && context.client === 'rabbitmq-client') return suggestion(option(n, context));
    if (n.kind === ts.SyntaxKind.TrueKeyword) return suggestion(edit(n.getSourceFile(), n.getStart(), n.end, 'false', context));
  }
  return [];
}

function suggestion(change: Edit | undefined): Suggestion[] {
  return change ? [{ title: 'Dead-letter it instead of requeueing', edits: [change] }] : [];
}

/** `nack(msg)`, `nack(msg, false, true)`, `reject(msg)`, `nackAll()`, `nak()`. */
function refused(call: Compiler.CallExpression, context: FixContext): Suggestion[] {
  const method = methodOf(call);
  const source = call.getSourceFile();
  if (method === 'nak' && call.arguments.length === 0) {
    return [{ title: 'Wait before the next delivery', edits: [edit(source, call.end - 1, call.end, '30_000)', context)] }];
  }
  // A message that settles itself is not among its arguments.
  const at = { nack: 2, reject: 1, nackAll: 0, ...(context.client === '@cloudamqp/amqp-client' && { nack: 0, reject: 0 }) }[method];
  if (at === undefined || call.arguments.some((a) => ts.isSpreadElement(a))) return [];
  const given = call.arguments[at];
  if (given) return suggestion(edit(source, given.getStart(source), given.end, 'false', context));
  const last = call.arguments.at(-1);
  const missing = Array.from({ length: at + 1 - call.arguments.length }, () => 'false').join(', ');
  const close = call.end - 1;
  return suggestion(last ? edit(source, last.end, close, `, ${missing}`, context) : edit(source, close, close, missing, context));
}

/** `new Nack(true)`. */
function nackOf(n: Compiler.NewExpression, context: FixContext): Edit | undefined {
  const [requeue] = n.arguments ?? [];
  return requeue && edit(n.getSourceFile(), requeue.getStart(), requeue.end, 'false', context);
}

function option(object: Compiler.ObjectLiteralExpression, context: FixContext): Edit | undefined {
  const [first] = object.properties;
  if (!first) return undefined;
  const source = object.getSourceFile();
  const start = first.getStart(source);
  return edit(source, start, start, 'requeue: false, ', context);
}
