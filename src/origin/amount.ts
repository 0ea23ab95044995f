import { ts } from '../syntax/compiler.js';
import type { Value } from './value.js';

/** The moment that stands for the clock: only what is added to it or taken from it is of interest. */
export const NOW = 1_700_000_000_000;

const UNIT: Readonly<Record<string, number>> = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 30 * 86_400_000, year: 365 * 86_400_000 };
const SHORT: Readonly<Record<string, string>> = { ms: 'millisecond', msec: 'millisecond', s: 'second', sec: 'second', m: 'minute', min: 'minute', h: 'hour', hr: 'hour', d: 'day', w: 'week', y: 'year', mon: 'month' };

/** The milliseconds of a unit by its name (`days`, `h`); undefined for what is none. */
export function unitOf(name: string): number | undefined {
  const word = name.toLowerCase();
  return UNIT[word] ?? UNIT[word.replace(/s$/, '')] ?? UNIT[SHORT[word] ?? SHORT[word.replace(/s$/, '')] ?? ''];
}

/** Milliseconds of a text such as `7 days`, `7d`, `1 day 12:00`; undefined if it is none, or has more to it. */
export function durationOf(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text);
  const unit = match?.[2] === undefined ? undefined : unitOf(match[2]);
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

/** The number that a value is, as far as the program writes it out; the clock counts as {@link NOW}, in milliseconds. */
export function numberOf(value: Value, depth = 0): number | undefined {
  if (depth > 12) return undefined;
  if (value.kind === 'constant') {
    if (typeof value.value === 'number' || typeof value.value === 'bigint') return Number(value.value);
    return typeof value.value === 'string' && /^\d+$/.test(value.value) ? Number(value.value) : undefined;
  }
  if (value.kind !== 'derived') return undefined;
  const at = (i: number): number | undefined => {
    const part = value.parts.at(i);
    return part && numberOf(part, depth + 1);
  };
  if (value.minted !== undefined && value.parts.length === 0) return CLOCK.test(value.minted) ? NOW : undefined;
  const [left, right] = [at(0), at(1)];
  switch (value.operator) {
    case '+':
      return both(left, right, (a, b) => a + b);
    case '-':
      return both(left, right, (a, b) => a - b);
    case '*':
      return both(left, right, (a, b) => a * b);
    case '/':
      return both(left, right, (a, b) => a / b);
    default:
      return called(value, left, right, at);
  }
}

const CLOCK = /^(Date\.now|new Date|Date|dayjs|moment|DateTime\.\w+)\b|^(now|utc)\(/;
const SAME = /^(Math\.(floor|round|ceil|trunc)|Number|BigInt|String|(Number\.)?parseInt)$/;

/** `Math.floor(n)`, `date.getTime()`, `subDays(date, 7)`, `dayjs().subtract(7, 'day')`, `ms('7d')`. */
function called(value: Extract<Value, { kind: 'derived' }>, left: number | undefined, right: number | undefined, at: (i: number) => number | undefined): number | undefined {
  const { node, operator } = value;
  const method = /^\.(\w+)$/.exec(operator)?.[1];
  if (method !== undefined && /^(getTime|valueOf|toISOString|toJSON|toDate|toString|toMillis|toJSDate)$/.test(method)) return left;
  if (method === 'unix') return left === undefined ? undefined : left / 1000;
  if (method === 'add' || method === 'subtract') {
    const unit = value.parts[2];
    const size = unit?.kind === 'constant' && typeof unit.value === 'string' ? unitOf(unit.value) : undefined;
    return size === undefined ? undefined : both(left, right, (a, b) => a + (method === 'add' ? b : -b) * size);
  }
  if (!node || !(ts.isCallExpression(node) || ts.isNewExpression(node))) return undefined;
  const name = node.expression.getText();
  if (SAME.test(name) || (ts.isNewExpression(node) && name === 'Date')) return left;
  const step = /^(?:.*\.)?(add|sub)(\w+)$/.exec(name);
  const size = step?.[2] === undefined ? undefined : unitOf(step[2]);
  if (step && size !== undefined) return both(at(-2), at(-1), (a, b) => a + (step[1] === 'add' ? b : -b) * size);
  const [only] = value.parts;
  return /(^|\.)ms$/.test(name) && only?.kind === 'constant' && typeof only.value === 'string' ? durationOf(only.value) : undefined;
}

function both(a: number | undefined, b: number | undefined, make: (a: number, b: number) => number): number | undefined {
  return a === undefined || b === undefined ? undefined : make(a, b);
}

/** How far ahead of the clock a moment lies, in milliseconds, whether it is given in seconds or in milliseconds. */
export function aheadOfNow(value: Value): number | undefined {
  const n = numberOf(value);
  if (n === undefined) return undefined;
  for (const [now, unit] of [[NOW, 1], [NOW / 1000, 1000]] as const) {
    // Within ten years of the clock: a moment, and not an amount.
    if (Math.abs(n - now) * unit < 10 * 365 * 86_400_000) return Math.round((n - now) * unit);
  }
  return undefined;
}
