/** In the place of `bullmq`: the return of a processor completes the job, a throw brings it again. */
import { publish, subscribe } from '../delivery.js';

export class UnrecoverableError extends Error {}
export class DelayedError extends Error {}

type Processor = (job: object, token: string) => unknown;

export class Worker {
  constructor(
    readonly name: string,
    processor: Processor,
  ) {
    subscribe({
      destination: name,
      acknowledge: 'nothing',
      consume: async (delivery) => {
        const { id, body } = delivery.message;
        const job = { id, name: 'job', data: body, opts: {}, attemptsMade: delivery.attempt - 1, log: nothing, updateProgress: nothing, updateData: nothing };
        try {
          await processor(job, `token-${delivery.tag}`);
        } catch (error) {
          if (error instanceof UnrecoverableError) return delivery.nack({ requeue: false });
          throw error;
        }
        delivery.ack();
      },
    });
  }

  on = (): this => this;
  run = nothing;
  close = nothing;
  waitUntilReady = nothing;
}

interface JobOptions {
  jobId?: string;
}

export class Queue {
  constructor(readonly name: string) {}

  /** A job whose id is there already is not added. */
  async add(name: string, data: unknown, options: JobOptions = {}): Promise<object> {
    await publish(this.name, { name, data }, { id: options.jobId });
    return { id: options.jobId ?? 'job', name, data };
  }

  async addBulk(jobs: { name: string; data: unknown; opts?: JobOptions }[]): Promise<object[]> {
    const added: object[] = [];
    for (const { name, data, opts } of jobs) added.push(await this.add(name, data, opts));
    return added;
  }

  on = (): this => this;
  close = nothing;
}

export class QueueEvents {
  on = (): this => this;
  close = nothing;
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

export default { Worker, Queue, QueueEvents, UnrecoverableError, DelayedError };
