/**
 * Deliveries of a message that is being handled already. They hold no connection while they wait: neither those of
 * this process, which wait in memory for the running one, nor those of other processes, which look again from time to
 * time. So a burst of duplicates of one slow message cannot drain the pool.
 */
import type { Outcome } from './outcome.js';
import type { InFlightPolicy } from './options.js';
import { jitter, pause, within } from './time.js';

type Ended<R> = { outcome: Outcome<R> } | { error: unknown };

export class InFlight {
  private readonly running = new Map<string, Promise<Ended<unknown>>>();

  /** `attempt` handles one delivery and answers `in-flight` where another process has the message. */
  async run<R>(key: string, policy: InFlightPolicy, attempt: () => Promise<Outcome<R>>): Promise<Outcome<R>> {
    const deadline = Date.now() + (policy.policy === 'defer' ? 0 : policy.max);
    for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
      const running = this.running.get(key) as Promise<Ended<R>> | undefined;
      if (running) {
        if (policy.policy === 'defer') return { status: 'in-flight' };
        const ended = await within(Math.max(0, deadline - Date.now()), running);
        if (!ended) return { status: 'in-flight' };
        if (policy.policy === 'coalesce') return shared(ended);
        // It may have failed, so this delivery takes its own turn; if it succeeded, the database says duplicate.
        continue;
      }
      const outcome = await this.lead(key, attempt);
      if (outcome.status !== 'in-flight' || Date.now() >= deadline) return outcome;
      await pause(Math.min(jitter(wait), Math.max(0, deadline - Date.now())));
    }
  }

  private async lead<R>(key: string, attempt: () => Promise<Outcome<R>>): Promise<Outcome<R>> {
    const own = attempt();
    this.running.set(
      key,
      own.then(
        (outcome) => ({ outcome }),
        (error: unknown) => ({ error }),
      ),
    );
    try {
      return await own;
    } finally {
      this.running.delete(key);
    }
  }
}

/** The end of a running delivery as the end of one that waited for it. */
function shared<R>(ended: Ended<R>): Outcome<R> {
  if ('error' in ended) throw ended.error;
  const { outcome } = ended;
  return outcome.status === 'processed' ? { status: 'duplicate', processedAt: new Date() } : outcome;
}
