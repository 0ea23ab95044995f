import type { Finding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import { causesOf } from '../report/shared.js';

/** The report with those findings alone whose place, trace or handler is in a changed file. */
export function onlyChanged(report: ProgramReport, changed: ReadonlySet<string>): ProgramReport {
  const touched = (h: HandlerReport, f: Finding): boolean => [f.place, ...(f.via ? [f.via] : []), ...f.trace.map((t) => t.place), h.place, h.registeredAt].some((p) => changed.has(p.file));
  const handlers = report.handlers.map((h) => ({ ...h, findings: h.findings.filter((f) => touched(h, f)) }));
  return { ...report, handlers, unchanged: causesOf(report.handlers).length - causesOf(handlers).length };
}
