/** For clients that ask for messages: the other half of a loop that receives, handles and receives again. */
import { subscribe } from '../delivery.js';
import type { Delivery } from '../scenario.js';

export class Pull {
  private readonly ready: Delivery[] = [];
  private hungry: ((delivery: Delivery) => void) | undefined;
  private cameBack: (() => void) | undefined;

  constructor(destination?: string) {
    // The delivery is over when the loop asks for the next message.
    const consume = (delivery: Delivery): Promise<void> =>
      new Promise((resolve) => {
        this.cameBack = resolve;
        if (this.hungry) this.hungry(delivery);
        else this.ready.push(delivery);
      });
    subscribe({ destination, acknowledge: 'call', consume });
  }

  /** Resolves to the next delivery, however long that takes. */
  next(): Promise<Delivery> {
    const delivery = this.ready.shift();
    if (delivery) return Promise.resolve(delivery);
    this.cameBack?.();
    return new Promise((resolve) => {
      this.hungry = (given) => {
        this.hungry = undefined;
        resolve(given);
      };
    });
  }
}

/** A body as bytes on the wire: text as it is, anything else as JSON. */
export function bytes(body: unknown): Buffer {
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(text(body));
}

export function text(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** What was sent, for the report: JSON where it is JSON. */
export function readable(content: unknown): unknown {
  const raw = content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content;
  if (typeof raw !== 'string') return raw ?? null;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
