import type { Effect } from '../src/model/effect.js';
import { isAck, isChange, plainlyReached, reachable, reachedAgain, reaches, transactionOf, walk, type Dedup, type EffectNode, type HandlerModel } from '../src/flow/query.js';

/** The way a repeat takes ends without the work; the way of the first delivery does it. */
export function isDeduplication(handler: HandlerModel, d: Dedup): boolean {
  const { effect } = d.node.event;
  const work = guarded(handler, d);
  if (work.length === 0 || !skips(handler, d)) return false;
  if (d.claims) return !isLock(handler, d);
  if (effect.marker || d.state) return true;
  if (effect.locking && transactionOf(handler.graph, d.node) !== undefined) return true;
  // A read is a check for repeats only if the handler itself writes what the read looks for.
  return recordsOf(handler, d).length > 0;
}

/** What was claimed is given back when the work is done: it kept others out meanwhile, and remembers nothing. */
function isLock({ graph }: HandlerModel, d: Dedup): boolean {
  const later = plainlyReached(graph, d.fresh, { success: true });
  return reachable(graph).some((n) => isChange(n) && later.has(n.id) && n.event.effect.writeKind === 'delete' && isUnder(d, n.event.effect));
}

/** Whether a command goes to what a claim was made by: the same key of the same store. */
export function isUnder({ node }: Dedup, effect: Effect): boolean {
  const own = node.event.effect;
  const keys = (e: Effect): string => e.keys.map((k) => k.text).join();
  // What stands under a key of its own has no table.
  const isThere = own.library === effect.library && (own.marker === true || own.table === effect.table);
  return isThere && own.keys.length > 0 && keys(own) === keys(effect);
}

/** A repeat is let go: its way acknowledges. One that refuses it waits for a lock, which is no deduplication. */
function skips(handler: HandlerModel, d: Dedup): boolean {
  let acks = false;
  walk({
    graph: handler.graph,
    from: d.repeat,
    state: '',
    visit: (n) => {
      if (acks || (n.event.kind === 'settle' && n.event.as === 'nack')) return undefined;
      if (isAck(n)) acks = true;
      return acks ? undefined : '';
    },
    ways: (_, __, allowed) => allowed.filter((w) => !w.thrown),
  });
  return acks;
}

/** A table that holds nothing but what was handled, by its name. */
export function isRecord(table: string | undefined): boolean {
  return /processed|inbox|handled|consumed|seen|dedup|idempoten|webhook_?event/i.test(table ?? '');
}

/** The changes that only a first delivery reaches. */
export function guarded(handler: HandlerModel, d: Dedup): EffectNode[] {
  const first = reaches(handler.graph, d.fresh);
  const again = reachedAgain(handler.graph, d);
  return reachable(handler.graph).filter((n): n is EffectNode => isChange(n) && first.has(n.id) && !again.has(n.id));
}

/** Writes, on the first delivery's way, of what the check reads. */
export function recordsOf(handler: HandlerModel, d: Dedup): EffectNode[] {
  const { effect } = d.node.event;
  return guarded(handler, d).filter((n) => n.event.effect.kind === 'write' && sameTable(n.event.effect.table, effect.table) && (n.event.effect.writeKind === 'insert' || n.event.effect.writeKind === 'insert-or-ignore' || n.event.effect.writeKind === 'upsert'));
}

function sameTable(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}
