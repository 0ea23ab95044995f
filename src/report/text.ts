import pc from 'picocolors';
import type { Finding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { causesOf, countByRule, type Cause } from './shared.js';

export interface TextOptions {
  width: number;
  color: boolean;
  /** The folder that paths are relative to, where the reader cannot know it. */
  root?: string;
}

type Colors = ReturnType<typeof pc.createColors>;

/** For people: the findings by handler, what could not be read, and one line that sums up. */
export function toText(report: ProgramReport, { width, color, root }: TextOptions): string {
  const c = pc.createColors(color);
  const causes = causesOf(report.handlers);
  const blocks = [
    ...groups(causes).map((group) => handlerBlock(group, width, c)),
    ...(report.problems.length > 0 ? [problemBlock(report, width, c)] : []),
    [...(root === undefined ? [] : [c.dim(`Paths are relative to ${root}.`)]), summary(report, causes, c)].join('\n'),
  ];
  return blocks.join('\n\n');
}

/** Causes by the first handler that they affect. */
function groups(causes: readonly Cause[]): Cause[][] {
  const byHandler = new Map<HandlerReport | undefined, Cause[]>();
  for (const cause of causes) {
    const [first] = cause.handlers;
    byHandler.set(first, [...(byHandler.get(first) ?? []), cause]);
  }
  return [...byHandler.values()];
}

function handlerBlock(group: readonly Cause[], width: number, c: Colors): string {
  const handler = group[0]?.handlers[0];
  if (!handler) return '';
  const registered = handler.registeredAt.file === handler.place.file ? [] : [c.dim(`registered at ${line(handler.registeredAt)}`)];
  const heading = [`${c.bold(handler.name)} ${c.dim(`(${handler.client})`)}`, c.underline(line(handler.place)), ...registered].join('  ');
  return [heading, ...group.flatMap((cause) => ['', ...causeLines(cause, width, c)])].join('\n');
}

function causeLines({ finding, handlers }: Cause, width: number, c: Colors): string[] {
  return [
    `  ${c.cyan(`${line(finding.place)}:${finding.place.column}`)}  ${severity(finding, c)}  ${c.bold(finding.rule)}`,
    ...wrap(finding.message, width, '    '),
    ...finding.trace.flatMap((step) => wrap(`→ ${line(step.place)}  ${step.message}`, width, '      ').map((l) => c.dim(l))),
    ...wayOut(finding).flatMap((line) => wrap(line, width, '    ').map((l) => c.green(l))),
    ...(handlers.length > 1 ? wrap(`Affects ${handlers.length} handlers: ${handlers.map((h) => `${h.name} (${line(h.place)})`).join(', ')}`, width, '    ') : []),
  ];
}

function severity(finding: Finding, c: Colors): string {
  return finding.severity === 'error' ? c.red('error') : c.yellow('warning');
}

function problemBlock(report: ProgramReport, width: number, c: Colors): string {
  const lines = report.problems.flatMap((p) => wrap(`${p.file === '' ? '.' : p.file}: ${p.message}`, width, '  ', '    '));
  return [c.yellow('Could not be read or analysed in full:'), ...lines].join('\n');
}

function summary(report: ProgramReport, causes: readonly Cause[], c: Colors): string {
  const byRule = Object.entries(countByRule(causes)).map(([rule, n]) => `${n} ${rule}`);
  const broken = new Set(report.problems.map((p) => p.file)).size;
  const found = causes.length === 0 ? c.green('no findings') : c.red(`${count(causes.length, 'finding')} (${byRule.join(', ')})`);
  return [`${count(report.handlers.length, 'handler')} in ${count(report.files, 'file')}`, found, ...(broken > 0 ? [c.yellow(`${count(broken, 'file')} with problems`)] : [])].join(', ');
}

function line(place: Place): string {
  return `${place.file}:${place.line}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Breaks at spaces; a word that is longer than a line stays whole, so that a path can be copied. */
function wrap(text: string, width: number, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let current = indent;
  for (const word of text.split(/\s+/)) {
    const start = current.trim() === '';
    if (!start && current.length + 1 + word.length > width) {
      lines.push(current);
      current = hanging + word;
    } else current += start ? word : ` ${word}`;
  }
  return [...lines, current];
}

/** What to do about a finding: an edit that can be taken over, or the page that shows the compliant form. */
function wayOut(finding: Finding): string[] {
  if (finding.suggestions.length) return finding.suggestions.map((s) => `Suggestion: ${s.title}`);
  return [`Compliant code: docs/rules/${finding.rule}.md in this package, under "Correct"`];
}
