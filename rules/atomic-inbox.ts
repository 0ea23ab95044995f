import { changes, dedups, distinct, guardsOf, isAck, isAtomic, isCacheRefresh, isEffect, isIdempotent, onlySuccess, reachable, reaches, reachesWithout, transactionOf, walk, where, type Dedup, type EffectNode, type FlowNode, type HandlerModel } from '../src/flow/query.js';
import { guarded, isDeduplication, isRecord, isUnder, recordsOf } from './deduplication.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'atomic-inbox',
  description: 'require that deduplication and the effect are one atomic step',
  preset: 'recommended',
  severity: 'error',
  messages: {
    recordFirst: 'The message is marked as seen by `{{record}}` before `{{effect}}` on {{where}} is done, in a step of its own: a crash in between makes the redelivery skip work that never happened. Write the record in the transaction of the effect.',
    checkThenAct: 'Whether the message was seen is asked by `{{record}}`, and `{{effect}}` on {{where}} follows in a step of its own: two deliveries at once both pass, and a crash before the record is written repeats the effect. Write the record first, in the same transaction as the effect.',
    outside: '`{{record}}` does not run on the transaction of `{{effect}}` on {{where}}: one can be committed without the other. Use the transaction for both.',
    ignored: 'Nobody looks at whether `{{record}}` found the message already recorded, so `{{effect}}` on {{where}} runs again for a repeat. Skip the work if no row was inserted.',
    memory: 'Seen messages are kept in the memory of this process by `{{record}}`: another instance, or this one after a restart, does `{{effect}}` on {{where}} again. Keep the record in the database, in the transaction of the effect.',
  },
  looksAt: { what: 'checks for repeats or records of messages', in: ({ graph }) => [...dedups(graph).map((d) => d.node), ...changes(graph).filter((n) => isRecord(n.event.effect.table))] },
  check(handler) {
    const found = new Map<number, RuleFinding>();
    const add = (f: RuleFinding | undefined): void => {
      if (f && !found.has(f.place.start)) found.set(f.place.start, f);
    };
    const judged = dedups(handler.graph).flatMap((d) => {
      const f = isDeduplication(handler, d) ? judge(handler, d) : undefined;
      return f ? [{ d, f }] : [];
    });
    for (const { d, f } of judged) if (!judged.some((outer) => outer.d !== d && asksTheSame(outer.f, f) && reaches(handler.graph, outer.d.fresh).has(d.node.id))) add(f);
    for (const n of distinct(reachable(handler.graph).filter(isEffect))) add(ignoredOutcome(handler, n));
    return [...found.values()];
  },
});

/** Checks that stand before the same work, by one id, then by another, are one: the first of them speaks. */
function asksTheSame(a: RuleFinding, b: RuleFinding): boolean {
  return a.messageId === 'checkThenAct' && b.messageId === 'checkThenAct' && a.place.start !== b.place.start && a.data?.effect === b.data?.effect && a.trace?.[0]?.place.start === b.trace?.[0]?.place.start;
}

