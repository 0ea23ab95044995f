/**
 * In the place of `nats`, `@nats-io/jetstream` and `@nats-io/transport-node`: a message is done when it is acked or
 * terminated; else it comes again.
 */
import { publish } from '../delivery.js';
import type { Delivery } from '../scenario.js';
import { bytes, Pull, readable } from './pull.js';

interface JsMessage {
  subject: string;
  data: Uint8Array;
  headers: { get(name: string): string };
  seq: number;
  redelivered: boolean;
  info: { deliveryCount: number; streamSequence: number };
  json(): unknown;
  string(): string;
  ack(): void;
  ackAck(): Promise<boolean>;
  nak(): void;
  term(): void;
  working(): void;
}

function received(delivery: Delivery): JsMessage {
  const { body, id = '', headers = {}, destination = 'subject' } = delivery.message;
  const data = bytes(body);
  return {
    subject: destination,
    data,
    headers: { get: (name) => headers[name] ?? (name === 'Nats-Msg-Id' ? id : '') },
    seq: 1,
    redelivered: delivery.redelivered,
    info: { deliveryCount: delivery.attempt, streamSequence: 1 },
    json: () => JSON.parse(data.toString('utf8')) as unknown,
    string: () => data.toString('utf8'),
    ack: () => delivery.ack(),
    ackAck: async () => {
      delivery.ack();
      return Promise.resolve(true);
    },
    nak: () => delivery.nack(),
    term: () => delivery.nack({ requeue: false }),
    working: () => undefined,
  };
}

class Consumer {
  private readonly pull = new Pull();

  async consume(options: { callback?: (message: JsMessage) => unknown } = {}): Promise<AsyncIterable<JsMessage> & { close(): Promise<void> }> {
    const { callback } = options;
    if (callback) void this.each(callback);
    return Promise.resolve({ [Symbol.asyncIterator]: () => this.messages(), close: nothing });
  }

  fetch = this.consume.bind(this);

  async next(): Promise<JsMessage> {
    return received(await this.pull.next());
  }

  private async each(callback: (message: JsMessage) => unknown): Promise<never> {
    for (;;) await callback(await this.next());
  }

  private async *messages(): AsyncGenerator<JsMessage> {
    for (;;) yield await this.next();
  }
}

class JetStream {
  consumers = { get: async (): Promise<Consumer> => Promise.resolve(new Consumer()) };

  /** A stream drops a message whose `msgID` it has seen. */
  async publish(subject: string, data?: unknown, options: { msgID?: string } = {}): Promise<object> {
    await publish(subject, readable(data), { id: options.msgID });
    return { stream: 'stream', seq: 1, duplicate: false };
  }
}

class Connection {
  jetstream = (): JetStream => new JetStream();
  publish = (subject: string, data?: unknown): void => void publish(subject, readable(data));
  flush = nothing;
  drain = nothing;
  close = nothing;
  closed = (): Promise<never> => new Promise(() => undefined);
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

export const jetstream = (): JetStream => new JetStream();
export const connect = async (): Promise<Connection> => Promise.resolve(new Connection());

export const AckPolicy = { None: 'none', All: 'all', Explicit: 'explicit' };
export const DeliverPolicy = { All: 'all', Last: 'last', New: 'new' };

export function JSONCodec(): { encode(value: unknown): Uint8Array; decode(data: Uint8Array): unknown } {
  return { encode: (value) => bytes(JSON.stringify(value)), decode: (data) => readable(data) };
}

export function StringCodec(): { encode(value: string): Uint8Array; decode(data: Uint8Array): string } {
  return { encode: (value) => bytes(value), decode: (data) => Buffer.from(data).toString('utf8') };
}
