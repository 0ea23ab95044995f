import type { Evaluator } from '../origin/evaluate.js';
import { ts, type Compiler, type Node } from '../syntax/compiler.js';
import type { ProgramIndex } from './program-index.js';

/** A microservice transport that the program's bootstrap connects. */
export interface Transport {
  name: string;
  /** RabbitMQ: is a message acknowledged on delivery? The default is yes. */
  noAck: boolean;
  /** The option that says so, or the whole configuration where the option is missing. */
  at: Node;
}

/**
 * The transports that the program's bootstrap names (`transport: Transport.RMQ`): NestJS handlers take their meaning from
 * it, and over TCP, Redis or core NATS nothing is ever delivered twice.
 */
export function transportsOf(e: Evaluator, index: ProgramIndex): Transport[] {
  const found: Transport[] = [];
  for (const file of index.files) {
    const text = e.sources.files.text(file);
    if (!text?.includes('@nestjs/') || !/\bTransport\b|Rmq(Options|Context)|Kafka(Options|Context)/.test(text)) continue;
    const source = e.sources.parser.parse(file);
    if (!source) continue;
    const visit = (n: Node): void => {
      if (ts.isObjectLiteralExpression(n)) {
        const transport = property(n, 'transport');
        const name = transport && /\bTransport\.([A-Z]+)\b/.exec(transport.initializer.getText())?.[1];
        if (name !== undefined) found.push({ name, ...acknowledgementOf(n) });
      }
      ts.forEachChild(n, visit);
    };
    visit(source);
    // A handler that takes the context of a broker says by it which one it is for.
    if (/\bRmqContext\b/.test(text) && /@(EventPattern|MessagePattern)\(/.test(text)) found.push({ name: 'RMQ', noAck: false, at: source });
    if (/\bKafkaContext\b/.test(text) && /@(EventPattern|MessagePattern)\(/.test(text)) found.push({ name: 'KAFKA', noAck: false, at: source });
  }
  return found;
}

function acknowledgementOf(config: Compiler.ObjectLiteralExpression): { noAck: boolean; at: Node } {
  const options = property(config, 'options')?.initializer;
  const noAck = options && ts.isObjectLiteralExpression(options) ? property(options, 'noAck') : undefined;
  // Options that stand elsewhere are not known: nothing is claimed about them.
  if (options && !ts.isObjectLiteralExpression(options)) return { noAck: false, at: config };
  if (!noAck) return { noAck: true, at: config };
  return { noAck: noAck.initializer.kind === ts.SyntaxKind.TrueKeyword, at: noAck };
}

function property(object: Compiler.ObjectLiteralExpression, name: string): Compiler.PropertyAssignment | undefined {
  return object.properties.find((p): p is Compiler.PropertyAssignment => ts.isPropertyAssignment(p) && p.name.getText().replace(/['"]/g, '') === name);
}
