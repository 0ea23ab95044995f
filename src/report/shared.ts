import type { Finding, SuppressedFinding } from '../model/finding.js';
import type { HandlerReport } from '../model/handler.js';

/** A finding with the handlers that it affects: several, if its cause is a wrapper or helper that they share. */
export interface Cause<F extends Finding = Finding> {
  finding: F;
  handlers: HandlerReport[];
}

/** Every cause once, in the order of the handlers. */
export function causesOf(handlers: readonly HandlerReport[]): Cause[] {
  return collect(handlers, (h) => h.findings);
}

/** The causes that count for no handler at all. */
export function suppressedCausesOf(handlers: readonly HandlerReport[]): Cause<SuppressedFinding>[] {
  const counted = new Set(handlers.flatMap((h) => h.findings.map((f) => f.id)));
  return collect(handlers, (h) => h.suppressed).filter((c) => !counted.has(c.finding.id));
}

function collect<F extends Finding>(handlers: readonly HandlerReport[], findingsOf: (handler: HandlerReport) => readonly F[]): Cause<F>[] {
  const causes = new Map<string, Cause<F>>();
  for (const handler of handlers) {
    for (const finding of findingsOf(handler)) {
      const known = causes.get(finding.id);
      if (!known) causes.set(finding.id, { finding, handlers: [handler] });
      else if (!known.handlers.includes(handler)) known.handlers.push(handler);
    }
  }
  return [...causes.values()];
}

/** Causes by the first handler that they affect. */
export function byHandler(causes: readonly Cause[]): [HandlerReport, Cause[]][] {
  const groups = new Map<HandlerReport, Cause[]>();
  for (const cause of causes) {
    const [first] = cause.handlers;
    if (first) groups.set(first, [...(groups.get(first) ?? []), cause]);
  }
  return [...groups];
}

export function countFindings(handlers: readonly HandlerReport[]): number {
  return causesOf(handlers).length;
}

/** Findings per rule, the most frequent first. */
export function countByRule(causes: readonly Cause[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { finding } of causes) counts.set(finding.rule, (counts.get(finding.rule) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])));
}

export function countByVerdict(handlers: readonly HandlerReport[]): Record<HandlerReport['verdict'], number> {
  const counts = { safe: 0, unproven: 0, unsafe: 0 };
  for (const h of handlers) counts[h.verdict]++;
  return counts;
}
