/**
 * The effects of the consumer in this thread, one after the other, and the place where it is frozen. Everything that
 * intercepts (PostgreSQL, HTTP, brokers, the user's own code) tells its effects here.
 */
import type { Call, Effect, FromThread, Orders } from './protocol.js';

export type Decision = 'go' | 'refused' | 'unanswered';

/** An injected failure, as the consumer sees it. */
export class InjectedFailure extends Error {
  override name = 'InjectedFailure';
}

interface Channel {
  post(message: FromThread): void;
  gate: Int32Array;
}

let channel: Channel | undefined;
let orders: Orders = {};
let events = 0;
let effects = 0;
const underWay = new Set<number>();
let lastEvent = 0;

/** Connects this thread to the harness. Until then, and outside of deliveries, effects pass unseen. */
export function connect(to: Channel): void {
  channel = to;
}

let armed = false;

/** From now on effects are counted, as those of one delivery. */
export function arm(next: Orders): void {
  orders = next;
  events = 0;
  effects = 0;
  underWay.clear();
  armed = true;
}

export interface Begun {
  decision: Decision;
  /** Call it when the effect is done and before the consumer learns of it. Later calls do nothing. */
  end(): void;
}

/** Call it before the effect reaches the other side. Freezes here if that is ordered. */
export function begin(effect: Effect): Begun {
  if (!armed) return { decision: 'go', end: () => undefined };
  const number = effects;
  effects += 1;
  happen(effect, 'start', number);
  underWay.add(number);
  return {
    decision: orders.fail?.effect === number ? orders.fail.how : 'go',
    end: () => {
      if (underWay.delete(number)) happen(effect, 'end', number);
    },
  };
}

function happen({ kind, label }: Effect, edge: 'start' | 'end', effect: number): void {
  const number = events;
  events += 1;
  lastEvent = Date.now();
  channel?.post({ type: 'event', event: { kind, label, edge, effect } });
  if (orders.freezeAt === number) freeze();
}

/** Stops the whole thread in the middle of the call. It goes on if the harness opens the gate, or ends here. */
function freeze(): void {
  if (!channel) return;
  channel.post({ type: 'frozen' });
  Atomics.wait(channel.gate, 0, 0);
}

/** What happened elsewhere, for the world. */
export function record(call: Call): void {
  if (armed) channel?.post({ type: 'call', call });
}

let waiting = 0;

/** Something begins that is no effect itself, but may lead to one, such as a connection. Call the result when it is over. */
export function waitFor(): () => void {
  waiting += 1;
  let over = false;
  return () => {
    if (!over) waiting -= 1;
    over = true;
    lastEvent = Date.now();
  };
}

/** Resolves when nothing has been under way for a moment; with a deadline, since a consumer may never come to rest. */
export async function quiet(within: number): Promise<void> {
  const deadline = Date.now() + within;
  const still = 20;
  for (let since = Date.now(); Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (underWay.size > 0 || waiting > 0 || lastEvent > since) since = Math.max(lastEvent, Date.now());
    else if (Date.now() - since >= still) return;
  }
}

/**
 * An effect that the harness does not know by itself, in code that runs under it: a crash comes before and after it,
 * and the report names it. Outside of the harness it only makes the call.
 *
 * `label` is its name in the report; `body` is what is sent, for comparison. With a `key` that the other side
 * recognises, any number of times counts as once; with `repeatable`, repeating it changes nothing.
 */
export async function effect<T>(
  label: string,
  what: { body?: unknown; key?: string; repeatable?: boolean },
  call: () => Promise<T> | T,
): Promise<T> {
  return performed({ kind: 'custom', label }, { kind: 'custom', name: label, body: what.body ?? null, key: what.key, repeatable: what.repeatable }, call);
}

/** Begins, makes the call, records it and ends, with the failures that are ordered. */
export async function performed<T>(named: Effect, recorded: Call, call: () => Promise<T> | T): Promise<T> {
  const begun = begin(named);
  try {
    if (begun.decision === 'refused') throw new InjectedFailure(`${named.label} failed on purpose; it was not done.`);
    const result = await call();
    record(recorded);
    if (begun.decision === 'unanswered') throw new InjectedFailure(`${named.label} was done, and its answer was lost on purpose.`);
    return result;
  } finally {
    begun.end();
  }
}
