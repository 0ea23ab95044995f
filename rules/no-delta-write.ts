import { changes, distinct, guardsOf, hasOwnGate, isEffect, reachable, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-delta-write',
  description: 'disallow relative changes of stored state that a second delivery would repeat',
  preset: 'recommended',
  severity: 'error',
  messages: {
    delta: '`{{effect}}` changes {{what}} relative to what is stored: a second delivery of the same message changes it again. Record the message in the same transaction and skip repeats, or write an absolute value.',
    readModifyWrite: '`{{effect}}` writes back {{what}}, computed from the stored value: a second delivery of the same message computes it again from the new one. Record the message in the same transaction and skip repeats, or write an absolute value.',
  },
  looksAt: { what: 'relative changes of stored state', in: (handler) => changes(handler.graph).filter((n) => isDelta(handler, n)) },
  check(handler) {
    if (handler.projection) return [];
    return distinct(changes(handler.graph).filter((n) => isDelta(handler, n) && !isGuarded(handler, n))).map((n) => finding(handler, n));
  },
});

function isDelta(handler: HandlerModel, n: EffectNode): boolean {
  const { effect } = n.event;
  if (effect.kind !== 'write') return false;
  if (effect.passing === true || isBookkeeping(effect.deltaColumns)) return false;
  return effect.writeKind === 'delta' || mutated(handler, n) !== undefined;
}

/** A field of an entity that was read, changed relative to itself before the entity is written back. */
function mutated(handler: HandlerModel, n: EffectNode): string | undefined {
  const { entityOf } = n.event;
  if (entityOf === undefined) return undefined;
  for (const x of reachable(handler.graph)) {
    if (x.event.kind === 'mutate' && x.event.relative && x.event.of === entityOf && !isBookkeeping([x.event.field])) return x.event.field;
  }
  return undefined;
}

/** Counters of attempts and errors belong to the retrying itself. */
function isBookkeeping(columns: readonly string[] | undefined): boolean {
  return columns !== undefined && columns.length > 0 && columns.every((c) => /(^|_|\b)(attempts?|retry|retries|retry_?count|tries|attempt_?count|fail_?count|failures?)$/i.test(c.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/['"]/g, '')));
}

/** Something lets a second delivery skip; whether it does so safely is the question of atomic-inbox. */
function isGuarded(handler: HandlerModel, n: EffectNode): boolean {
  const { effect } = n.event;
  if (hasOwnGate(effect) && effect.gate !== 'order') return true;
  if (effect.gate === 'order') return true;
  if (n.event.step !== undefined) return false;
  if (guardsOf(handler.graph, n).length > 0) return true;
  return insertedWithKey(handler, n);
}

/** A row with a key of the message is inserted in the same transaction first: a repeat fails there and rolls back. */
function insertedWithKey(handler: HandlerModel, n: EffectNode): boolean {
  const { effect } = n.event;
  return reachable(handler.graph).some(
    (x) => isEffect(x) && (x.event.effect.writeKind === 'insert' || x.event.effect.writeKind === 'insert-or-ignore') && x.event.effect.handle === effect.handle && /^(processed|inbox|handled|consumed|seen|dedup|idempoten|message_?log|processed_?\w+)/i.test(x.event.effect.table ?? ''),
  );
}

function finding(handler: HandlerModel, n: EffectNode): RuleFinding {
  const { effect } = n.event;
  const field = mutated(handler, n);
  const columns = (effect.deltaColumns ?? (field === undefined ? [] : [field])).filter((c) => c !== '');
  const what = columns.length ? columns.map((c) => `\`${c.replace(/['"]/g, '')}\``).join(', ') : 'a value';
  return { messageId: effect.writeKind === 'delta' && field === undefined ? 'delta' : 'readModifyWrite', place: effect.place, data: { effect: effect.name, what } };
}
