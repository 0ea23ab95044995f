import type { Stability } from '../model/effect.js';
import type { Evaluator } from './evaluate.js';
import { isSomething, propertiesOf, type Value } from './value.js';
import { ts, type Node } from '../syntax/compiler.js';

/** From the steadiest to the least steady. A derived value is as steady as its least steady part. */
const ORDER: readonly Stability[] = ['constant', 'producer-stable', 'broker-stable', 'unknown', 'delivery', 'minted'];

export interface Judged {
  stability: Stability;
  /** Which ingredient decides, in the reader's words. */
  because?: string;
}

/** How steady a value is over redeliveries. */
export function stabilityOf(e: Evaluator, value: Value, depth = 0): Judged {
  if (depth > 12) return { stability: 'unknown' };
  const told = e.catalog.ids.size > 0 ? toldBySettings(e, value) : undefined;
  if (told) return told;
  switch (value.kind) {
    case 'constant':
      return { stability: 'constant' };
    case 'text':
      return least(value.parts.map((p) => (typeof p === 'string' ? { stability: 'constant' as const } : stabilityOf(e, p, depth + 1))));
    case 'library':
      if (value.stability) return { stability: value.stability, because: value.name };
      // Read from a store by a key: as good or bad as the database makes it.
      return { stability: 'unknown' };
    case 'derived':
      if (value.minted) return { stability: 'minted', because: value.minted };
      if (value.operator === 'namespace' || value.operator === 'error') return { stability: 'unknown' };
      return value.parts.length ? onCalendar(value.node, least(value.parts.map((p) => stabilityOf(e, p, depth + 1)))) : { stability: 'unknown' };
    case 'union': {
      // `id || tag`: either may be taken. What is not known says nothing about the rest.
      const known = value.options.filter(isSomething);
      const judged = known.map((o) => stabilityOf(e, o, depth + 1));
      const seen = judged.filter((j) => j.stability !== 'unknown');
      return seen.some((j) => j.stability === 'producer-stable') ? least(seen) : known.length ? least(judged) : { stability: 'unknown' };
    }
    case 'object': {
      const parts = e.propertyValues(value).map((p) => stabilityOf(e, p, depth + 1));
      return propertiesOf(value).some((p) => ts.isSpreadAssignment(p)) ? least([...parts, { stability: 'unknown' }]) : least(parts);
    }
    case 'list':
      return value.elements.length ? least(value.elements.map((p) => stabilityOf(e, p, depth + 1))) : { stability: 'unknown' };
    default:
      return { stability: 'unknown' };
  }
}

/** A week or a day by the clock is the same for a repeat that comes soon enough; the moment itself never is. */
function onCalendar(node: Node | undefined, judged: Judged): Judged {
  if (judged.stability !== 'minted' || !CLOCK.test(judged.because ?? '') || !node || !ts.isCallExpression(node)) return judged;
  const callee = node.expression;
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  return CALENDAR.test(name) ? { stability: 'unknown' } : judged;
}

const CLOCK = /^(new Date\(\)|Date\.now\(\)|Date)$/;
const CALENDAR = /^(get(UTC)?(FullYear|ISOWeekYear|WeekYear|Year|Quarter|Month|ISOWeek|Week|DayOfYear|Date|Day)|(start|end)Of(UTC)?(Year|Quarter|Month|ISOWeek|Week|Day|Today|Yesterday|Tomorrow))$/;

/** The settings name some properties of messages; the longest path that fits says most. */
function toldBySettings(e: Evaluator, value: Value): Judged | undefined {
  const path = pathOf(value);
  for (let i = 0; i < path.length; i++) {
    const name = path.slice(i).join('.');
    const stability = e.catalog.ids.get(name);
    if (stability) return { stability, because: value.kind === 'library' ? value.name : name };
  }
  return undefined;
}

/** The properties that were read to get at a value. */
function pathOf(value: Value): string[] {
  if (value.kind === 'library' || value.kind === 'parameter') return value.path;
  if (value.kind !== 'derived' || !value.operator.startsWith('.')) return [];
  const [from] = value.parts;
  return [...(from ? pathOf(from) : []), value.operator.slice(1)];
}

function least(parts: Judged[]): Judged {
  let worst: Judged = { stability: 'constant' };
  for (const p of parts) if (ORDER.indexOf(p.stability) > ORDER.indexOf(worst.stability)) worst = p;
  return worst;
}

/** The value, or a part of it, comes from the message. */
export function isFromMessage(e: Evaluator, value: Value): boolean {
  const { stability } = stabilityOf(e, value);
  return stability === 'producer-stable' || stability === 'broker-stable';
}

/** All values that a value was made from, itself included. */
export function ingredients(e: Evaluator, value: Value, depth = 0): Value[] {
  if (depth > 10) return [value];
  switch (value.kind) {
    case 'text':
      return [value, ...value.parts.flatMap((p) => (typeof p === 'string' ? [] : ingredients(e, p, depth + 1)))];
    case 'derived':
      return [value, ...value.parts.flatMap((p) => ingredients(e, p, depth + 1))];
    case 'union':
      return [value, ...value.options.flatMap((p) => ingredients(e, p, depth + 1))];
    case 'list':
      return [value, ...value.elements.flatMap((p) => ingredients(e, p, depth + 1))];
    case 'object':
      return [value, ...e.propertyValues(value).flatMap((p) => ingredients(e, p, depth + 1))];
    default:
      return [value];
  }
}
