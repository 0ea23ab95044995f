import type { Finding, SuppressedFinding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import { causesOf, countByRule, countByVerdict, suppressedCausesOf } from './shared.js';

/** The JSON report, schema version 1. Fields are added, never renamed. */
export function toJson(report: ProgramReport, tool: { name: string; version: string }): string {
  const causes = causesOf(report.handlers);
  return JSON.stringify(
    {
      schemaVersion: 1,
      tool,
      summary: { files: report.files, handlers: report.handlers.length, findings: causes.length, byRule: countByRule(causes), byVerdict: countByVerdict(report.handlers), suppressed: suppressedCausesOf(report.handlers).length, ...(report.unchanged !== undefined && { unchanged: report.unchanged }), unresolved: report.unresolved, durationMs: report.durationMs },
      handlers: report.handlers.map(handler),
      problems: report.problems,
    },
    null,
    2,
  );
}

function handler(h: HandlerReport): object {
  return {
    id: h.id,
    name: h.name,
    file: h.place.file,
    line: h.place.line,
    endLine: h.place.endLine,
    client: h.client,
    registeredAt: { file: h.registeredAt.file, line: h.registeredAt.line },
    acknowledgement: h.acknowledgement,
    verdict: h.verdict,
    guards: h.guards,
    timeline: h.timeline.map((t) => ({ kind: t.kind, detail: t.detail, ...(t.writeKind !== undefined && { writeKind: t.writeKind }), ...(t.detached && { detached: true }), file: t.place.file, line: t.place.line })),
    findings: h.findings.map(finding),
    suppressed: h.suppressed.map(suppressed),
  };
}

function finding(f: Finding): object {
  return {
    id: f.id,
    rule: f.rule,
    severity: f.severity,
    message: f.message,
    file: f.place.file,
    line: f.place.line,
    column: f.place.column,
    endLine: f.place.endLine,
    endColumn: f.place.endColumn,
    trace: f.trace.map((t) => ({ file: t.place.file, line: t.place.line, message: t.message })),
    suggestions: f.suggestions.map((s) => ({ title: s.title, edits: s.edits.map((e) => ({ file: e.file, start: e.start, end: e.end, text: e.text })) })),
  };
}

function suppressed(f: SuppressedFinding): object {
  return { ...finding(f), suppression: { by: f.suppression.by, ...(f.suppression.reason !== undefined && { reason: f.suppression.reason }) } };
}
