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
    for (;;) {
      const running = this.running.get(key) as Promise<Ended<R>> | undefined;
      if (!running) return this.lead(key, () => poll(deadline, attempt));
      if (policy.policy === 'defer') return { status: 'in-flight' };
      const ended = await within(Math.max(0, deadline - Date.now()), running);
      if (!ended) return { status: 'in-flight' };
      if (!('error' in ended)) {
        if (ended.outcome.status === 'processed') return { status: 'duplicate', processedAt: new Date() };
        if (ended.outcome.status !== 'in-flight') return ended.outcome;
      } else if (policy.policy === 'coalesce') {
        throw ended.error;
      }
      // The other one failed or gave up waiting: this delivery takes its own turn.
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

/** Looks again, ever more seldom, while another process has the message. */
async function poll<R>(deadline: number, attempt: () => Promise<Outcome<R>>): Promise<Outcome<R>> {
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const outcome = await attempt();
    const left = deadline - Date.now();
    if (outcome.status !== 'in-flight' || left <= 0) return outcome;
    await pause(Math.min(jitter(wait), left));
  }
}
