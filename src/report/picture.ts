import type { HandlerReport, TimelineStep } from '../model/handler.js';
import { isEnd, lineOf, marksOf, type Mark } from './marks.js';
import { markup, type Markup } from './markup.js';
import { wrap } from './text.js';

const STEP = 28;
const LINE = 18;
/** Counted from the end of the column that names the places. */
const LANES = { broker: 20, store: 40, outside: 60 };
const LABEL = 80;
const WIDTH = 386;
const CHARACTERS = { place: 16, label: 39, mark: 46 };
const PLACE_CHARACTER = 6.7;

type Lane = keyof typeof LANES;

interface Row {
  y: number;
  step: TimelineStep;
  /** The lines that a mark which begins here says. */
  says: { y: number; text: string }[];
}

/** The timeline of a handler from top to bottom: a lane each for broker, stores and the outside, crash windows in red. */
export function picture(handler: HandlerReport, id: string): Markup | undefined {
  const { timeline } = handler;
  if (timeline.length === 0) return undefined;
  const marks = marksOf(handler).filter((m, i, all) => m.says !== '' && all.findIndex((n) => n.from === m.from && n.to === m.to && n.says === m.says) === i);
  const { rows, height } = layOut(timeline, marks);
  const places = rows.map(({ step }) => shorten(step.place.file === handler.place.file ? String(lineOf(step)) : `${step.place.file}:${lineOf(step)}`, CHARACTERS.place));
  const left = Math.ceil(Math.max(...places.map((p) => p.length)) * PLACE_CHARACTER) + 4;
  return markup`<svg class="timeline" viewBox="${-left} 0 ${WIDTH + left} ${height}" width="${WIDTH + left}" height="${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">Timeline of ${handler.name}</title><desc id="${id}-d">${inWords(timeline, marks)}</desc>${
    marks.map((m) => band(m, rows))}${Object.values(LANES).map((x) => markup`<line class="lane" x1="${x}" x2="${x}" y1="4" y2="${height - 4}"/>`)}${
    transactions(rows)}${way(rows)}${rows.map((row, i) => stepRow(row, places[i] ?? ''))}</svg>`;
}

function layOut(timeline: readonly TimelineStep[], marks: readonly Mark[]): { rows: Row[]; height: number } {
  let y = 4;
  const rows = timeline.map((step, i): Row => {
    const own = y + STEP / 2;
    y += STEP;
    const says = marks.filter((m) => m.from === i).flatMap((m) => wrap(`✗ ${m.says.replaceAll('`', '')}`, CHARACTERS.mark, '', '   ')).map((text) => ({ y: (y += LINE) - 5, text }));
    return { y: own, step, says };
  });
  return { rows, height: y + 4 };
}

/** Where a crash hurts: from the first step to the last. */
function band({ from, to }: Mark, rows: readonly Row[]): Markup | undefined {
  const [first, last] = [rows[from], rows[to]];
  if (!first || !last) return undefined;
  const start = first.y + STEP / 2 - 1;
  const end = from === to ? Math.max(...first.says.map((s) => s.y)) + 6 : last.y - STEP / 2 + 1;
  return markup`<rect class="window" x="7" y="${start}" width="${WIDTH - 8}" height="${end - start}" rx="3"/>`;
}

/** A bar in the lane of the stores from each begin to its end. */
function transactions(rows: readonly Row[]): Markup[] {
  const open: Row[] = [];
  return rows.flatMap((row) => {
    if (row.step.kind === 'begin') open.push(row);
    const start = row.step.kind === 'commit' || row.step.kind === 'rollback' ? open.pop() : undefined;
    return start ? [markup`<rect class="transaction" x="${LANES.store - 7}" y="${start.y - 7}" width="14" height="${row.y - start.y + 14}" rx="7"/>`] : [];
  });
}

/** The order of the steps, from lane to lane. */
function way(rows: readonly Row[]): Markup {
  return markup`<polyline class="way" points="${rows.map(({ y, step }) => `${LANES[laneOf(step)]},${y}`).join(' ')}"/>`;
}

function stepRow({ y, step, says }: Row, place: string): Markup {
  const detail = isEnd(step) ? '' : `${step.detail}${step.writeKind === undefined ? '' : ` (${step.writeKind})`}${step.detached ? ', not awaited' : ''}`;
  return markup`<g><title>${`${step.place.file}:${lineOf(step)} ${step.kind} ${detail}`}</title>${shape(step, y)}<text class="place" x="0" y="${y + 4}" text-anchor="end">${place}</text><text x="${LABEL}" y="${y + 4}"><tspan class="kind">${step.kind}</tspan> ${cut(detail, CHARACTERS.label - step.kind.length)}</text>${
    says.map((s) => markup`<text class="says" x="${LABEL - 4}" y="${s.y}">${s.text}</text>`)}</g>`;
}

function shape(step: TimelineStep, y: number): Markup {
  const lane = laneOf(step);
  const x = LANES[lane];
  const hollow = step.kind === 'read' || step.kind === 'dedup-check' || step.kind === 'nack' || step.kind === 'throw' || step.detached ? ' hollow' : '';
  if (step.kind === 'begin' || step.kind === 'commit' || step.kind === 'rollback') return markup`<circle class="${lane}" cx="${x}" cy="${y}" r="3"/>`;
  if (lane === 'store') return markup`<circle class="${lane}${hollow}" cx="${x}" cy="${y}" r="6"/>`;
  if (lane === 'broker') return markup`<rect class="${lane}${hollow}" x="${x - 6}" y="${y - 6}" width="12" height="12" rx="2"/>`;
  return markup`<path class="${lane}${hollow}" d="M${x} ${y - 7.5}l7.5 7.5-7.5 7.5-7.5-7.5z"/>`;
}

function laneOf({ kind }: TimelineStep): Lane {
  if (kind === 'external') return 'outside';
  return kind === 'ack' || kind === 'nack' || kind === 'return' || kind === 'throw' ? 'broker' : 'store';
}

/** The picture for those who hear it. */
function inWords(timeline: readonly TimelineStep[], marks: readonly Mark[]): string {
  return timeline.map((step, i) => [`line ${lineOf(step)}: ${step.kind} ${isEnd(step) ? '' : step.detail}`.trim(), ...marks.filter((m) => m.from === i).map((m) => m.says)].join('. ')).join('. ');
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The end of a path tells more than its beginning. */
function shorten(text: string, length: number): string {
  return text.length > length ? `…${text.slice(text.length - length + 1)}` : text;
}