function judge(handler: HandlerModel, d: Dedup): RuleFinding | undefined {
  const { graph } = handler;
  const { effect } = d.node.event;
  const place = effect.place;
  const work = guarded(handler, d);
  const records = new Set(recordsOf(handler, d));
  const others = work.filter((n) => !records.has(n));
  // Another, sound guard covers the work.
  const soundly = (n: EffectNode): boolean => guardsOf(graph, n).some((g) => g !== d && g.node !== d.node && isAtomic(graph, g, n));
  if (d.claims || effect.inMemory) {
    const bare = work.find((n) => n !== d.node && !isAtomic(graph, d, n) && !soundly(n) && !n.event.effect.marker && !isCacheRefresh(n.event.effect) && !keepsRecord(d, n) && !(effect.inMemory && isNamedExternal(n)));
    if (!bare) return undefined;
    // A claim that an external effect follows is sound if the effect carries its own key and the claim is committed with nothing else.
    if (effect.inMemory) return make('memory', d, bare, place);
    const own = transactionOf(graph, d.node);
    if (transactionOf(graph, bare) !== undefined && own === undefined && effect.kind === 'write' && !effect.marker) return make('outside', d, bare, place);
    return make('recordFirst', d, bare, place);
  }
  if (d.state && !effect.locking) {
    // The state is set in the transaction of the work: a crash leaves neither; two deliveries at once are all that is left.
    const { state } = d;
    const bare = work.find((n) => !isIdempotent(n.event.effect) && !soundly(n) && remembers(handler, d.fresh, n, state));
    return bare && make('checkThenAct', d, bare, place);
  }
  // Under a lock of an open transaction the second delivery waits for the first one's record.
  if (effect.locking && transactionOf(graph, d.node) !== undefined) return undefined;
  // A unique key of the message stands behind the check: the second insert fails, and takes its transaction along.
  // Where the transaction holds the check, too, a crash leaves neither record nor work.
  const own = transactionOf(graph, d.node);
  const isSound = (n: EffectNode): boolean => (n.event.effect.writeKind === 'insert' && n.event.effect.rowKey?.from === 'message') || (own !== undefined && transactionOf(graph, n) === own);
  const sound = new Set([...records].filter(isSound).map((n) => transactionOf(graph, n)));
  const fallsWithRecord = (n: EffectNode): boolean => transactionOf(graph, n) !== undefined && sound.has(transactionOf(graph, n));
  const bare = others.find((n) => (!isIdempotent(n.event.effect) || isRecord(effect.table)) && !soundly(n) && !fallsWithRecord(n)) ?? [...records].find((n) => n.event.effect.writeKind === 'insert' && !isSound(n) && !soundly(n));
  if (!bare) return undefined;
  return make('checkThenAct', d, bare, place);
}

/** A first delivery that does this sets the state on its way, before or after: where only some do, the state says something else. */
function remembers({ graph }: HandlerModel, fresh: number, n: EffectNode, state: ReadonlySet<number>): boolean {
  const sets = (x: FlowNode): boolean => state.has(x.id);
  if (sets(n) || !reachesWithout(graph, fresh, n, sets)) return true;
  let forgets = false;
  walk({
    graph,
    from: n.id,
    state: '',
    isDone: () => forgets,
    visit: (x) => {
      forgets ||= isAck(x);
      return sets(x) ? undefined : '';
    },
    ways: onlySuccess,
  });
  return !forgets;
}

/** What another system keeps under a name of the message: made again it is the same, so a check before it only saves work. */
function isNamedExternal({ event }: EffectNode): boolean {
  return event.effect.kind === 'external' && isIdempotent(event.effect);
}

/** Takes the record back, or says how long it stays. */
function keepsRecord(d: Dedup, n: EffectNode): boolean {
  const { effect } = n.event;
  return /^(delete|absolute)$/.test(effect.writeKind ?? '') && effect.sets === undefined && isUnder(d, effect);
}

function make(messageId: string, d: Dedup, effect: EffectNode, place: RuleFinding['place']): RuleFinding {
  return {
    messageId,
    place,
    data: { record: d.node.event.effect.name, effect: effect.event.effect.name, where: where(effect.event.effect.place, place) },
    trace: [{ place: effect.event.effect.place, message: `\`${effect.event.effect.name}\` follows here` }],
  };
}

/** An insert-or-ignore into a table of processed messages whose outcome nobody reads. */
function ignoredOutcome(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect } = n.event;
  if (effect.kind !== 'write' || effect.writeKind !== 'insert-or-ignore' || !isRecord(effect.table)) return undefined;
  if (dedups(handler.graph).some((d) => d.node.event.call === n.event.call)) return undefined;
  const after = reaches(handler.graph, n.id, { success: true });
  const bare = changes(handler.graph).find((x) => x.id !== n.id && after.has(x.id) && !isIdempotent(x.event.effect) && guardsOf(handler.graph, x).length === 0);
  if (!bare) return undefined;
  return { messageId: 'ignored', place: effect.place, data: { record: effect.name, effect: bare.event.effect.name, where: where(bare.event.effect.place, effect.place) } };
}
