/** In the place of `amqplib`: what is acknowledged is done, what is nacked or left comes again with another tag. */
import { publishNow, subscribe } from '../delivery.js';
import type { Delivery } from '../scenario.js';
import { bytes, readable } from './pull.js';

interface Received {
  content: Buffer;
  fields: { deliveryTag: number; redelivered: boolean; exchange: string; routingKey: string; consumerTag: string };
  properties: { messageId: string | undefined; headers: Record<string, string> };
}

interface PublishOptions {
  messageId?: string;
}

class Channel {
  private readonly open = new Map<number, Delivery>();

  async consume(queue: string, handler: (message: Received) => unknown, options: { noAck?: boolean } = {}): Promise<{ consumerTag: string }> {
    subscribe({
      destination: queue,
      acknowledge: options.noAck ? 'nothing' : 'call',
      consume: async (delivery) => {
        // With noAck the broker forgets a message when it sends it.
        if (options.noAck) delivery.ack();
        this.open.set(delivery.tag, delivery);
        try {
          await handler(received(queue, delivery));
        } catch (error) {
          // The client awaits no handler, so that its rejection ends the process.
          setImmediate(() => {
            throw error;
          });
        }
      },
    });
    return Promise.resolve({ consumerTag: queue });
  }

  ack(message: Received): void {
    this.open.get(message.fields.deliveryTag)?.ack();
  }

  nack(message: Received, _allUpTo = false, requeue = true): void {
    this.open.get(message.fields.deliveryTag)?.nack({ requeue });
  }

  reject(message: Received, requeue = true): void {
    this.nack(message, false, requeue);
  }

  publish(exchange: string, key: string, content: Uint8Array, options: PublishOptions = {}, confirmed?: (error: unknown) => void): boolean {
    publishNow(exchange ? `${exchange}/${key}` : key, readable(content), { id: options.messageId });
    if (confirmed) setImmediate(confirmed, null);
    return true;
  }

  sendToQueue(queue: string, content: Uint8Array, options?: PublishOptions, confirmed?: (error: unknown) => void): boolean {
    return this.publish('', queue, content, options, confirmed);
  }

  assertQueue = async (queue = 'queue'): Promise<unknown> => Promise.resolve({ queue, messageCount: 0, consumerCount: 0 });
  assertExchange = async (exchange: string): Promise<unknown> => Promise.resolve({ exchange });
  checkQueue = this.assertQueue;
  bindQueue = nothing;
  prefetch = nothing;
  cancel = nothing;
  close = nothing;
  waitForConfirms = nothing;
  on = (): this => this;
  once = (): this => this;
}

function received(queue: string, { message, tag, redelivered }: Delivery): Received {
  return {
    content: bytes(message.body),
    fields: { deliveryTag: tag, redelivered, exchange: '', routingKey: queue, consumerTag: queue },
    properties: { messageId: message.id, headers: message.headers ?? {} },
  };
}

function nothing(): Promise<Record<string, never>> {
  return Promise.resolve({});
}

class Connection {
  createChannel = async (): Promise<Channel> => Promise.resolve(new Channel());
  createConfirmChannel = this.createChannel;
  close = nothing;
  on = (): this => this;
  once = (): this => this;
}

export const connect = async (): Promise<Connection> => Promise.resolve(new Connection());
export default { connect };
