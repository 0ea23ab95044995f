import type { Finding } from '../model/finding.js';
import type { HandlerReport, TimelineStep } from '../model/handler.js';
import type { Place } from '../model/place.js';

/** What a finding means for the timeline: a stretch in which a crash hurts, or a single step. */
export interface Mark {
  finding: Finding;
  /** Indexes of steps. The same one twice: only this step is marked. */
  from: number;
  to: number;
  /** What happens there, in a few words. */
  says: string;
}

/** The marks of a handler's findings, in the order of the findings; a finding off the shown path has none. */
export function marksOf({ timeline, findings }: HandlerReport): Mark[] {
  return findings.flatMap((finding) => {
    const at = indexOf(timeline, finding.place);
    const others = finding.trace.map((t) => indexOf(timeline, t.place)).filter((i) => i >= 0 && i !== at);
    if (at < 0 && others.length === 0) return [];
    const mark = at < 0 ? step(timeline, finding, others) : others.length > 0 ? stretch(timeline, at, others) : untilAck(timeline, at);
    return [{ finding, ...mark }];
  });
}

type Range = Omit<Mark, 'finding'>;

/** The step that the place is, or is part of. The return stands for the whole function and is no such step. */
function indexOf(timeline: readonly TimelineStep[], place: Place): number {
  const exact = timeline.findIndex((s) => s.place.file === place.file && s.place.start === place.start && !isEnd(s));
  if (exact >= 0) return exact;
  return timeline.findIndex((s) => s.place.file === place.file && s.place.start <= place.start && s.place.end >= place.end && !isEnd(s));
}

/** The cause is no step itself (an option, a catch clause, a call that nobody waits for): a step that it concerns. */
function step(timeline: readonly TimelineStep[], finding: Finding, others: readonly number[]): Range {
  const i = Math.min(...others);
  const detached = timeline[i]?.detached === true;
  const message = finding.trace.find((t) => indexOf(timeline, t.place) === i)?.message ?? '';
  return { from: i, to: i, says: detached ? 'nobody waits for this: a crash after the acknowledgement loses it' : message };
}

function stretch(timeline: readonly TimelineStep[], at: number, others: readonly number[]): Range {
  const from = Math.min(at, ...others);
  const to = Math.max(at, ...others);
  const first = timeline[from];
  if (first?.kind === 'begin') return { from, to, says: 'the transaction is open here: a rollback does not undo what leaves it' };
  if (from !== at) return { from, to, says: `a crash here: the redelivery does ${name(first)} again` };
  if (first?.kind === 'ack') return { from, to, says: 'a crash here loses the message' };
  if (first?.kind === 'read' || first?.kind === 'dedup-check') return { from, to, says: 'a second delivery at the same time comes this far as well' };
  return { from, to, says: `a crash here: the redelivery finds ${name(first)} done and skips the rest` };
}

/** A step that a redelivery repeats: from it to the acknowledgement. */
function untilAck(timeline: readonly TimelineStep[], at: number): Range {
  const step = timeline[at];
  if (step?.kind !== 'write' && step?.kind !== 'external') return { from: at, to: at, says: '' };
  const ack = timeline.findIndex((s, i) => i > at && (s.kind === 'ack' || s.kind === 'return'));
  if (ack < 0) return { from: at, to: at, says: `a redelivery does ${name(step)} again` };
  return { from: at, to: ack, says: `a crash here: the redelivery does ${name(step)} again` };
}

function name(step: TimelineStep | undefined): string {
  return step ? `\`${step.detail}\`` : 'it';
}

export function isEnd(step: TimelineStep): boolean {
  return step.kind === 'return' || step.kind === 'throw';
}

/** The line that a reader looks at: a return is at the end of its function. */
export function lineOf(step: TimelineStep): number {
  return isEnd(step) ? step.place.endLine : step.place.line;
}
