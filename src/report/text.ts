import pc from 'picocolors';
import type { Finding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { isEnd, lineOf, marksOf, type Mark } from './marks.js';
import { printable } from './printable.js';
import { byHandler, causesOf, type Cause } from './shared.js';
import { summaryOf } from './summary.js';

export interface TextOptions {
  width: number;
  color: boolean;
  /** The folder that paths are relative to, where the reader cannot know it. */
  root?: string;
}

type Colors = ReturnType<typeof pc.createColors>;

/** For people: by handler its timeline and findings, what could not be read, and one line that sums up. */
export function toText(report: ProgramReport, { width, color, root }: TextOptions): string {
  const c = pc.createColors(color);
  const blocks = [
    ...byHandler(causesOf(report.handlers)).map(([handler, causes]) => handlerBlock(handler, causes, width, c)),
    ...(report.problems.length > 0 ? [problemBlock(report, width, c)] : []),
    [...(root === undefined ? [] : [c.dim(`Paths are relative to ${root}.`)]), toSummary(report, color)].join('\n'),
  ];
  return blocks.join('\n\n');
}

/** The last line of the text, for when the reports go to files. */
export function toSummary(report: ProgramReport, color: boolean): string {
  const c = pc.createColors(color);
  const { coverage, findings, clean, beside, problems } = summaryOf(report);
  return [coverage, clean ? c.green(findings) : c.red(findings), ...beside, ...(problems === undefined ? [] : [c.yellow(problems)])].join(', ');
}

function handlerBlock(handler: HandlerReport, causes: readonly Cause[], width: number, c: Colors): string {
  const registered = handler.registeredAt.file === handler.place.file ? [] : [c.dim(`registered at ${at(handler.registeredAt)}`)];
  const heading = [`${c.bold(printable(handler.name))} ${c.dim(`(${printable(handler.client)})`)}`, c.underline(at(handler.place)), ...registered].join('  ');
  const timeline = timelineLines(handler, width, c);
  return [heading, ...(timeline.length > 0 ? ['', ...timeline] : []), ...causes.flatMap((cause) => ['', ...causeLines(cause, width, c)])].join('\n');
}

/** One line a step; a bar on the left holds together what a crash would tear apart, with the reason in its first line. */
export function timelineLines(handler: HandlerReport, width: number, c: Colors, always = false): string[] {
  const { timeline } = handler;
  const marks = distinct(marksOf(handler));
  if (timeline.length === 0 || (marks.length === 0 && !always)) return [];
  const where = timeline.map((s) => (s.place.file === handler.place.file ? String(lineOf(s)) : printable(`${s.place.file}:${lineOf(s)}`)));
  const column = Math.min(Math.max(...where.map((w) => w.length), 4), 40);
  const bars = columnsOf(marks.filter((m) => m.from < m.to));
  const kinds = Math.max(...timeline.map((s) => s.kind.length));
  const lines: string[] = [];
  const gutter = (i: number, between: boolean): string =>
    bars.map((column) => {
      const mark = column.find((m) => m.from <= i && i <= m.to && !(between && i === m.to));
      if (!mark) return ' ';
      return between ? '│' : i === mark.from ? '┌' : i === mark.to ? '└' : '│';
    }).join('');
  timeline.forEach((step, i) => {
    const what = cut(isEnd(step) ? '' : printable(`${step.detail}${step.writeKind === undefined ? '' : ` (${step.writeKind})`}`), width - column - bars.length - kinds - 17);
    lines.push(`  ${c.red(gutter(i, false))} ${c.cyan((where[i] ?? '').padStart(column))}  ${c.bold(step.kind.padEnd(kinds))} ${what}${step.detached ? c.yellow(' not awaited') : ''}`.trimEnd());
    for (const mark of marks) {
      if (mark.from !== i || mark.says === '') continue;
      const [first, ...rest] = wrap(printable(mark.says), width - column - bars.length - 7, '');
      const bar = (): string => c.red(gutter(i, true));
      lines.push(`  ${bar()} ${' '.repeat(column)}  ${c.red(`✗ ${first ?? ''}`)}`, ...rest.map((r) => `  ${bar()} ${' '.repeat(column)}    ${c.red(r)}`));
    }
  });
  return lines;
}

/** Marks that say the same of the same steps are one. */
function distinct(marks: readonly Mark[]): Mark[] {
  return marks.filter((m, i) => marks.findIndex((n) => n.from === m.from && n.to === m.to && n.says === m.says) === i);
}

/** Marks that overlap stand in columns of their own. */
function columnsOf(marks: readonly Mark[]): Mark[][] {
  const columns: Mark[][] = [];
  for (const mark of marks) {
    const free = columns.find((column) => column.every((m) => m.to < mark.from || m.from > mark.to));
    if (free) free.push(mark);
    else columns.push([mark]);
  }
  return columns;
}

function causeLines({ finding, handlers }: Cause, width: number, c: Colors): string[] {
  return [
    `  ${c.cyan(`${at(finding.place)}:${finding.place.column}`)}  ${severity(finding, c)}  ${c.bold(finding.rule)}`,
    ...wrap(printable(finding.message), width, '    '),
    ...finding.trace.flatMap((step) => wrap(printable(`→ ${at(step.place)}  ${step.message}`), width, '      ').map((l) => c.dim(l))),
    ...wayOut(finding).flatMap((line) => wrap(printable(line), width, '    ').map((l) => c.green(l))),
    ...(handlers.length > 1 ? wrap(`Affects ${handlers.length} handlers: ${handlers.map((h) => `${printable(h.name)} (${at(h.place)})`).join(', ')}`, width, '    ') : []),
  ];
}

function severity(finding: Finding, c: Colors): string {
  return finding.severity === 'error' ? c.red('error') : c.yellow('warning');
}

function problemBlock(report: ProgramReport, width: number, c: Colors): string {
  const lines = report.problems.flatMap((p) => wrap(printable(`${p.file === '' ? '.' : p.file}: ${p.message}`), width, '  ', '    '));
  return [c.yellow('Could not be read or analysed in full:'), ...lines].join('\n');
}

function at(place: Place): string {
  return printable(`${place.file}:${place.line}`);
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** Breaks at spaces; a word that is longer than a line stays whole, so that a path can be copied. */
export function wrap(text: string, width: number, indent: string, hanging = indent): string[] {
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
export function wayOut(finding: Finding): string[] {
  if (finding.suggestions.length) return finding.suggestions.map((s) => `Suggestion: ${s.title}`);
  return [`Compliant code: docs/rules/${finding.rule}.md in this package, under "Correct"`];
}
