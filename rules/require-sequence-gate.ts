import { changes, dependsOnMessage, distinct, followsFailure, guardsOf, isEffect, oncePerPlace, reachable, reaches, where, type BranchEvent, type EffectNode, type FlowGraph, type FlowNode, type HandlerModel } from '../src/flow/query.js';
import type { Key } from '../src/model/effect.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'require-sequence-gate',
  description: 'require a condition on version, sequence or time where an event overwrites what an earlier one has set',
  preset: 'strict',
  severity: 'warning',
  messages: {
    carried: '`{{effect}}` overwrites {{columns}}, and sets `{{version}}` from the message without comparing it with what is stored: a message that comes late puts the older value back. Write only if it is newer (`{{version}} < …` in the condition of the write).',
    late: '`{{effect}}` overwrites {{columns}} with what the message says, in the order in which messages come: one that is redelivered after a later one puts the older value back. Write only if it is newer, by a version or a time from the message in the condition of the write.',
    byType: '`{{effect}}` sets `{{column}}` to {{value}}, and on {{where}} another event sets it to {{other}}, in the order in which the events come: one that is redelivered after a later one puts the older value back. Write only from the states that may come before, or if the event is newer.',
    compared: '`{{effect}}` overwrites {{columns}} after `{{check}}` on {{where}} has been compared in the program: two deliveries at once both pass, and the older one may write last. Put the comparison into the condition of the write.',
  },
  looksAt: { what: 'updates of what is there already', in: (handler) => distinct(updates(handler)) },
  check(handler) {
    if (!handler.order || handler.projection || handler.graph.truncated) return [];
    const all = updates(handler);
    const found = oncePerPlace(all, (n) => copied(handler, n));
    return found.length > 0 ? found : (byType(handler, all) ?? []);
  },
});

/** Absolute updates and upserts that nothing but their key conditions. */
function updates({ graph }: HandlerModel): EffectNode[] {
  return changes(graph).filter((n) => isUngated(graph, n));
}

function isUngated(graph: FlowGraph, n: EffectNode): boolean {
  const { effect, step } = n.event;
  if (effect.kind !== 'write' || effect.gate !== undefined || effect.marker || step !== undefined) return false;
  if (effect.writeKind !== 'absolute' && effect.writeKind !== 'upsert') return false;
  // A row for each event is history, and no state.
  if (effect.writeKind === 'upsert' && effect.keys.some((k) => /(^|[._])(event|message|msg|delivery|request|notification)_?id$/i.test(k.name))) return false;
  return (effect.keys.some(isOfMessage) || isRowOfMessage(graph, n)) && !followsFailure(graph, n) && !guardsOf(graph, n).some((d) => d.node.event.effect.locking === true && d.state !== undefined);
}

function isOfMessage({ stability }: Key): boolean {
  return stability === 'producer-stable';
}

/** The row has been read by what the message names, and is updated by its own id. */
function isRowOfMessage(graph: FlowGraph, n: EffectNode): boolean {
  const { table, keys } = n.event.effect;
  const from = new Set(keys.flatMap((k) => k.from ?? []));
  return from.size > 0 && table !== undefined && reachable(graph).some((r) => isEffect(r) && from.has(r.event.call) && r.event.effect.table === table && r.event.effect.keys.some(isOfMessage));
}

/** Which constant is written may be the outcome of a call to another system, and not what the event says. */
function followsWork(graph: FlowGraph, n: EffectNode): boolean {
  return reachable(graph).some((x) => isEffect(x) && x.event.effect.remote === true && reaches(graph, x.id).has(n.id));
}

/** What changes more than once in the life of a thing, by the name of its column. */
const STATE = /(^|_|\.)(status|state|stage|phase|plan|tier|price|cost|rate|stock|quantity|inventory|available|availability|level|email|e_?mail|phone|display_?name|address|role|roles|permissions|enabled|active|is_?active|location|position|balance|cancel_?at_?period_?end|(current_?)?period_?(end|start)|(expires?|starts?|ends?|renews?)_?at|(start|end|renewal|expiry|expiration)_?date|valid_?until|settings|preferences)$|(Status|State|Plan|Price|Stock|Quantity|Email|Phone|Address|Role|Roles|PeriodEnd|PeriodStart|StartsAt|EndsAt|RenewsAt|ExpiresAt)$/i;

