import pc from 'picocolors';
import type { Remark, RuleExplanation } from '../model/explanation.js';
import type { HandlerReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { count, printable } from './printable.js';
import { timelineLines, wrap } from './text.js';

type Colors = ReturnType<typeof pc.createColors>;

interface TextOptions {
  width: number;
  color: boolean;
}

const ACKNOWLEDGED = {
  'on-return': 'acknowledged when it returns',
  explicit: 'acknowledged by a call',
  'on-delivery': 'acknowledged on delivery',
  none: 'never acknowledged',
};

/** One line for each handler: where it is, its name, its client, how it is acknowledged, and where it is registered. */
export function toList(handlers: readonly HandlerReport[], { color }: TextOptions): string {
  const c = pc.createColors(color);
  const rows = handlers.map((h) => [at(h.place), printable(h.name), printable(h.client), ACKNOWLEDGED[h.acknowledgement], `registered at ${at(h.registeredAt)}`]);
  const widths = [0, 1, 2, 3].map((i) => Math.max(0, ...rows.map((r) => (r[i] ?? '').length)));
  return [...rows.map((r) => r.map((cell, i) => paint(cell.padEnd(widths[i] ?? 0), i, c)).join('  ').trimEnd()), count(handlers.length, 'handler')].join('\n');
}

function paint(cell: string, column: number, c: Colors): string {
  if (column === 0) return c.cyan(cell);
  return column === 1 ? c.bold(cell) : cell;
}

/** Each handler that holds the line in full; or, for a line in a helper, what is there and which handlers reach it. */
export function toExplanation(handlers: readonly HandlerReport[], options: TextOptions): string {
  const c = pc.createColors(options.color);
  const own = handlers.filter((h) => h.explanation?.own);
  if (own.length > 0) return own.map((h) => handlerText(h, options, c)).join('\n\n');
  return helperText(handlers, options, c);
}

function handlerText(h: HandlerReport, { width }: TextOptions, c: Colors): string {
  const e = h.explanation;
  if (!e) return '';
  const timeline = timelineLines(h, width, c, true);
  return [
    `${c.bold(printable(h.name))} ${c.dim(`(${printable(h.client)})`)}  ${c.underline(at(h.place))}  ${h.verdict}, ${ACKNOWLEDGED[h.acknowledgement]}`,
    ...section('How it was found', remarks(e.chain, width, c), c),
    ...section('What happens, on one path', timeline.length > 0 ? timeline : ['  nothing that could be seen'], c),
    ...section('What its calls were taken for', e.calls.length > 0 ? remarks(e.calls, width, c) : ['  none that matters'], c),
    ...(e.followed.length > 0 ? section('Functions that it runs through', remarks(e.followed, width, c), c) : []),
    ...section('Rules', e.rules.flatMap((r) => ruleLines(r, h.place, width, c)), c),
  ].join('\n');
}

function helperText(handlers: readonly HandlerReport[], { width }: TextOptions, c: Colors): string {
  const [first] = handlers;
  const inside = first?.explanation?.inside;
  if (!first?.explanation || !inside) return '';
  const calls = first.explanation.calls.filter((r) => r.place.file === inside.place.file && r.place.start >= inside.place.start && r.place.end <= inside.place.end);
  return [
    `${c.bold(printable(inside.name))}  ${c.underline(at(inside.place))}  is no handler; ${count(handlers.length, 'handler')} ${handlers.length === 1 ? 'reaches' : 'reach'} it`,
    ...section('Reached by', handlers.map((h) => `  ${c.cyan(at(h.place))}  ${printable(h.name)} (${printable(h.client)})`), c),
    ...section('What its calls were taken for', calls.length > 0 ? remarks(calls, width, c) : ['  none that matters'], c),
  ].join('\n');
}

function section(title: string, lines: readonly string[], c: Colors): string[] {
  return ['', c.bold(title), ...lines];
}

function remarks(list: readonly Remark[], width: number, c: Colors): string[] {
  return list.flatMap(({ place, name, says }) => {
    const [first = '', ...rest] = wrap(printable([at(place), name, says].filter((s) => s !== '').join('  ')), width, '  ', '      ');
    return [first.replace(at(place), `${c.cyan(at(place))} `), ...rest];
  });
}

function ruleLines({ rule, outcome, what, subjects }: RuleExplanation, from: Place, width: number, c: Colors): string[] {
  const note = (r: Remark): string[] => wrap(printable(`${r.place.file === from.file ? `line ${r.place.line}` : at(r.place)}${r.name === '' ? '' : `, ${r.name}`}: ${r.says}`), width, '      ', '        ');
  if (outcome === 'off') return [c.dim(`  - ${rule}: not in this preset`)];
  if (outcome === 'fires') return [c.red(`  ✗ ${rule}: reports`), ...subjects.flatMap(note)];
  if (outcome === 'strict') return [c.yellow(`  ~ ${rule}: reports in the preset strict only`), ...subjects.flatMap(note)];
  if (subjects.length === 0) return [c.green(`  ✓ ${rule}: nothing to judge${what === '' ? '' : `, no ${what}`}`)];
  return [c.green(`  ✓ ${rule}: nothing to report about ${what}`), ...subjects.flatMap(note)];
}

function at(place: Place): string {
  return printable(`${place.file}:${place.line}`);
}
