import type { Evaluator } from '../origin/evaluate.js';
import type { ProgramIndex } from './program-index.js';

/**
 * The transports that the program's bootstrap names (`transport: Transport.RMQ`): NestJS handlers take their meaning from
 * it, and over TCP, Redis or core NATS nothing is ever delivered twice.
 */
export function transportsOf(e: Evaluator, index: ProgramIndex): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of index.files) {
    const text = e.sources.files.text(file);
    if (!text?.includes('Transport') && !text?.includes('strategy')) continue;
    if (!text.includes('@nestjs/')) continue;
    for (const [, name] of text.matchAll(/\bTransport\.([A-Z]+)\b/g)) if (name !== undefined) found.add(name);
    if (/\b(RmqOptions|ServerRMQ|RmqContext)\b/.test(text)) found.add('RMQ');
    if (/\b(KafkaOptions|ServerKafka|KafkaContext)\b/.test(text)) found.add('KAFKA');
  }
  return found;
}