/** What tells an older message from a newer one. */
const VERSION = /^(version|rev|revision|seq|sequence|sequence_?number|updated_?(at|on|time)|last_?updated(_?at)?|modified(_?at)?|last_?modified(_?at)?|occurred_?at|changed_?at|event_?time|timestamp)$|(last_?updated|updated_?at|last_?modified|modified_?at)(_?at)?$/i;

/** The values of the message are written as they come. */
function copied(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect } = n.event;
  const mirrors = handler.order === 'lost' && !followsWork(handler.graph, n);
  const set = effect.sets?.filter((c) => isOfMessage(c) || (c.chosen && mirrors)) ?? [];
  const version = set.find((c) => VERSION.test(c.name));
  const columns = set.filter((c) => c !== version && (version !== undefined ? !isId(c.name) : STATE.test(c.name)));
  if (columns.length === 0) return undefined;
  // Messages of one key keep their order there: only one that says itself when it was made asks for more.
  if (!version && handler.order === 'kept') return undefined;
  const data = { effect: effect.name, columns: listed(columns), version: version?.name ?? '' };
  const check = guardsOf(handler.graph, n).find((d) => d.state && !d.claims)?.node.event.effect;
  if (check) return { messageId: 'compared', place: effect.place, data: { ...data, check: check.name, where: where(check.place, effect.place) }, trace: [{ place: check.place, message: 'what is stored is read here' }] };
  return { messageId: version ? 'carried' : 'late', place: effect.place, data, ...(version && { fix: { kind: 'sequence-gate', call: effect.place, column: version.name } }) };
}

function isId(column: string): boolean {
  return /(^|_)(id|uuid|key)$|Id$/.test(column);
}

function listed(columns: readonly Key[]): string {
  const names = columns.slice(0, 3).map((c) => `\`${c.name}\``);
  if (columns.length > 3) return `${names.join(', ')} and more`;
  const last = names.pop() ?? '';
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}

/** Events of different types set one column of one table to different values. */
function byType(handler: HandlerModel, all: readonly EffectNode[]): RuleFinding[] | undefined {
  if (handler.order !== 'lost') return undefined;
  const { graph } = handler;
  const types = reachable(graph).filter((n) => n.event.kind === 'branch' && asksForType(n.event));
  const under = (n: EffectNode): FlowNode | undefined => types.find((t) => t.next[0] !== undefined && t.next[1] !== undefined && reaches(graph, t.next[0]).has(n.id) && !reaches(graph, t.next[1]).has(n.id));
  const fixed = all.flatMap((n) => {
    const type = under(n);
    const column = n.event.effect.sets?.find((c) => c.stability === 'constant' && STATE.test(c.name));
    return type && column ? [{ n, type, column }] : [];
  });
  fixed.sort((a, b) => a.n.event.effect.place.start - b.n.event.effect.place.start);
  for (const a of fixed) {
    const b = fixed.find((x) => x.type !== a.type && x.column.name === a.column.name && valueOf(x.column) !== valueOf(a.column) && x.n.event.effect.table !== undefined && x.n.event.effect.table === a.n.event.effect.table);
    if (!b || reaches(graph, a.n.id).has(b.n.id) || reaches(graph, b.n.id).has(a.n.id)) continue;
    const { effect } = a.n.event;
    const other = b.n.event.effect;
    return [{ messageId: 'byType', place: effect.place, data: { effect: effect.name, column: a.column.name, value: valueOf(a.column), other: valueOf(b.column), where: where(other.place, effect.place) }, trace: [{ place: other.place, message: `\`${other.name}\` sets it to ${valueOf(b.column)}` }] }];
  }
  return undefined;
}

function valueOf({ constant, text }: Key): string {
  return constant ?? text;
}

/** `event.type === 'invoice.paid'`, also as a case of a switch. */
function asksForType({ condition }: BranchEvent): boolean {
  if (condition.kind !== 'derived' || !/^===?$/.test(condition.operator)) return false;
  const names = condition.parts.map((p) => (p.kind === 'library' ? (p.path.at(-1) ?? '') : p.kind === 'derived' ? p.operator : ''));
  return dependsOnMessage(condition) && condition.parts.some((p) => p.kind === 'constant' && typeof p.value === 'string') && names.some((name) => /type|event|topic|action|subject/i.test(name));
}
