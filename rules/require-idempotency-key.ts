import { dependsOnRedelivered, followsFailure, guardsExternal, isEffect, isExternal, isKeyed, oncePerPlace, reachable, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import type { Effect } from '../src/model/effect.js';
import type { Place } from '../src/model/place.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'require-idempotency-key',
  description: 'require an idempotency key that comes from the message on each external effect',
  preset: 'recommended',
  severity: 'error',
  messages: {
    missing: '`{{effect}}` takes a key (`{{option}}`) and gets none: if the process stops before the message is acknowledged, the redelivery does it again. Pass `{{option}}`, made of an id from the message and the name of this step.',
    header: '`{{effect}}` sends nothing by which the other side could recognise a repeat: if the process stops before the message is acknowledged, the redelivery sends the request again. Send an `{{option}}` header, or an id from the message in the body.',
    content: '`{{effect}}` hands on nothing by which its receiver could recognise a repeat: if the process stops before the message is acknowledged, the redelivery publishes it again under no common id. Put an id from the message into the body or the headers.',
    name: '`{{effect}}` makes something under a name that is new on each run: if the process stops before the message is acknowledged, the redelivery makes another one. Derive the name from an id in the message.',
    keyless: '`{{effect}}` takes no idempotency key, and nothing keeps a second delivery from getting here: if the process stops before the message is acknowledged, the redelivery does it again. Record it under an id from the message before it is done, or leave it to an outbox.',
  },
  looksAt: { what: 'external effects', in: ({ graph }) => reachable(graph).filter(isExternal) },
  check(handler) {
    if (handler.projection) return [];
    return oncePerPlace(reachable(handler.graph).filter(isExternal), (n) => judge(handler, n));
  },
});

/** A redelivery does it again, and nobody can tell. */
export function isDoneAgain({ graph }: HandlerModel, n: EffectNode): boolean {
  const { effect, step } = n.event;
  if (effect.idempotent || step !== undefined || asks(effect) || hasKey(effect) || isIdentified(effect)) return false;
  return !followsFailure(graph, n) && !guardsExternal(graph, n) && !dependsOnRedelivered(graph, n);
}

function judge(handler: HandlerModel, n: EffectNode): RuleFinding | undefined {
  const { effect } = n.event;
  if (!isDoneAgain(handler, n)) return undefined;
  const option = effect.keyOption;
  return {
    messageId: option?.honoured ? 'missing' : effect.freshName ? 'name' : effect.request ? 'header' : effect.carries === undefined ? 'keyless' : 'content',
    place: effect.place,
    data: { effect: effect.name, option: option?.name ?? '' },
    ...(!option?.honoured && { preset: 'strict' }),
    ...(option?.path.length && { fix: { kind: 'idempotency-key', call: effect.place, path: option.path, from: fromMessage(handler, n) } }),
  };
}

/** Values that come from the message, those of the call itself first. */
function fromMessage(handler: HandlerModel, n: EffectNode): Place[] {
  const others = reachable(handler.graph).filter(isEffect).filter((x) => x !== n);
  return [n, ...others].flatMap((x) => x.event.effect.keys).filter((k) => k.stability === 'producer-stable').map((k) => k.place).slice(0, 50);
}

/** A POST that has something computed, by its name; a GraphQL document may be a question. */
function asks({ request }: Effect): boolean {
  return request !== undefined && /\b(graphql|generate|translate|render|convert|extract|classify|analy[sz]e|get[-_a-z]*|pre-?sign\w*)\b/i.test(request.url);
}

/** A key that is new at each delivery is what no-delivery-id-dedupe reports. */
function hasKey(effect: Effect): boolean {
  return isKeyed(effect) || effect.idempotencyKey !== undefined;
}

/** The receiver gets an id that tells a repeat, or something that cannot be seen. */
function isIdentified(effect: Effect): boolean {
  const { carries, keyOption } = effect;
  // An API that acts on a header does not look for ids in the body.
  if (effect.request && keyOption?.honoured) return false;
  if (carries === 'event' || carries === 'unknown') return true;
  return carries === 'context' && keyOption?.honoured === true;
}
