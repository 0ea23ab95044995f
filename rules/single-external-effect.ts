import { followsFailure, guardsExternal, isExternal, isKeyed, marksOfFoundRows, placeKey, reachable, walk, where, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'single-external-effect',
  description: 'disallow more than one external effect for one message unless each is a step of its own',
  preset: 'recommended',
  severity: 'error',
  messages: {
    second: 'This is a second external effect for one message, after `{{first}}` on {{where}}: if it fails, or the process stops between them, the redelivery does the first one again. Give each its own idempotency key, or put them into an outbox.',
    again: '`{{first}}` runs more than once for one message, by another call of the function that it stands in: if a later one fails, or the process stops between them, the redelivery does the first one again. Give each its own idempotency key, or put them into an outbox.',
    loop: '`{{first}}` runs once for each turn of the loop, for one message: if a later turn fails, the redelivery repeats the earlier ones. Give each its own idempotency key, send one batch, or put them into an outbox.',
  },
  looksAt: { what: 'external effects', in: ({ graph }) => reachable(graph).filter(isExternal) },
  check(handler) {
    const found = new Map<number, RuleFinding>();
    const marks = marksOfFoundRows(handler.graph);
    for (const first of reachable(handler.graph).filter(isExternal)) {
      // Behind a record that is committed first a redelivery does not come to it again; what a crash loses then is for atomic-inbox to say.
      if (first.event.step !== undefined || !leavesTrace(first) || guardsExternal(handler.graph, first)) continue;
      const second = nextExternal(handler, first, marks);
      if (!second || found.has(second.event.effect.place.start)) continue;
      const again = placeKey(second) === placeKey(first);
      found.set(second.event.effect.place.start, {
        messageId: second.id === first.id ? 'loop' : again ? 'again' : 'second',
        place: second.event.effect.place,
        data: { first: first.event.effect.name, where: where(first.event.effect.place, second.event.effect.place) },
        trace: [{ place: first.event.effect.place, message: `\`${first.event.effect.name}\` runs here first` }],
      });
    }
    // One sentence a handler says it; the others follow from the same cause.
    return [...found.values()].slice(0, 1);
  },
});

function leavesTrace(n: EffectNode): boolean {
  return n.event.effect.idempotent !== true;
}

/** The next external effect on a path from this one, itself in the next turn of a loop included. */
function nextExternal(handler: HandlerModel, first: EffectNode, marks: ReadonlySet<number>): EffectNode | undefined {
  let second: EffectNode | undefined;
  let started = false;
  walk({
    graph: handler.graph,
    from: first.id,
    state: 0,
    visit: (n, turn) => {
      // The row that the first was done for is marked: the redelivery goes on with the others.
      if (second || marks.has(n.id)) return undefined;
      if (n.id === first.id && !started) {
        started = true;
        return 1;
      }
      // What may be done again without harm can fail all the same, and then the first is repeated.
      if (isExternal(n) && n.event.step === undefined && !isFailureNotice(handler, n)) {
        // Both carry a key of their own: each is a step that a redelivery repeats without harm.
        if (isKeyed(first.event.effect) && (isKeyed(n.event.effect) || !leavesTrace(n))) return turn;
        second = n;
        return undefined;
      }
      return turn;
    },
    // What runs after a failure of the first is another path: the message comes again anyway, or is given up.
    ways: (n, _, allowed) => (isExternal(n) ? allowed.filter((w) => !w.thrown) : allowed),
  });
  return second;
}

function isFailureNotice({ graph }: HandlerModel, n: EffectNode): boolean {
  return n.event.negligible === true || followsFailure(graph, n);
}
