/** One delivery in this thread: what the consumer gets, and how it settles. */
import { begin, performed, record } from './effects.js';
import type { Settlement } from './protocol.js';
import type { Delivery, Message } from './scenario.js';

/** A consumer as the harness calls it. `acknowledge` as in {@link Scenario.acknowledge}. */
export interface Consumer {
  destination?: string;
  acknowledge: 'call' | 'return' | 'nothing';
  consume(delivery: Delivery): unknown;
}

const consumers: Consumer[] = [];

/** For a fake broker: from now on messages of this destination are delivered here. */
export function subscribe(consumer: Consumer): void {
  consumers.push(consumer);
}

export const hasConsumer = (): boolean => consumers.length > 0;

/** The consumer of the message's destination, or the only one. */
export function consumerOf(message: Message): Consumer {
  const named = consumers.filter(({ destination }) => destination === message.destination);
  const [found] = named.length > 0 ? named : consumers.length === 1 ? consumers : [];
  if (found) return found;
  const known = consumers.map(({ destination }) => destination ?? '(unnamed)').join(', ');
  throw new Error(
    consumers.length === 0
      ? 'The scenario has no consumer: export consume(), or start() that registers one with a fake client.'
      : `No consumer of ${String(message.destination)}; there are: ${known}. Set destination on the message.`,
  );
}

/** The broker's side of one delivery. */
export class Settling {
  settled: Settlement | undefined;

  constructor(private readonly tell: (settlement: Settlement) => void) {}

  ack(label = 'the ack'): void {
    this.settle('acknowledged', 'ack', label);
  }

  nack(requeue: boolean, label = 'the nack'): void {
    this.settle(requeue ? 'returned' : 'dead-lettered', 'nack', label);
  }

  private settle(as: Settlement, kind: 'ack' | 'nack', label: string): void {
    if (this.settled) return;
    const begun = begin({ kind, label });
    this.settled = as;
    this.tell(as);
    begun.end();
  }
}

export function delivery(message: Message, attempt: number, tag: number, settling: Settling): Delivery {
  return {
    message,
    attempt,
    tag,
    redelivered: attempt > 1,
    ack: () => settling.ack(),
    nack: ({ requeue = true } = {}) => settling.nack(requeue),
    publish,
  };
}

/** A message that the consumer sends. */
export async function publish(destination: string, body: unknown, options: { id?: string } = {}): Promise<void> {
  await performed(publishEffect(destination), publishCall(destination, body, options.id), () => undefined);
}

/** The same for a client whose call does not wait for the broker. Throws an injected failure. */
export function publishNow(destination: string, body: unknown, options: { id?: string } = {}): void {
  const begun = begin(publishEffect(destination));
  if (begun.decision === 'refused') {
    begun.end();
    throw new Error(`publish to ${destination} failed on purpose; it was not done.`);
  }
  record(publishCall(destination, body, options.id));
  begun.end();
}

const publishEffect = (destination: string) => ({ kind: 'publish', label: `publish to ${destination}` }) as const;

const publishCall = (destination: string, body: unknown, key: string | undefined) =>
  ({ kind: 'publish', name: `publish to ${destination}`, body, key }) as const;
