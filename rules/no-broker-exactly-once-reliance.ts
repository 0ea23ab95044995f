import { changes, distinct, followsFailure, guardsOf, hasOwnGate, isIdempotent, reachable, reaches, where, type EffectNode, type FlowGraph, type HandlerModel } from '../src/flow/query.js';
import type { Place } from '../src/model/place.js';
import { defineRule, type RuleFinding } from './define.js';
import { isDoneAgain } from './require-idempotency-key.js';

export default defineRule({
  name: 'no-broker-exactly-once-reliance',
  description: "disallow effects that only the broker's promise of once-only guards, and which lie outside of it",
  preset: 'strict',
  severity: 'warning',
  messages: {
    transaction: "The broker's transaction that `{{begin}}` opens on {{where}} covers what is sent in it and the offsets, not `{{effect}}`: an abort, or a crash before its commit, brings the message again, and `{{effect}}` happens again. Record the message in the transaction of the write, or give the call a key from the message.",
    option: '`{{option}}`{{at}} {{covers}}; it does not keep one message from being handled twice: a crash after `{{effect}}`, or a lease that runs out before, brings it again, and `{{effect}}` happens again. Record the message in the transaction of the write, or give the call a key from the message.',
  },
  looksAt: { what: "effects outside of what the broker's once-only covers", in: (handler) => outside(handler) },
  check(handler) {
    if (handler.projection || handler.graph.truncated) return [];
    const begin = brokerTransaction(handler.graph);
    const { promised } = handler;
    if (!begin && !promised) return [];
    const [first] = outside(handler).filter((n) => happensAgain(handler, n));
    if (!first) return [];
    const { effect } = first.event;
    const found = { place: effect.place, data: { effect: effect.name } };
    return [begin ? inTransaction(found, begin) : despite(found, handler.promised)];
  },
});

type Found = Pick<RuleFinding, 'place' | 'data'>;

function inTransaction({ place, data }: Found, begin: { name: string; place: Place }): RuleFinding {
  return { messageId: 'transaction', place, data: { ...data, begin: begin.name, where: where(begin.place, place) }, trace: [{ place: begin.place, message: "the broker's transaction begins here" }] };
}

function despite({ place, data }: Found, promised: HandlerModel['promised']): RuleFinding {
  const at = promised?.place;
  return {
    messageId: 'option',
    place,
    data: { ...data, option: promised?.option ?? '', covers: promised?.covers ?? '', at: at ? ` on ${where(at, place)}` : ' of the queue' },
    ...(at && { trace: [{ place: at, message: 'once-only is promised here' }] }),
  };
}

function brokerTransaction(graph: FlowGraph): { id: number; name: string; place: Place } | undefined {
  const begin = reachable(graph).find((n) => n.event.kind === 'begin' && n.event.broker);
  return begin?.event.kind === 'begin' ? { id: begin.id, name: begin.event.name, place: begin.event.place } : undefined;
}

/** What changes in systems that the broker knows nothing of. */
function outside({ graph, client }: HandlerModel): EffectNode[] {
  const begin = brokerTransaction(graph);
  const after = begin && reaches(graph, begin.id);
  return distinct(changes(graph)).filter((n) => n.event.effect.library !== client && !followsFailure(graph, n) && (!after || after.has(n.id)));
}

/** A second delivery changes it once more, and nothing in the handler stops that. */
function happensAgain(handler: HandlerModel, n: EffectNode): boolean {
  const { effect, step } = n.event;
  if (effect.kind === 'external') return isDoneAgain(handler, n);
  if (isIdempotent(effect) || effect.marker === true || step !== undefined || hasOwnGate(effect)) return false;
  // That a row has no key from the message must be seen.
  if (effect.writeKind === 'insert' && effect.rowKey?.from !== 'nothing') return false;
  return (effect.writeKind === 'delta' || effect.writeKind === 'insert') && guardsOf(handler.graph, n).length === 0;
}
