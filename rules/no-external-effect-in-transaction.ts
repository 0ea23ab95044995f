import { beginOf, guardsOf, isEffect, oncePerPlace, openTransactions, reachable, where, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-external-effect-in-transaction',
  description: 'disallow calls to other systems while a database transaction is open',
  preset: 'recommended',
  severity: 'error',
  messages: {
    effect: '`{{effect}}` runs while the transaction that `{{begin}}` begins on {{where}} is open: if the process stops before the commit, or the commit fails, the rows go back and the call does not, and until it answers the transaction keeps its locks. Call it after the commit, or write a row to an outbox in the transaction.',
    read: '`{{effect}}` waits for another system while the transaction that `{{begin}}` begins on {{where}} is open: a slow answer keeps its locks and its connection, and stops every other consumer that needs them. Ask before the transaction begins.',
  },
  looksAt: { what: 'calls to other systems', in: ({ graph }) => reachable(graph).filter((n) => isEffect(n) && n.event.effect.remote === true) },
  check(handler) {
    return oncePerPlace(reachable(handler.graph).filter(isEffect), (n) => judge(handler, n));
  },
});

function judge(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect } = n.event;
  if (!effect.remote || n.event.negligible) return undefined;
  const open = openTransactions(handler.graph).get(n.id);
  // What runs on the transaction's own handle is part of it: a job queue that keeps its jobs in the same database.
  if (!open || (effect.handle !== undefined && open.has(effect.handle))) return undefined;
  const begin = [...open].map((handle) => beginOf(handler.graph, n, handle)).findLast((b) => b !== undefined);
  if (!begin) return undefined;
  const read = effect.kind === 'read';
  return {
    messageId: read ? 'read' : 'effect',
    place: effect.place,
    data: { effect: effect.name, begin: begin.name, where: where(begin.place, effect.place) },
    trace: [{ place: begin.place, message: `\`${begin.name}\` opens the transaction` }],
    // Behind a commit that also records the message, a crash would lose the call: a redelivery skips it.
    ...((read || guardsOf(handler.graph, n).length === 0) && { fix: { kind: 'out-of-transaction', call: effect.place, transaction: begin.place, before: read } }),
  };
}
