import { changes, distinct, isAck, isBypassed, isCacheRefresh, isChange, isWithin, oncePerPlace, openTransactions, placeKey, reachable, walk, where, type EffectNode, type FlowNode, type HandlerModel, type SettleNode } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'ack-after-commit',
  description: 'require that a message is acknowledged only after its effects are durably done',
  preset: 'recommended',
  severity: 'error',
  messages: {
    early: 'The message is acknowledged here, before `{{effect}}` on {{where}} is done: a crash or an error in between loses it. Acknowledge after the last effect.',
    beforeCommit: 'The message is acknowledged here, before the transaction commits on {{where}}: a crash or a failed commit in between loses it. Acknowledge after the commit.',
    auto: 'This option acknowledges every message on delivery, before `{{effect}}` on {{where}} has run: a crash in between loses the message. Acknowledge by hand after the last effect.',
    onDelivery: '{{client}} acknowledges the message when it hands it over, before `{{effect}}` on {{where}} has run: a crash in between loses the message.',
    floating: 'Nobody waits for `{{effect}}`: the message is acknowledged when the handler returns, and a crash or an error after that loses this work. Await or return the promise.',
    forEach: '`forEach` does not wait for its async callback: the message is acknowledged before `{{effect}}` on {{where}} is done, and an error there goes unseen. Use `for … of` with `await`, or `Promise.all`.',
    timer: '`{{effect}}` on {{where}} runs after the handler has returned and the message is acknowledged: a crash before it runs loses the work. Do the work before returning, or schedule it durably.',
    callback: 'The handler returns, and the message is acknowledged, before the callback of `{{effect}}` has run: a crash or an error in between loses the work. Wait for it with a promise.',
    buffered: '`{{effect}}` only fills a buffer in memory, which nothing here writes out: the message is acknowledged, and a crash before the buffer is sent loses this work. Write it out, and wait for that, before returning.',
    parallel: 'Messages of the batch run at the same time, and acknowledging this one acknowledges the earlier ones too, whose work may still be under way: a crash then skips them. Handle them in order, or acknowledge after all of them.',
    firstOnly: 'Only this message of the batch is handled, and the whole batch is acknowledged: the others are lost. Loop over all messages.',
  },
  looksAt: { what: 'acknowledgements by a call or effects that nobody waits for', in: ({ graph }) => reachable(graph).filter((n) => (isAck(n) && n.event.by !== 'return') || (isChange(n) && n.event.task !== undefined)) },
  check(handler) {
    const found = [...autoAcknowledged(handler), ...floating(handler), ...parallel(handler), ...firstOnly(handler)];
    found.push(...early(handler, new Set(found.map((f) => f.place.start))));
    return found;
  },
});

function autoAcknowledged(handler: HandlerModel): RuleFinding[] {
  const [first] = changes(handler.graph);
  if (!first) return [];
  const data = { effect: first.event.effect.name, client: handler.client };
  if (handler.autoAck) return [{ messageId: 'auto', place: handler.autoAck, data: { ...data, where: where(first.event.effect.place, handler.autoAck) }, trace: [step(first)], fix: { kind: 'manual-ack', option: handler.autoAck } }];
  if (handler.acknowledgement !== 'on-delivery') return [];
  return [{ messageId: 'onDelivery', place: handler.place, data: { ...data, where: where(first.event.effect.place, handler.place) }, trace: [step(first)] }];
}

/** Effects that follow an acknowledgement on some path. */
function early(handler: HandlerModel, taken: ReadonlySet<number>): RuleFinding[] {
  if (handler.autoAck) return [];
  const acks = reachable(handler.graph).filter(isAck).filter((a) => a.event.by !== 'return' && !taken.has(a.event.place.start));
  return oncePerPlace(acks, (ack): RuleFinding | undefined => {
    const late = firstAfter(handler, ack);
    if (late) {
      return { messageId: 'early', place: ack.event.place, data: { effect: late.event.effect.name, where: where(late.event.effect.place, ack.event.place) }, trace: [step(late)], fix: { kind: 'move-ack', ack: ack.event.place, after: late.event.effect.place } };
    }
    const open = openTransactions(handler.graph).get(ack.id) ?? new Set();
    const commit = open.size ? commitAfter(handler, ack, open) : undefined;
    if (commit?.event.kind !== 'commit') return undefined;
    return { messageId: 'beforeCommit', place: ack.event.place, data: { where: where(commit.event.place, ack.event.place) }, trace: [{ place: commit.event.place, message: 'the transaction commits here' }], fix: { kind: 'move-ack', ack: ack.event.place, after: commit.event.place } };
  });
}

function firstAfter(handler: HandlerModel, ack: SettleNode): EffectNode | undefined {
  let late: EffectNode | undefined;
  const turns = turnsOf(handler.graph, ack);
  walk({
    graph: handler.graph,
    from: ack.id,
    state: '',
    isDone: () => late !== undefined,
    visit: (n) => {
      if (turns.has(n.id)) return undefined;
      if (n.id !== ack.id && isChange(n) && !compensates(n)) late = n;
      return '';
    },
  });
  return late;
}

