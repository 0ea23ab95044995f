import type { Finding } from '../model/finding.js';
import type { HandlerReport } from '../model/handler.js';

/** A finding with the handlers that it affects: several, if its cause is a wrapper or helper that they share. */
export interface Cause {
  finding: Finding;
  handlers: HandlerReport[];
}

/** Every cause once, in the order of the handlers. */
export function causesOf(handlers: readonly HandlerReport[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const handler of handlers) {
    for (const finding of handler.findings) {
      const known = causes.get(finding.id);
      if (!known) causes.set(finding.id, { finding, handlers: [handler] });
      else if (!known.handlers.includes(handler)) known.handlers.push(handler);
    }
  }
  return [...causes.values()];
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
