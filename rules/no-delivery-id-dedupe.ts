import type { Key } from '../src/model/effect.js';
import { asksForRedelivered, dedups, changes, distinct, isEffect, reachable, reaches, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-delivery-id-dedupe',
  description: 'disallow deduplication and idempotency keys that change from delivery to delivery',
  preset: 'recommended',
  severity: 'error',
  messages: {
    delivery: 'This key holds `{{because}}`, which is new at each delivery: a redelivered message is never recognised, and its effect happens again. Use the id that the producer gave the event.',
    minted: 'This key holds `{{because}}`, which is made anew on each run: a redelivered message is never recognised, and its effect happens again. Derive the key from the message.',
    broker: 'This key is `{{because}}`, which the broker assigns: it recognises a redelivery, but not a message that the producer sent twice. Use the id that the producer gave the event.',
    redelivered: 'The redelivered flag belongs to the delivery, not to the message: a crash before the work was done makes the second delivery be thrown away. Deduplicate by the id that the producer gave the event.',
  },
  looksAt: { what: 'keys by which a repeat is recognised', in: (handler) => keys(handler).map((k) => k.of) },
  check(handler) {
    const found = new Map<number, RuleFinding>();
    for (const { key } of keys(handler)) {
      const finding = judge(key);
      if (finding && !found.has(key.place.start)) found.set(key.place.start, { ...finding, fix: { kind: 'stable-id', value: key.place, client: handler.client } });
    }
    return [...found.values(), ...redelivered(handler)];
  },
});

/** Keys by which a repeat is, or should be, recognised. */
function keys(handler: HandlerModel): { key: Key; of: EffectNode }[] {
  const found: { key: Key; of: EffectNode }[] = [];
  const checks = new Set(dedups(handler.graph).filter((d) => isDedup(d.node)).map((d) => d.node));
  const effects = reachable(handler.graph).filter(isEffect);
  // A list in memory that nobody asks is no record of what was seen.
  const asked = new Set(effects.flatMap(({ event: { effect } }) => (effect.inMemory && effect.kind === 'read' ? [effect.handle] : [])));
  for (const n of effects) {
    const { effect } = n.event;
    if (effect.inMemory && !asked.has(effect.handle)) continue;
    if (effect.idempotencyKey) found.push({ key: effect.idempotencyKey, of: n });
    const records = effect.marker === true || checks.has(n) || (effect.writeKind === 'insert-or-ignore' && isRecord(effect.table));
    if (records) for (const key of effect.keys) if (isIdentity(key, effect.keys)) found.push({ key, of: n });
  }
  return found;
}

function isDedup(n: EffectNode): boolean {
  const { effect } = n.event;
  return effect.marker === true || effect.writeKind === 'insert-or-ignore' || isRecord(effect.table);
}

function isRecord(table: string | undefined): boolean {
  return /processed|inbox|handled|consumed|seen|dedup|idempoten|deliver|events?_log/i.test(table ?? '');
}

/** The column that names the message: the only one, or one that is called an id or a key. */
function isIdentity(key: Key, all: readonly Key[]): boolean {
  if (/(^|_)(at|time|date|timestamp|created|processed|expires|ttl)($|_|At)/i.test(key.name) || /(At|Date|Time|Ttl|TTL)$/.test(key.name)) return false;
  return all.length === 1 || (NAMES_MESSAGE.test(key.name) && !isRowId(key, all));
}

const NAMES_MESSAGE = /id|key|hash|token|message|event|tag|receipt|name|^pk$|^sk$/i;

/** The id that a row gets for itself, beside a column by which a repeat is told. */
function isRowId(key: Key, all: readonly Key[]): boolean {
  return /^_?(id|uuid)$/i.test(key.name) && all.some((k) => k !== key && NAMES_MESSAGE.test(k.name) && k.stability !== 'minted' && k.stability !== 'delivery' && k.stability !== 'constant');
}

function judge(key: Key): RuleFinding | undefined {
  const because = key.because ?? key.text;
  if (key.stability === 'delivery') return { messageId: 'delivery', place: key.place, data: { because } };
  if (key.stability === 'minted') return { messageId: 'minted', place: key.place, data: { because } };
  if (key.stability === 'broker-stable') return { messageId: 'broker', place: key.place, data: { because }, preset: 'strict' };
  return undefined;
}

/** `if (msg.fields.redelivered) { ack; return }`. */
function redelivered(handler: HandlerModel): RuleFinding[] {
  const work = changes(handler.graph);
  return distinct(reachable(handler.graph).filter(asksForRedelivered)).flatMap((n): RuleFinding[] => {
    const [yes, no] = n.next;
    if (n.event.kind !== 'branch' || yes === undefined || no === undefined) return [];
    const after = [reaches(handler.graph, yes), reaches(handler.graph, no)];
    return work.some((w) => after[0]?.has(w.id) !== after[1]?.has(w.id)) ? [{ messageId: 'redelivered', place: n.event.place, data: {} }] : [];
  });
}
