import { dedups, isIdempotent, onlySuccess, reachable, reaches, walk, where, type Dedup, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { inWords } from '../src/model/duration.js';
import type { Effect } from '../src/model/effect.js';
import type { Place } from '../src/model/place.js';
import { guarded, isDeduplication, isRecord } from './deduplication.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'inbox-retention',
  description: 'require that records of handled messages outlive the last redelivery, and that something prunes them',
  preset: 'strict',
  severity: 'warning',
  messages: {
    short: '`{{record}}` remembers a message for {{kept}}, but {{horizon}}: a delivery after that is taken for a new message, and `{{effect}}` on {{where}} happens again. Keep the record for longer than that.',
    pruned: 'Records of `{{table}}` are deleted after {{kept}} by the code on {{prune}}, but {{horizon}}: a delivery after that is taken for a new message, and `{{effect}}` on {{where}} happens again. Keep them for longer than that.',
    never: 'Nothing in this program ever removes a row of `{{table}}`, and `{{record}}` adds one for each message: the table grows for ever, and with it the index that each message has to pass. Delete the rows that are older than any redelivery.',
    endless: '`{{record}}` keeps its key without a time to live, one for each message: the store fills until it evicts keys or refuses writes, and the messages of evicted keys are handled again. Give the key a time to live that is longer than any redelivery.',
  },
  looksAt: { what: 'records by which a repeat is recognised', in: (handler) => records(handler).map((r) => r.node) },
  check(handler) {
    if (handler.projection || handler.graph.truncated) return [];
    const found = new Map<string, RuleFinding>();
    for (const r of records(handler)) {
      const finding = judge(handler, r);
      const key = finding && `${finding.place.file}:${finding.place.start}`;
      if (finding && key !== undefined && !found.has(key)) found.set(key, finding);
    }
    return [...found.values()];
  },
});

interface Recorded {
  /** What writes the record. */
  node: EffectNode;
  dedup: Dedup;
}

/** The records that a repeat is recognised by. */
function records(handler: HandlerModel): Recorded[] {
  return dedups(handler.graph).flatMap((dedup): Recorded[] => {
    const { effect } = dedup.node.event;
    if (dedup.state || effect.inMemory || effect.locking || !isDeduplication(handler, dedup) || isReleased(handler, dedup)) return [];
    // A marker whose key is that of a user or a job holds calls off; it does not remember messages.
    if (effect.marker ? effect.carries !== 'event' : !isRecord(effect.table)) return [];
    if (dedup.claims) return [{ node: dedup.node, dedup }];
    return guarded(handler, dedup).filter((n) => n.event.effect.kind === 'write' && isSame(n.event.effect, effect) && /^(insert|insert-or-ignore|upsert|absolute)$/.test(n.event.effect.writeKind ?? '')).map((node) => ({ node, dedup }));
  });
}

/** A lock: the work itself takes the record away again. */
function isReleased({ graph }: HandlerModel, dedup: Dedup): boolean {
  let released = false;
  walk({
    graph,
    from: dedup.fresh,
    state: '',
    visit: (n) => {
      if (n.event.kind === 'effect' && n.event.effect.writeKind === 'delete' && isSame(n.event.effect, dedup.node.event.effect)) released = true;
      return released ? undefined : '';
    },
    ways: onlySuccess,
  });
  return released;
}

/** The same table, or the same key of a store that has none. */
function isSame(a: Effect, b: Effect): boolean {
  const [key, other] = [a.keys[0]?.text, b.keys[0]?.text];
  return (a.table !== undefined && a.table === b.table) || (key !== undefined && key === other && a.handle === b.handle);
}

function judge(handler: HandlerModel, { node, dedup }: Recorded): RuleFinding | undefined {
  const { effect } = node.event;
  const expiry = effect.expiry ?? expiryAfter(handler, node);
  const prunes = effect.marker || effect.table === undefined ? undefined : handler.prunes(effect.table);
  const data = { record: effect.name, table: effect.table ?? '' };
  if (expiry) return short(handler, dedup, node, expiry, { messageId: 'short', place: expiry.place, data });
  if (prunes === 'never') return { messageId: 'never', place: effect.place, data };
  if (prunes?.after) return short(handler, dedup, node, prunes.after, { messageId: 'pruned', place: effect.place, data: { ...data, prune: where(prunes.after.place, effect.place) }, trace: [{ place: prunes.after.place, message: 'rows are deleted here' }] });
  return effect.marker && isEndless(handler, node) ? { messageId: 'endless', place: effect.place, data } : undefined;
}

/** `SET key NX` and then `EXPIRE key 60`. */
function expiryAfter({ graph }: HandlerModel, node: EffectNode): Effect['expiry'] {
  const after = reaches(graph, node.id);
  const found = reachable(graph).find((n) => n.event.kind === 'effect' && n.id !== node.id && after.has(n.id) && isSame(n.event.effect, node.event.effect) && n.event.effect.expiry !== undefined);
  return found?.event.kind === 'effect' ? found.event.effect.expiry : undefined;
}

/** Set without an end, and nothing in the handler gives it one: only where the command itself would take one. */
function isEndless({ graph }: HandlerModel, node: EffectNode): boolean {
  const { effect } = node.event;
  if (effect.endless !== true) return false;
  return !reachable(graph).some((n) => n.event.kind === 'effect' && n.id !== node.id && n.event.effect.kind === 'write' && isSame(n.event.effect, effect));
}

function short(handler: HandlerModel, dedup: Dedup, node: EffectNode, kept: { ms: number; place: Place }, finding: RuleFinding): RuleFinding | undefined {
  const { horizon } = handler;
  if (!horizon || kept.ms >= horizon.ms) return undefined;
  const again = guarded(handler, dedup).find((n) => n !== node && !isIdempotent(n.event.effect) && !isSame(n.event.effect, node.event.effect));
  if (!again) return undefined;
  const { effect } = again.event;
  return { ...finding, data: { ...finding.data, kept: inWords(kept.ms), horizon: horizon.says, effect: effect.name, where: where(effect.place, finding.place) }, trace: [...(finding.trace ?? []), { place: effect.place, message: `\`${effect.name}\` happens again here` }] };
}
