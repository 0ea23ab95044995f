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
      const kind = saysSomething(type) ? ofType(library, type as Compiler.TypeNode) : (sourceOf(e, v.node, first, 0) ?? (/handler$/i.test(name) ? ofFile(v.node) : undefined));
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
function ofType(library: Library, type: Compiler.TypeNode): string | undefined {
  if (ts.isTypeLiteralNode(type)) return ofFields(type.getText());
  const name = /(\w+)(<.*>)?$/s.exec(type.getText())?.[1];
  return name !== undefined && library.types?.[name]?.eventType ? name : undefined;
}

/** A handler that hands its event on at once: the rest of the file tells. */
function ofFile(fn: FunctionNode): string | undefined {
  const { text } = fn.getSourceFile();
  return /\bRecords\b/.test(text) && /\bbody\b/.test(text) && /\bSQS|sqs/.test(text) ? 'SQSEvent' : undefined;
}

/** Which event a function reads, by itself or in the functions that it gives the event to. */
function sourceOf(e: Evaluator, fn: FunctionNode, event: Compiler.ParameterDeclaration, depth: number): string | undefined {
  const name = ts.isIdentifier(event.name) ? event.name.text : undefined;
  const text = fn.getText();
  if (name === undefined || new RegExp(`\\b${name}\\b\\s*(\\?\\.|\\.|\\[)|=\\s*${name}\\b`).test(text)) {
    const found = ofFields(text);
    if (found !== undefined) return found;
  }
  if (name === undefined || depth >= MAX_CALLS || !fn.body) return undefined;
  for (const call of callsWith(fn.body, name)) {
    const at = call.arguments.findIndex((a) => ts.isIdentifier(a) && a.text === name);
    for (const callee of options(e.evaluate(call.expression, e.openFrame(call)))) {
      const parameter = callee.kind === 'function' ? callee.node.parameters[at] : undefined;
      const found = callee.kind === 'function' && parameter ? sourceOf(e, callee.node, parameter, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
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
  return /\[['"]detail(-type)?['"]\]|['"]detail-type['"]\s*\??:|\.detail\b|\{[^}]*\bdetail\b[^}]*\}/.test(text) ? 'EventBridgeEvent' : undefined;
}
