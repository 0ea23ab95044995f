import type { Guard, HandlerReport } from '../model/handler.js';
import { changes, dedups, guardsOf, isAtomic, isEffect, isIdempotent, reachable, type HandlerModel } from './query.js';

/** Safe: every change is idempotent or guarded, and nothing was found. Unproven: some of it could not be seen. */
export function verdictOf(model: HandlerModel, findings: number): Pick<HandlerReport, 'verdict' | 'guards'> {
  const guards = new Set<Guard>();
  for (const n of reachable(model.graph)) {
    if (!isEffect(n)) continue;
    const { effect } = n.event;
    if (effect.gate === 'order' || effect.gate === 'version') guards.add('version-gate');
    if (effect.gate === 'state') guards.add('conditional-write');
    if (effect.kind === 'write' && effect.writeKind === 'insert-or-ignore' && !effect.marker) guards.add('unique-key');
  }
  const work = changes(model.graph);
  for (const d of dedups(model.graph)) {
    if (work.some((w) => isAtomic(model.graph, d, w) && w.id !== d.node.id)) guards.add(d.claims ? 'transactional-inbox' : 'locked-status-check');
  }
  const covered = work.every((w) => isIdempotent(w.event.effect) || guardsOf(model.graph, w).some((d) => isAtomic(model.graph, d, w)));
  const verdict = findings > 0 ? 'unsafe' : covered && model.graph.unresolved.length === 0 && !model.graph.truncated ? 'safe' : 'unproven';
  return { verdict, guards: [...guards] };
}
