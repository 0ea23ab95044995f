import type { EffectFacts } from '../catalog/schema.js';
import type { Effect } from '../model/effect.js';
import { aheadOfNow, numberOf, unitOf } from '../origin/amount.js';
import type { Evaluator } from '../origin/evaluate.js';
import { argument, argumentNode } from '../origin/library.js';
import { options, propertiesOf, type Args, type LibraryValue, type Value } from '../origin/value.js';
import type { SqlOperand, SqlStatement } from '../sql/classify.js';
import { ts, type Node } from '../syntax/compiler.js';

type Expiry = NonNullable<Effect['expiry']>;

/** Columns and attributes that say until when a row counts. */
const UNTIL = /^(ttl|exp|expires?|expiry|expiration|expires?_?(at|on|time|date|in)|expiry_?(at|time|date)|expiration_?(at|time|date)?|time_?to_?live|delete_?(at|after)|valid_?until|remove_?at)$/i;

/** A time to live that is an argument of its own: `setex(key, 60, value)`, `expire(key, 60)`. */
export function expiryArgument(e: Evaluator, facts: EffectFacts, args: Args, callee: LibraryValue): Expiry | undefined {
  if (!facts.expires) return undefined;
  const value = argument(e, args, facts.expires.after, callee);
  const node = argumentNode(args, facts.expires.after);
  return value && node && amount(e, value, facts.expires.unit === 's' ? 1000 : 1, node);
}

const UNITS: Readonly<Record<string, number>> = { ex: 1000, px: 1 };

/** `set(key, value, 'EX', 60, 'NX')`, `set(key, value, { EX: 60 })`, `{ expiration: { type: 'EX', value: 60 } }`. */
export function redisExpiry(e: Evaluator, args: Args): Expiry | undefined {
  for (const [i, node] of args.nodes.entries()) {
    if (i < 2) continue;
    const value = e.evaluate(node, args.frame);
    const after = args.nodes[i + 1];
    if (value.kind === 'constant' && typeof value.value === 'string') {
      const unit = UNITS[value.value.toLowerCase()];
      if (unit !== undefined && after) return amount(e, e.evaluate(after, args.frame), unit, after);
    }
    for (const v of options(value)) {
      if (v.kind !== 'object') continue;
      for (const p of propertiesOf(v)) {
        const name = p.name && e.propertyName(p.name, v.frame);
        if (name === undefined) continue;
        const unit = UNITS[name.toLowerCase()];
        const at = ts.isPropertyAssignment(p) ? p.initializer : p;
        if (unit !== undefined) return amount(e, e.objectMember(v, name), unit, at);
        const inner = e.objectMember(v, name);
        if (name !== 'expiration' || inner.kind !== 'object') continue;
        const type = e.objectMember(inner, 'type');
        const by = type.kind === 'constant' ? UNITS[String(type.value).toLowerCase()] : undefined;
        if (by !== undefined) return amount(e, e.objectMember(inner, 'value'), by, at);
      }
    }
  }
  return undefined;
}

/** Something among the options of a `set` ends the key, or cannot be seen. */
export function mayExpire(e: Evaluator, args: Args): boolean {
  return args.nodes.slice(2).some((node) => {
    const value = e.evaluate(node, args.frame);
    if (value.kind === 'constant') return typeof value.value === 'string' && /^(ex|px|exat|pxat|keepttl)$/i.test(value.value);
    if (value.kind !== 'object') return true;
    return propertiesOf(value).some((p) => !p.name || /^(ex|px|exat|pxat|keepttl|expiration)$/i.test(p.name.getText()));
  });
}

function amount(e: Evaluator, value: Value, unit: number, at: Node): Expiry | undefined {
  const n = numberOf(value);
  return n === undefined || n <= 0 ? undefined : { ms: n * unit, place: e.sources.parser.place(at) };
}

/** What a row says of itself: `expiresAt: new Date(Date.now() + HOUR)`; also as the TTL attribute of an item of DynamoDB. */
export function rowExpiry(e: Evaluator, values: readonly Value[], depth = 0): Expiry | undefined {
  for (const v of values.flatMap(options)) {
    if (v.kind === 'list') {
      const found = rowExpiry(e, v.elements, depth + 1);
      if (found) return found;
    }
    if (v.kind === 'derived' && depth < 3 && v.node && ts.isCallExpression(v.node) && /\bmarshall$/.test(v.node.expression.getText())) {
      const found = rowExpiry(e, v.parts, depth + 1);
      if (found) return found;
    }
    if (v.kind !== 'object') continue;
    for (const p of propertiesOf(v)) {
      const name = p.name && e.propertyName(p.name, v.frame);
      if (name === undefined) continue;
      const value = e.objectMember(v, name);
      const at = ts.isPropertyAssignment(p) ? p.initializer : p;
      // `{ N: String(until) }` is how the plain client of DynamoDB writes a number.
      const number = value.kind === 'object' && UNTIL.test(name) ? e.objectMember(value, 'N') : value;
      const ms = UNTIL.test(name) ? aheadOfNow(number) : undefined;
      if (ms !== undefined && ms > 0) return { ms, place: e.sources.parser.place(at) };
      const inner = depth < 3 ? rowExpiry(e, [value], depth + 1) : undefined;
      if (inner) return inner;
    }
  }
  return undefined;
}

/** `INSERT INTO seen (id, expires_at) VALUES ($1, now() + interval '1 hour')`. */
export function sqlExpiry({ verb, columns }: SqlStatement, valueAt: (o: SqlOperand) => Value | undefined, place: Expiry['place']): Expiry | undefined {
  if (verb !== 'insert') return undefined;
  for (const c of columns) {
    if (!UNTIL.test(c.name)) continue;
    const value = valueAt(c.value);
    const ms = value ? aheadOfNow(value) : c.value.kind === 'expression' ? intervalIn(c.value.text) : undefined;
    if (ms !== undefined && ms > 0) return { ms, place };
  }
  return undefined;
}

/** The one interval that an SQL text names: `interval '7 days'`, `INTERVAL 7 DAY`, `'-7 days'`, `days => 7`; undefined if it is computed. */
export function intervalIn(sql: string): number | undefined {
  if (/\*|\|\||\$\{/.test(sql)) return undefined;
  const found = /interval\s*\(?\s*'?\s*(\d+)\s*'?\s*([a-z]+)/i.exec(sql) ?? /'\s*[+-]?\s*(\d+)\s+([a-z]+)\s*'/i.exec(sql);
  if (found?.[1] && found[2]) {
    const unit = unitOf(found[2]);
    return unit === undefined ? undefined : Number(found[1]) * unit;
  }
  const named = /\b([a-z]+)\s*=>\s*(\d+)/i.exec(sql);
  const unit = named?.[1] === undefined ? undefined : unitOf(named[1]);
  return named && unit !== undefined ? Number(named[2]) * unit : undefined;
}
