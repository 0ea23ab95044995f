import type * as Sarif from 'sarif';
import type { Finding, SuppressedFinding, Suggestion } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { causesOf, suppressedCausesOf, type Cause } from './shared.js';
import type { RuleText, Tool } from './tool.js';

const ROOT = 'ROOT';
/** A path for each handler of a wrapper that hundreds share would drown the result. */
const MAX_FLOWS = 10;

/** SARIF 2.1.0, for code scanning: a result for each cause, with the ways that lead to it. */
export function toSarif(report: ProgramReport, tool: Tool): string {
  const log: Sarif.Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, semanticVersion: tool.version, rules: tool.rules.map(descriptor) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { uri: `file://${uri(report.root).replace(/^(?!\/)/, '/')}/` } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: report.problems.map((p) => ({ level: 'warning', message: { text: p.message }, ...(p.file !== '' && { locations: [{ physicalLocation: { artifactLocation: artifact(p.file) } }] }) })),
          },
        ],
        results: [...causesOf(report.handlers).map((c) => result(c, tool)), ...suppressedCausesOf(report.handlers).map((c) => ({ ...result(c, tool), suppressions: [suppression(c.finding)] }))],
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function descriptor(rule: RuleText): Sarif.ReportingDescriptor {
  return {
    id: rule.name,
    shortDescription: { text: rule.description },
    ...(rule.page !== undefined && { help: { text: plain(rule.page), markdown: rule.page } }),
    ...(rule.url !== undefined && { helpUri: rule.url }),
    defaultConfiguration: { level: rule.severity },
    properties: { preset: rule.preset },
  };
}

/** Markdown is readable as it is; only what is meant for machines goes. */
function plain(page: string): string {
  return page.replace(/<!--[\s\S]*?-->\n*/g, '').trim();
}

function result({ finding, handlers }: Cause, tool: Tool): Sarif.Result {
  const ruleIndex = tool.rules.findIndex((r) => r.name === finding.rule);
  return {
    ruleId: finding.rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
    level: finding.severity,
    message: { text: handlers.length > 1 ? `${finding.message} This affects ${handlers.length} handlers: ${handlers.map((h) => h.name).join(', ')}.` : finding.message },
    locations: [{ ...location(finding.place), logicalLocations: handlers.map((h) => ({ name: h.name, kind: 'function' })) }],
    partialFingerprints: { 'findingId/v1': finding.id },
    codeFlows: handlers.slice(0, MAX_FLOWS).map((h) => ({ message: { text: `From ${h.name}, which ${h.client} calls` }, threadFlows: [{ locations: flow(finding, h).map((l) => ({ location: l })) }] })),
    relatedLocations: [...finding.trace.map((t) => location(t.place, t.message)), ...handlers.map((h) => location(firstLine(h.place), `handler ${h.name}`))].map((l, id) => ({ id, ...l })),
    ...(finding.suggestions.length > 0 && { fixes: finding.suggestions.map(fix) }),
  };
}

/** From the handler by the steps of the trace to the finding, in the order in which they run. */
function flow(finding: Finding, handler: HandlerReport): Sarif.Location[] {
  const order = ({ file, start }: Place): number => {
    const i = handler.timeline.findIndex((s) => s.place.file === file && s.place.start === start);
    return i < 0 ? handler.timeline.length : i;
  };
  const steps = [...finding.trace, { place: finding.place, message: finding.message }].sort((a, b) => order(a.place) - order(b.place));
  return [location(firstLine(handler.place), `${handler.client} calls ${handler.name} for each message`), ...steps.map((s) => location(s.place, s.message))];
}

function location(place: Place, message?: string): Sarif.Location {
  return {
    physicalLocation: { artifactLocation: artifact(place.file), region: { startLine: place.line, startColumn: place.column, endLine: place.endLine, endColumn: place.endColumn } },
    ...(message !== undefined && { message: { text: message } }),
  };
}

function firstLine(place: Place): Place {
  return { ...place, endLine: place.line, endColumn: place.endLine === place.line ? place.endColumn : place.column };
}

function suppression({ suppression: { by, reason } }: SuppressedFinding): Sarif.Suppression {
  return { kind: by === 'comment' ? 'inSource' : 'external', ...(reason !== undefined && { justification: reason }) };
}

function fix({ title, edits }: Suggestion): Sarif.Fix {
  const files = [...new Set(edits.map((e) => e.file))];
  return {
    description: { text: title },
    artifactChanges: files.map((file) => ({
      artifactLocation: artifact(file),
      replacements: edits.filter((e) => e.file === file).map((e) => ({ deletedRegion: { charOffset: e.start, charLength: e.end - e.start }, insertedContent: { text: e.text } })),
    })),
  };
}

function artifact(file: string): Sarif.ArtifactLocation {
  return { uri: uri(file), uriBaseId: ROOT };
}

/** Each part of the path escaped, so that a `#` or a space in a name does not end it. */
function uri(path: string): string {
  return path.replaceAll('\\', '/').split('/').map((part) => (/^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part))).join('/');
}
