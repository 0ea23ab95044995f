import { RepeatedConditions, asksForDelivery, dependsOnMessage, isChange, reachable, walk, where, type FlowNode, type HandlerModel, type SettleNode } from '../src/flow/query.js';
import type { Place } from '../src/model/place.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-poison-loop',
  description: 'disallow answering a failure with an immediate requeue that nothing bounds',
  preset: 'strict',
  severity: 'warning',
  messages: {
    requeue: '{{failure}} puts the message back into the queue at once, and nothing that can be seen ends that: a message that fails each time goes round for ever, at full speed{{again}}. Refuse it for good (dead-letter it), or count its deliveries.',
    thrown: '{{client}} puts a message back into the queue at once when its handler throws, as {{failure}} does, and nothing that can be seen ends that: a message that fails each time goes round for ever, at full speed{{again}}. Dead-letter what fails, or count the deliveries.',
  },
  looksAt: { what: 'refusals', in: ({ graph }) => reachable(graph).filter((n) => n.event.kind === 'settle' && n.event.as === 'nack') },
  check(handler) {
    if (handler.bounded || handler.graph.truncated) return [];
    return [...requeued(handler), ...thrown(handler)];
  },
});

/** What a path has seen. */
interface Path {
  /** What failed last. */
  failure: number;
  /** The last change that was done before that. */
  done: number;
  /** The last condition asked for the message alone: it comes out the same at every delivery. */
  rejected: boolean;
  answers: string;
}

/** Lets time pass, by its name. */
const WAITS = /(^|\.)(sleep|delay|wait|backoff|pause)\w*$|(sleep|backoff|delay)/i;

interface Loop {
  end: SettleNode;
  path: Path;
}

/** Paths on which a failure, or bad input, ends at a settlement of this kind without a bound and without a wait. */
function loops(handler: HandlerModel, isLoop: (n: SettleNode) => boolean): Loop[] {
  const { graph } = handler;
  const conditions = new RepeatedConditions(reachable(graph));
  const found: Loop[] = [];
  walk<Path>({
    graph,
    from: graph.entry,
    state: { failure: -1, done: -1, rejected: false, answers: '' },
    keyOf: (s) => Object.values(s).join(' '),
    visit: (n, s) => {
      const { event } = n;
      if (event.kind === 'delay' || (event.kind === 'unresolved' && WAITS.test(event.name))) return undefined;
      if (event.kind === 'settle') {
        if (isLoop(n as SettleNode) && (s.failure >= 0 || s.rejected)) found.push({ end: n as SettleNode, path: s });
        return undefined;
      }
      if (event.kind === 'throw') return { ...s, failure: n.id };
      // A count of deliveries, in whatever way it is kept.
      if (event.kind === 'branch' && asksForDelivery(event)) return undefined;
      return s;
    },
    ways: (n, s, allowed) => conditions.consistent(n, s.answers, allowed),
    along: (n, s, way, ways) => ({
      failure: way.thrown ? n.id : s.failure,
      done: !way.thrown && isChange(n) ? n.id : s.done,
      rejected: n.event.kind === 'branch' && ways.length > 1 ? dependsOnMessage(n.event.condition) : s.rejected,
      answers: conditions.after(n, s.answers, way, ways),
    }),
  });
  return found;
}

function requeued(handler: HandlerModel): RuleFinding[] {
  const found = new Map<number, RuleFinding>();
  for (const { end, path } of loops(handler, (n) => n.event.requeues === true && !n.event.assumed)) {
    const { place, name } = end.event;
    const again = repeats(handler, path);
    if (found.has(place.start) && again === '') continue;
    found.set(place.start, { messageId: 'requeue', place, data: { failure: `\`${name}\``, again }, fix: { kind: 'no-requeue', at: place } });
  }
  return [...found.values()];
}

function thrown(handler: HandlerModel): RuleFinding[] {
  const option = handler.requeuesOnThrow;
  if (!option) return [];
  const all = loops(handler, (n) => n.event.by === 'throw');
  const first = all.find((l) => repeats(handler, l.path) !== '') ?? all[0];
  const n = first && handler.graph.nodes[first.path.failure];
  if (!first || !n) return [];
  return [{ messageId: 'thrown', place: option, data: { client: handler.client, failure: failureOf(n, option), again: repeats(handler, first.path) }, fix: { kind: 'no-requeue', at: option } }];
}

/** What each round does again. */
function repeats(handler: HandlerModel, { done }: Path): string {
  const n = handler.graph.nodes[done];
  return n?.event.kind === 'effect' ? `, and does \`${n.event.effect.name}\` again in each round` : '';
}

function failureOf({ event }: FlowNode, from: Place): string {
  if (event.kind === 'effect') return `a failure of \`${event.effect.name}\` on ${where(event.effect.place, from)}`;
  return 'place' in event ? `the code on ${where(event.place, from)}` : 'a message that cannot be read';
}
