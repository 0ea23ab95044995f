import type { ProgramReport } from '../model/handler.js';
import { causesOf, type Cause } from './shared.js';
import { summaryLine } from './summary.js';

/**
 * Workflow commands, which GitHub Actions shows beside the changed lines. `prefix` leads from the repository's folder to
 * the one that the report's paths are relative to.
 */
export function toGithub(report: ProgramReport, prefix = ''): string {
  const file = (path: string): string => (prefix === '' ? path : `${prefix}/${path}`);
  return [
    ...causesOf(report.handlers).map((cause) => annotation(cause, file)),
    ...report.problems.map((p) => command('warning', { ...(p.file !== '' && { file: file(p.file) }), title: 'Not analysed in full' }, p.message)),
    text(summaryLine(report)),
  ].join('\n');
}

function annotation({ finding, handlers }: Cause, file: (path: string) => string): string {
  const { place } = finding;
  // A column range over several lines is refused.
  const columns: Record<string, number> = place.line === place.endLine ? { col: place.column, endColumn: place.endColumn } : {};
  const affected = handlers.length > 1 ? `\nAffects ${handlers.length} handlers: ${handlers.map((h) => `${h.name} (${h.place.file}:${h.place.line})`).join(', ')}` : '';
  return command(finding.severity, { file: file(place.file), line: place.line, endLine: place.endLine, ...columns, title: `idempotent-consumers/${finding.rule}` }, `${finding.message}${affected}`);
}

function command(name: string, properties: Record<string, string | number>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`);
  return `::${name} ${list.join(',')}::${data(message)}`;
}

/** What stands after `::` may hold anything but a line end. */
function data(message: string): string {
  return message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(value: string): string {
  return data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A line that is no command, whatever is in it. */
function text(line: string): string {
  return line.replace(/^::/, ' ::');
}
