import type { Library } from '../catalog/schema.js';
import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options } from '../origin/value.js';
import { ts, nameOf, type Compiler, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { exportsOf } from '../syntax/exports.js';
import { handlersIn, handling, type Registered } from './registered.js';

/** How many functions an event is followed through, until one reads it. */
const MAX_CALLS = 2;

/** `exports.handler = async (event) => …` without the types of the catalog: the fields that are read tell the source. */
export function untypedLambda(e: Evaluator, source: SourceFile, frame: Frame): Registered[] {
  const library = e.catalog.library('aws-lambda');
  if (!library) return [];
  const found: Registered[] = [];
  for (const [name, exported] of exportsOf(source).named) {
    if (exported.kind !== 'declaration' && exported.kind !== 'expression') continue;
    const value = exported.kind === 'declaration' ? e.declaration(exported.node, frame) : e.evaluate(exported.node, e.openFrame(exported.node));
    for (const v of handlersIn(e, value)) {
      const [first] = v.node.parameters;
      if (!first) continue;
      const isNamed = /handler/i.test(name) || /handler/i.test(nameOf(v.node));
      const type = first.type ?? ts.getJSDocType(first);
      const kind = saysSomething(type) ? ofType(e, library, type as Compiler.TypeNode, frame) : (sourceOf(e, v.node, first, 0) ?? (/handler$/i.test(name) ? ofFile(v.node) : undefined));
      const shape = kind === undefined ? undefined : library.types?.[kind];
      if (!shape?.eventType || !(isNamed || /Records/.test(v.node.getText()))) continue;
      found.push({ library, registration: handling(kind as string, shape.eventType), at: v.node, frame, handler: v, typed: true });
    }
  }
  return found;
}

/** `any` and `unknown` say nothing about the event. */
function saysSomething(type: Compiler.TypeNode | undefined): boolean {
  return type !== undefined && !/^(any|unknown|object|Record<string, (any|unknown)>)$/.test(type.getText());
}

/** A type of the program's own that has the name, or the fields, of an event. */
function ofType(e: Evaluator, library: Library, type: Compiler.TypeNode, frame: Frame): string | undefined {
  if (ts.isTypeLiteralNode(type)) return known(ofFields(type.getText()));
  const name = /(\w+)(<.*>)?$/s.exec(type.getText())?.[1];
  if (name !== undefined && library.types?.[name]?.eventType) return name;
  const own = e.types.value(type, frame, 'event', 'event');
  return own?.kind === 'typed' ? known(ofFields(own.members.map((m) => m.getText()).join('\n'))) : undefined;
}

/** A schedule is no source of messages: what one run has missed, the next one does. */
const SCHEDULE = 'schedule';

function known(kind: string | undefined): string | undefined {
  return kind === SCHEDULE ? undefined : kind;
}

/** A handler that hands its event on at once: the rest of the file tells. */
function ofFile(fn: FunctionNode): string | undefined {
  const { text } = fn.getSourceFile();
  return /\bRecords\b/.test(text) && /\bbody\b/.test(text) && /\bSQS|sqs/.test(text) ? 'SQSEvent' : undefined;
}

/** Which event a function reads, by itself or in the functions that it gives the event to. */
function sourceOf(e: Evaluator, fn: FunctionNode, event: Compiler.ParameterDeclaration, depth: number): string | undefined {
  return known(kindOf(e, fn, event, depth));
}

function kindOf(e: Evaluator, fn: FunctionNode, event: Compiler.ParameterDeclaration, depth: number): string | undefined {
  const name = ts.isIdentifier(event.name) ? event.name.text : undefined;
  const text = fn.getText();
  if (name === undefined || new RegExp(`\\b${name}\\b\\s*(\\?\\.|\\.|\\[)|(=|in|\\b(parse|validate|assert)\\w*\\(|\\bsafeParse\\w*\\()\\s*${name}\\b`, 'i').test(text)) {
    const found = ofFields(text);
    if (found !== undefined) return found;
  }
  if (name === undefined || depth >= MAX_CALLS || !fn.body) return undefined;
  const found = callsWith(fn.body, name).flatMap((call) => {
    const at = call.arguments.findIndex((a) => ts.isIdentifier(a) && a.text === name);
    return options(e.evaluate(call.expression, e.openFrame(call))).map((callee) => {
      const parameter = callee.kind === 'function' ? callee.node.parameters[at] : undefined;
      return callee.kind === 'function' && parameter ? kindOf(e, callee.node, parameter, depth + 1) : undefined;
    });
  });
  // A schedule comes by EventBridge too: what else that could be is only asked for by the way.
  const isBridge = found.every((kind) => kind === undefined || kind === SCHEDULE || kind === 'EventBridgeEvent');
  return isBridge && found.includes(SCHEDULE) ? SCHEDULE : found.find((kind) => kind !== undefined && kind !== SCHEDULE);
}

function callsWith(body: Node, name: string): Compiler.CallExpression[] {
  const found: Compiler.CallExpression[] = [];
  const visit = (n: Node): void => {
    if (ts.isCallExpression(n) && n.arguments.some((a) => ts.isIdentifier(a) && a.text === name)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(body);
  return found;
}

function ofFields(text: string): string | undefined {
  if (/\bRecords\b/.test(text)) {
    if (/\.Sns\b|\bSns\b/.test(text)) return 'SNSEvent';
    if (/\bdynamodb\b/.test(text)) return 'DynamoDBStreamEvent';
    if (/\bkinesis\b/.test(text)) return 'KinesisStreamEvent';
    if (/\.s3\b|\bs3\s*[:}.,]/.test(text) && !/\.body\b/.test(text)) return 'S3Event';
    return /\bbody\b|receiptHandle|messageId/.test(text) ? 'SQSEvent' : undefined;
  }
  if (/['"]Scheduled Event['"]/.test(text)) return SCHEDULE;
  return /\[['"]detail(-type)?['"]\]|['"]detail-type['"]\s*\??:|\.detail\b|\{[^}]*\bdetail\b[^}]*\}/.test(text) ? 'EventBridgeEvent' : undefined;
}