/** Where the message begins that a node is about: who comes there once more, in a copy of the same code too, is about another message. */
function turnsOf(graph: HandlerModel['graph'], node: FlowNode): ReadonlySet<number> {
  const messages = graph.nodes.filter(isMessage);
  const own = new Set(messages.filter((n) => !isBypassed(graph, n, graph.entry, (x) => x.id === node.id)).map(placeKey));
  return new Set(messages.filter((n) => own.has(placeKey(n))).map((n) => n.id));
}

function isMessage(n: FlowNode): boolean {
  return n.event.kind === 'message';
}

/** Work that only tidies up after the message: releasing locks, deleting markers. */
function compensates(n: EffectNode): boolean {
  const { effect } = n.event;
  return effect.marker === true || effect.inMemory === true || isCacheRefresh(effect);
}

function commitAfter(handler: HandlerModel, ack: SettleNode, open: ReadonlySet<string>): (typeof handler.graph.nodes)[number] | undefined {
  let commit: (typeof handler.graph.nodes)[number] | undefined;
  walk({
    graph: handler.graph,
    from: ack.id,
    state: '',
    isDone: () => commit !== undefined,
    visit: (n) => {
      if (n.event.kind === 'rollback') return undefined;
      if (n.event.kind === 'commit' && !n.event.broker && open.has(n.event.handle)) commit = n;
      return '';
    },
  });
  return commit;
}

/** Effects that outlive the code that acknowledges. */
function floating(handler: HandlerModel): RuleFinding[] {
  const { graph } = handler;
  const acks = reachable(graph).filter(isAck);
  if (acks.length === 0) return [];
  const found: RuleFinding[] = [];
  const seen = new Set<number>();
  for (const n of changes(graph)) {
    const { task, effect } = n.event;
    if (!task || seen.has(task.id) || isCacheRefresh(effect)) continue;
    // An acknowledgement that the effect does not hold up, on a path that starts the effect.
    if (acks.every((a) => isWithin(a.event.task, task))) continue;
    if (!leadsTo(handler, n, (x) => isAck(x) && !isWithin(x.event.task, task))) continue;
    seen.add(task.id);
    const at = task.place;
    const data = { effect: effect.name, where: where(effect.place, at) };
    const messageId = task.how === 'detached' ? 'floating' : task.how;
    const fix: RuleFinding['fix'] = task.how === 'forEach' ? { kind: 'for-of', call: at } : { kind: 'await', call: at };
    found.push({ messageId, place: at, data, trace: [step(n)], ...(task.how !== 'buffered' && { fix }) });
  }
  found.push(...floatingCommits(handler, acks));
  return found;
}

/** A commit that nobody waits for: the work is durable only some time after the acknowledgement. */
function floatingCommits(handler: HandlerModel, acks: readonly SettleNode[]): RuleFinding[] {
  return oncePerPlace(reachable(handler.graph), (n): RuleFinding | undefined => {
    if (n.event.kind !== 'commit' || n.event.broker || !n.event.task) return undefined;
    const { task, handle, name, place } = n.event;
    if (acks.every((a) => isWithin(a.event.task, task))) return undefined;
    if (!changes(handler.graph).some((c) => c.event.effect.handle === handle)) return undefined;
    return { messageId: 'floating', place, data: { effect: name, where: where(place, place) }, fix: { kind: 'await', call: task.place } };
  });
}

function leadsTo(handler: HandlerModel, from: EffectNode, goal: (n: (typeof handler.graph.nodes)[number]) => boolean): boolean {
  let reached = false;
  const turns = turnsOf(handler.graph, from);
  walk({
    graph: handler.graph,
    from: from.id,
    state: '',
    isDone: () => reached,
    visit: (n) => {
      if (goal(n)) reached = true;
      return turns.has(n.id) ? undefined : '';
    },
  });
  return reached;
}

/** An acknowledgement of everything up to here, while earlier messages are still being worked on. */
function parallel(handler: HandlerModel): RuleFinding[] {
  const work = changes(handler.graph);
  return distinct(reachable(handler.graph).filter(isAck).filter((a) => a.event.upTo && a.event.parallel && work.length > 0)).map((a) => ({ messageId: 'parallel', place: a.event.place, data: {} }));
}

function firstOnly(handler: HandlerModel): RuleFinding[] {
  if (!handler.firstOfBatch || changes(handler.graph).length === 0) return [];
  return [{ messageId: 'firstOnly', place: handler.firstOfBatch, data: {} }];
}

function step(n: EffectNode): { place: EffectNode['event']['effect']['place']; message: string } {
  return { place: n.event.effect.place, message: `\`${n.event.effect.name}\` runs here` };
}
