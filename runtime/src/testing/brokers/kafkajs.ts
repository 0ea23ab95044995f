/**
 * In the place of `kafkajs`: the return of `eachMessage` or `eachBatch` commits the offset, unless `autoCommit` is off;
 * then `commitOffsets` does. What is not committed comes again.
 */
import { publish, subscribe } from '../delivery.js';
import type { Delivery } from '../scenario.js';
import { bytes, readable } from './pull.js';

interface RunOptions {
  autoCommit?: boolean;
  eachBatchAutoResolve?: boolean;
  eachMessage?(payload: object): unknown;
  eachBatch?(payload: object): unknown;
}

class Consumer {
  private topics: string[] = [];
  private current: Delivery | undefined;

  async subscribe({ topic, topics = [], ..._rest }: { topic?: string; topics?: string[] }): Promise<void> {
    this.topics.push(...(topic === undefined ? topics : [topic]));
    return Promise.resolve();
  }

  async run(options: RunOptions): Promise<void> {
    for (const topic of this.topics) {
      subscribe({ destination: topic, acknowledge: 'nothing', consume: (delivery) => this.handle(options, topic, delivery) });
    }
    return Promise.resolve();
  }

  private async handle(options: RunOptions, topic: string, delivery: Delivery): Promise<void> {
    this.current = delivery;
    const { body, id, headers = {} } = delivery.message;
    const message = { key: id === undefined ? null : Buffer.from(id), value: bytes(body), headers, offset: '0', timestamp: '0' };
    const common = { heartbeat: nothing, pause: () => nothing };
    const commits = options.autoCommit !== false;
    if (options.eachMessage) {
      await options.eachMessage({ topic, partition: 0, message, ...common });
      if (commits) delivery.ack();
      return;
    }
    let resolved = options.eachBatchAutoResolve !== false;
    let thrown = true;
    let marked = false;
    try {
      await options.eachBatch?.({
        batch: { topic, partition: 0, messages: [message], highWatermark: '1', isEmpty: () => false, firstOffset: () => '0', lastOffset: () => '0' },
        resolveOffset: () => void (marked = true),
        commitOffsetsIfNecessary: async (offsets?: unknown) => {
          if (offsets !== undefined || (commits && marked)) delivery.ack();
          return Promise.resolve();
        },
        uncommittedOffsets: () => ({ topics: [] }),
        isRunning: () => true,
        isStale: () => false,
        ...common,
      });
      thrown = false;
    } finally {
      // A batch that throws is committed as far as it was resolved.
      resolved = marked || (resolved && !thrown);
      if (commits && resolved) delivery.ack();
    }
  }

  async commitOffsets(): Promise<void> {
    this.current?.ack();
    return Promise.resolve();
  }

  connect = nothing;
  disconnect = nothing;
  stop = nothing;
  seek = (): undefined => undefined;
  pause = (): undefined => undefined;
  resume = (): undefined => undefined;
  on = (): (() => void) => () => undefined;
  readonly events = {};
}

interface Sent {
  topic: string;
  messages: { value: unknown }[];
}

class Producer {
  /** The messages have no id that a receiver must know: a second send is a second message. */
  async send({ topic, messages }: Sent): Promise<unknown[]> {
    for (const { value } of messages) await publish(topic, readable(value));
    return [];
  }

  async sendBatch({ topicMessages }: { topicMessages: Sent[] }): Promise<unknown[]> {
    for (const one of topicMessages) await this.send(one);
    return [];
  }

  connect = nothing;
  disconnect = nothing;
  on = (): (() => void) => () => undefined;
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

export class Kafka {
  consumer = (): Consumer => new Consumer();
  producer = (): Producer => new Producer();
}

export const logLevel = { NOTHING: 0, ERROR: 1, WARN: 2, INFO: 4, DEBUG: 5 };
export const Partitioners = {};
export default { Kafka, logLevel, Partitioners };
