/** The points of a clean delivery at which a crash makes a difference, and their names. */
import type { Event, Orders } from './protocol.js';

export interface Point {
  /** Number of the event at which the thread freezes. */
  event: number;
  /** `crash after X and before Y`, without the first word. */
  where: string;
  /** The effect that has just been done, if the point comes after one. */
  after?: Event;
}

/**
 * Before the first effect, and after each one: done by the server, its answer unread. Before an effect that follows
 * upon the answer of another, the world is the same as after that other one, so the two are one point. An effect that
 * began while another was under way has a point of its own.
 */
export function crashPoints(events: readonly Event[]): Point[] {
  const names = effectNames(events);
  const points: Point[] = [];
  events.forEach((event, i) => {
    const before = events[i - 1];
    if (event.edge === 'end') {
      const next = events.slice(i + 1).find(({ edge }) => edge === 'start');
      const where = `after ${names[event.effect]}${next ? ` and before ${names[next.effect]}` : ''}`;
      points.push({ event: i, where, after: event });
    } else if (!before) points.push({ event: i, where: `before ${names[event.effect]}` });
    else if (before.edge === 'start') {
      points.push({ event: i, where: `before ${names[event.effect]}, with ${names[before.effect]} under way` });
    }
  });
  return points;
}

/** The labels of the effects; those that occur several times with their count. */
export function effectNames(events: readonly Event[]): string[] {
  const labels = events.filter(({ edge }) => edge === 'start').sort((a, b) => a.effect - b.effect).map(({ label }) => label);
  return labels.map((label, i) => {
    const before = labels.slice(0, i).filter((other) => other === label).length;
    const again = before > 0 || labels.indexOf(label, i + 1) > 0;
    return again ? `${label} (${ordinal(before + 1)})` : label;
  });
}

function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

export interface Failure {
  fail: NonNullable<Orders['fail']>;
  /** `` `UPDATE accounts` fails once `` */
  what: string;
}

const begins = /\bBEGIN\b/;
const commits = /\bCOMMIT\b/;
const ends = /\b(?:COMMIT|ROLLBACK)\b(?! TO)/i;
const writes = /\b(?:INSERT|UPDATE|DELETE|MERGE)\b/;

/** Every effect that can fail, and how. Acknowledgements are left out: a lost one is a crash before it. */
export function failures(events: readonly Event[]): Failure[] {
  const names = effectNames(events);
  const inTransaction = transactionOf(events);
  return events.filter(({ edge }) => edge === 'start').flatMap((event): Failure[] => {
    if (event.kind === 'ack' || event.kind === 'nack') return [];
    const name = names[event.effect] ?? event.label;
    const refused: Failure = { fail: { effect: event.effect, how: 'refused' }, what: `${name} fails once` };
    // A statement in the middle of a transaction is undone with its connection, as by a crash.
    const lasts = event.kind !== 'query' || commits.test(event.label) || (!inTransaction(event) && writes.test(event.label) && !begins.test(event.label));
    return lasts ? [refused, { fail: { effect: event.effect, how: 'unanswered' }, what: `the answer of ${name} is lost once` }] : [refused];
  });
}

/** The last COMMIT with a call or a message before it in its transaction: that call would outlive a rollback. */
export function commitAfterCall(events: readonly Event[]): Failure | undefined {
  const inTransaction = transactionOf(events);
  const starts = events.filter(({ edge }) => edge === 'start');
  const call = starts.find((event) => event.kind !== 'query' && event.kind !== 'ack' && event.kind !== 'nack' && inTransaction(event));
  if (!call) return undefined;
  const commit = starts.find((event) => event.effect > call.effect && commits.test(event.label));
  return commit && { fail: { effect: commit.effect, how: 'refused' }, what: 'COMMIT fails at every delivery' };
}

/** Whether an effect began between a BEGIN and its COMMIT. With several transactions at once this is a guess. */
function transactionOf(events: readonly Event[]): (event: Event) => boolean {
  const inside = new Set<number>();
  let open = false;
  for (const { edge, label, kind, effect } of events) {
    if (edge === 'start' && open) inside.add(effect);
    if (kind === 'query' && begins.test(label) && edge === 'end') open = true;
    if (kind === 'query' && ends.test(label) && edge === 'start') open = false;
  }
  return (event) => inside.has(event.effect);
}
