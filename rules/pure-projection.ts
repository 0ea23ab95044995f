import { changes, distinct, isEffect, isExternal, leavesOf, reachable, type EffectNode, type FlowNode, type HandlerModel } from '../src/flow/query.js';
import type { Key } from '../src/model/effect.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'pure-projection',
  description: 'require that a handler which is marked as a projection depends on its message alone',
  preset: 'strict',
  severity: 'error',
  messages: {
    external: 'This handler is marked as a projection, and `{{effect}}` acts outside of it: when the projection is rebuilt, it is done again for each message of the past. Leave it to a handler of its own.',
    asked: 'This handler is marked as a projection, and asks another system by `{{effect}}`: when the projection is rebuilt, the answers are those of that day, and not those of the message. Put what is needed into the message.',
    written: 'This handler is marked as a projection, and `{{column}}` gets `{{because}}`, which is new on each run: a projection that is rebuilt differs from the one before. Take the value from the message.',
    branch: 'This handler is marked as a projection, and `{{because}}` decides what it does here: a projection that is rebuilt differs from the one before. Decide by the message.',
  },
  looksAt: { what: 'effects of a projection', in: (handler) => (handler.projection ? reachable(handler.graph).filter(isEffect) : []) },
  hint: (handler) => (!handler.projection && qualifies(handler) ? 'depends on its message alone, as a projection does: if it is rebuilt by replay, mark it with the comment `idempotent-consumers: projection`, and no inbox is asked of it' : undefined),
  check(handler) {
    return handler.projection ? impurities(handler) : [];
  },
});

function impurities({ graph }: HandlerModel): RuleFinding[] {
  const nodes = reachable(graph);
  return [
    ...distinct(nodes.filter(isEffect)).flatMap((n) => ofEffect(n) ?? []),
    ...distinct(nodes.filter((n) => n.event.kind === 'branch')).flatMap((n) => ofBranch(n) ?? []),
  ];
}

function ofEffect(n: EffectNode): RuleFinding | undefined {
  const { effect, negligible } = n.event;
  if (negligible) return undefined;
  const { place, name } = effect;
  if (isExternal(n)) return { messageId: 'external', place, data: { effect: name } };
  if (effect.kind === 'read') return effect.remote ? { messageId: 'asked', place, data: { effect: name } } : undefined;
  const fresh = [...effect.keys, ...(effect.sets ?? [])].find(isFresh);
  return fresh && { messageId: 'written', place: fresh.place, data: { column: fresh.name === '' ? 'the key' : fresh.name, because: fresh.because ?? fresh.text } };
}

/** New on each run, or at each delivery. */
function isFresh({ stability }: Key): boolean {
  return stability === 'minted' || stability === 'delivery';
}

function ofBranch({ event }: FlowNode): RuleFinding | undefined {
  if (event.kind !== 'branch') return undefined;
  for (const v of leavesOf(event.condition)) if (v.kind === 'derived' && v.minted !== undefined) return { messageId: 'branch', place: event.place, data: { because: v.minted } };
  return undefined;
}

/** It writes, and nothing in it depends on anything but the message and its own tables. */
function qualifies(handler: HandlerModel): boolean {
  return !handler.graph.truncated && handler.graph.unresolved.length === 0 && changes(handler.graph).some((n) => n.event.effect.kind === 'write') && impurities(handler).length === 0;
}
