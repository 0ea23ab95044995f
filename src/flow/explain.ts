import type { Effect } from '../model/effect.js';
import type { Remark } from '../model/explanation.js';
import type { FlowEvent, FlowNode } from './ir.js';
import { beginOf, changes, guardsOf, isAtomic, isEffect, isIdempotent, isKeyed, openTransactions, reachable, walk, where, type EffectNode, type HandlerModel } from './query.js';

/** What the calls of a handler were taken for, in the order of the code. */
export function callsOf({ graph, place }: HandlerModel): Remark[] {
  const order = (r: Remark): string => `${r.place.file === place.file ? '' : r.place.file}:${String(r.place.start).padStart(9, '0')}`;
  const all = [...reachable(graph).map((n) => n.event), ...graph.unresolved].flatMap((event) => takenFor(event) ?? []);
  return [...new Map(all.map((r) => [`${order(r)} ${r.says}`, r])).values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function takenFor(event: FlowEvent): Remark | undefined {
  switch (event.kind) {
    case 'effect':
      return { place: event.effect.place, name: event.effect.name, says: inWords(event.effect, event.negligible === true) };
    case 'settle':
      // The return and the throw stand for the whole function, and no call does them.
      return event.by === 'return' || event.by === 'throw' ? undefined : { place: event.place, name: event.name, says: event.as === 'ack' ? 'acknowledges the message' : 'refuses the message' };
    case 'begin':
      return { place: event.place, name: event.name, says: `begins a transaction${event.broker ? ' of the broker' : ''}` };
    case 'commit':
    case 'rollback':
      return { place: event.place, name: event.name, says: event.kind === 'commit' ? 'commits the transaction' : 'rolls the transaction back' };
    case 'unresolved':
      return { place: event.place, name: event.name, says: `not resolved: ${event.because}` };
    default:
      return undefined;
  }
}

function inWords(effect: Effect, negligible: boolean): string {
  const kind = effect.kind === 'external' ? 'external effect' : effect.kind === 'read' ? 'read' : `write (${effect.writeKind ?? 'of an unknown kind'})`;
  const keys = [...effect.keys, ...(effect.idempotencyKey ? [effect.idempotencyKey] : [])].map((k) => `${k.name} = ${k.text} (${k.stability})`);
  return [
    `${kind}${effect.table === undefined ? '' : ` of ${effect.table}`}, ${effect.library}`,
    ...(effect.marker ? ['may tell repeats apart'] : []),
    ...(effect.locking ? ['takes a lock'] : []),
    ...(negligible ? ['counts as no work'] : []),
    ...(keys.length > 0 ? [`by ${keys.join(', ')}`] : []),
  ].join('; ');
}

/** What of a rule's subject speaks for it, or against it. */
export function remarkOn(handler: HandlerModel, n: FlowNode): Remark | undefined {
  if (isEffect(n)) return { place: n.event.effect.place, name: n.event.effect.name, says: aboutEffect(handler, n).join('; ') };
  if (n.event.kind === 'settle') return { place: n.event.place, name: n.event.name, says: aboutSettle(handler, n) };
  return undefined;
}

function aboutEffect({ graph, place }: HandlerModel, n: EffectNode): string[] {
  const { effect, task, step } = n.event;
  const key = effect.idempotencyKey;
  const open = [...(openTransactions(graph).get(n.id) ?? [])].flatMap((handle) => beginOf(graph, n, handle) ?? []);
  return [
    effect.kind === 'write' ? (effect.writeKind ?? 'write') : effect.kind,
    ...(effect.rowKey ? [ROW_KEYS[effect.rowKey.from]] : []),
    ...(effect.gate === undefined ? [] : [`a condition of its own (${effect.gate}) keeps a repeat out`]),
    ...guardsOf(graph, n).map((d) => `guarded by \`${d.node.event.effect.name}\` on ${where(d.node.event.effect.place, place)}${isAtomic(graph, d, n) ? '' : ', in a step of its own'}`),
    ...(effect.kind !== 'read' && isIdempotent(effect) && !isKeyed(effect) ? ['a repeat leaves the same'] : []),
    ...(key ? [`carries the key ${key.text} (${key.stability})`] : []),
    ...(step === undefined ? [] : ['a step of a durable runtime']),
    ...open.map((b) => `inside the transaction of ${where(b.place, place)}`),
    ...(n.event.negligible ? ['counts as no work'] : []),
    task ? 'nobody waits for it' : 'waited for',
    ...(effect.kind === 'read' ? [] : [failureOf(graph, n, place)].filter((s) => s !== '')),
  ];
}

const ROW_KEYS = {
  unknown: 'what keys its row could not be told',
  message: 'its row has a unique key that comes from the message',
  nothing: 'its row has no unique key that comes from the message',
  unseen: 'no schema in sight has a unique key for its row',
};

/** Where its failure goes first. */
function failureOf(graph: HandlerModel['graph'], n: EffectNode, from: HandlerModel['place']): string {
  if (n.thrown === undefined) return '';
  let says = '';
  walk({
    graph,
    from: n.thrown,
    state: '',
    visit: ({ event }) => {
      if (says !== '') return undefined;
      if (event.kind === 'catch') says = `a failure is caught on ${where(event.place, from)}`;
      else if (event.kind === 'settle' && event.as === 'nack') says = event.by === 'throw' ? 'a failure leaves the handler' : `a failure is refused on ${where(event.place, from)}`;
      return says === '' ? '' : undefined;
    },
  });
  return says;
}

function aboutSettle({ graph, place }: HandlerModel, n: FlowNode): string {
  const { event } = n;
  if (event.kind !== 'settle') return '';
  const after = new Set<number>();
  walk({ graph, from: n.id, state: '', visit: (x) => (after.add(x.id), '') });
  const later = changes(graph).filter((c) => after.has(c.id) && c.id !== n.id);
  const open = [...(openTransactions(graph).get(n.id) ?? [])].length > 0;
  return [
    event.as === 'ack' ? 'acknowledges' : 'refuses',
    later.length === 0 ? 'no effect follows' : `\`${later[0]?.event.effect.name ?? ''}\` on ${where(later[0]?.event.effect.place ?? place, place)} follows`,
    ...(open ? ['inside a transaction'] : []),
    ...(event.upTo ? ['and all messages before it'] : []),
  ].join('; ');
}
