import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { isInlineFunction, methodOf, some } from './code.js';
import { edit, holds, nodesAt, type FixContext } from './context.js';
import { isCatchHandler } from './rethrow.js';

/** Clients whose acknowledging call has a refusing one beside it, with what it takes. */
const REFUSALS: Record<string, (call: Compiler.CallExpression) => [name: string, args: string] | undefined> = {
  amqplib: channelRefusal,
  'amqp-connection-manager': channelRefusal,
  '@nestjs/microservices': channelRefusal,
  '@google-cloud/pubsub': () => ['nack', ''],
  '@nats-io/jetstream': () => ['nak', ''],
  nats: () => ['nak', ''],
};

function channelRefusal(call: Compiler.CallExpression): [string, string] | undefined {
  // Not back to the queue: a message that fails each time would go round for ever.
  return call.arguments[0] && ['nack', `${call.arguments[0].getText()}, false, false`];
}

/** Where the region that handles the failure acknowledges the message itself, it refuses it instead. */
export function refuse(request: Extract<FixRequest, { kind: 'rethrow' }>, context: FixContext): Suggestion[] {
  const region = nodesAt(request.clause, context).find((n) => ts.isCatchClause(n) || isInlineFunction(n));
  if (!region) return [];
  const acks = context.acks.filter((a) => holds(region, a, context)).map((a) => nodesAt(a, context).find((n) => ts.isCallExpression(n)));
  const [ack] = acks;
  if (!ack || acks.length > 1 || !ts.isCallExpression(ack)) return [];
  if (ts.isCatchClause(region) || isCatchHandler(region)) return instead(region, ack, context);
  return isInlineFunction(region) ? onError(region, ack, context) : [];
}

function instead(region: Compiler.CatchClause | Expression, ack: Compiler.CallExpression, context: FixContext): Suggestion[] {
  const source = ack.getSourceFile();
  const error = errorOf(region);
  if (isDone(ack)) {
    if (error === undefined) return [];
    return [{ title: 'Pass the error on', edits: [edit(source, ack.expression.end, ack.end, `(${error})`, context)] }];
  }
  const call = refusalOf(ack, context);
  return call === undefined ? [] : [{ title: `Refuse the message: \`${call}\``, edits: [edit(source, ack.getStart(source), ack.end, call, context)] }];
}

/** `() => channel.ack(msg)` as a callback: one way for the error, one for the rest. */
function onError(fn: Compiler.ArrowFunction | Compiler.FunctionExpression, ack: Compiler.CallExpression, context: FixContext): Suggestion[] {
  const call = refusalOf(ack, context);
  if (call === undefined || fn.parameters.length > 0 || fn.body !== ack || fn.typeParameters || fn.type || some(fn.body, (n) => ts.isIdentifier(n) && n.text === 'error', false)) return [];
  const source = fn.getSourceFile();
  return [{ title: `Refuse the message if there is an error: \`${call}\``, edits: [edit(source, fn.getStart(source), fn.end, `(error) => (error ? ${call} : ${ack.getText(source)})`, context)] }];
}

/** The refusing call beside an acknowledging one. */
export function refusalOf(ack: Compiler.CallExpression, context: FixContext): string | undefined {
  if (!ts.isPropertyAccessExpression(ack.expression) || methodOf(ack) !== 'ack') return undefined;
  const refusal = REFUSALS[context.client]?.(ack);
  return refusal && `${ack.expression.expression.getText()}.${refusal[0]}(${refusal[1]})`;
}

/** `done()`, `callback(null, result)`. */
export function isDone(ack: Compiler.CallExpression): boolean {
  const [first] = ack.arguments;
  return ts.isIdentifier(ack.expression) && (!first || /^(null|undefined)$/.test(first.getText()));
}

function errorOf(region: Node): string | undefined {
  const name = ts.isCatchClause(region) ? region.variableDeclaration?.name : isInlineFunction(region) ? region.parameters[0]?.name : undefined;
  return name && ts.isIdentifier(name) ? name.text : undefined;
}

