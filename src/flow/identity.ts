import type { Carried } from '../model/effect.js';
import type { Evaluator } from '../origin/evaluate.js';
import { stabilityOf } from '../origin/stability.js';
import { propertiesOf, type Value } from '../origin/value.js';
import { ts } from '../syntax/compiler.js';

/**
 * By what a receiver can tell that it has had this content before: an id of the event or of the thing that it is about, or
 * the whole message. An id of somebody who has many such events (`userId`) is a weaker sign.
 */
export function identityIn(e: Evaluator, value: Value, depth = 0): Carried {
  if (depth > 8) return 'unknown';
  switch (value.kind) {
    case 'constant':
      return 'nothing';
    case 'text':
      return strongest(value.parts.map((p) => (typeof p === 'string' ? 'nothing' : identityIn(e, p, depth + 1))));
    case 'list':
      return strongest(value.elements.map((v) => identityIn(e, v, depth + 1)));
    case 'union':
      return strongest(value.options.map((v) => identityIn(e, v, depth + 1)));
    case 'object':
      return inObject(e, value, depth);
    case 'library':
      return named(e, value, value.path.at(-1), depth);
    case 'derived':
      return inDerived(e, value, depth);
    default:
      return 'unknown';
  }
}

function inDerived(e: Evaluator, value: Extract<Value, { kind: 'derived' }>, depth: number): Carried {
  if (value.minted !== undefined) return 'nothing';
  const property = /^\.(\w+)$/.exec(value.operator)?.[1];
  const isMethod = value.node !== undefined && ts.isCallExpression(value.node);
  if (property !== undefined && !isMethod) return named(e, value, property, depth);
  if (value.parts.length === 0) return 'unknown';
  return strongest(value.parts.map((p) => identityIn(e, p, depth + 1)));
}

function inObject(e: Evaluator, object: Extract<Value, { kind: 'object' }>, depth: number): Carried {
  return strongest(
    propertiesOf(object).map((p): Carried => {
      if (ts.isSpreadAssignment(p)) return identityIn(e, e.evaluate(p.expression, object.frame), depth + 1);
      const name = e.propertyName(p.name, object.frame);
      if (name === undefined) return 'unknown';
      const value = e.objectMember(object, name);
      const own = identityIn(e, value, depth + 1);
      if (own !== 'nothing') return own === 'unknown' && isProse(name) ? 'nothing' : own;
      // `id: order.number`
      const { stability } = stabilityOf(e, value);
      return (stability === 'producer-stable' || stability === 'broker-stable') ? identityOf(name) : 'nothing';
    }),
  );
}

/** A value that was read as a property: of the message, or of what a store gave for it. */
function named(e: Evaluator, value: Value, name: string | undefined, depth: number): Carried {
  const { stability } = stabilityOf(e, value);
  if (stability === 'delivery' || stability === 'minted' || stability === 'constant') return 'nothing';
  if (name === undefined || /^\d+$|^\*$/.test(name)) return 'event';
  if (ID.test(name)) return strengthOf(name);
  if (isWhole(value, name)) return 'event';
  // A part of the message with a name of its own: a number, a text, or a record that may hold an id.
  if (value.kind === 'derived' && depth < 4 && value.parts[0] && /^\.\w+\(\)$/.test(value.operator)) return identityIn(e, value.parts[0], depth + 1);
  return isProse(name) ? 'nothing' : 'unknown';
}

/** Names of records. What holds the message in its client's own words does not need such a name. */
const WHOLE = /^(data|payload|detail|object|record|records|event|job|json|new|after|image|newimage|fulldocument|row|rows|result|results|entity|arguments|args|params|input)$/i;

function isWhole(value: Value, name: string): boolean {
  return WHOLE.test(name) || (value.kind === 'library' && value.parent?.shape.message === true);
}

const ID = /^(_?id|uuid|guid|ref|reference|hash|signature|digest|checksum|number|sku|slug|arn|urn|iban|vin|isbn)$|(_|-)(id|ids|uuid|guid|ref|reference|hash|no|number|key|code|token|arn)$|(Id|Ids|ID|IDs|Uuid|UUID|Guid|Ref|Reference|Hash|Number|Key|Token|Arn)$/;

/** What a property of this name says of the identity of an event. */
export function identityOf(name: string): Carried {
  return ID.test(name) ? strengthOf(name) : 'nothing';
}

/** Names of those who have many events: their id does not tell one event from another. */
const CONTEXT = /^(user|customer|client|account|tenant|org|organi[sz]ation|team|workspace|project|company|member|owner|author|actor|group|channel|chat|session|template|public_?subject|subject|region|store|shop|site|app|application|api|access|public|private|secret|auth|phone|contact|device|push|install|queue|topic|thread|partition|routing)s?[_-]?(id|ids|uuid|ref|reference|number|no|key|token|arn)$/i;

function strengthOf(name: string): Carried {
  return CONTEXT.test(name) ? 'context' : 'event';
}

/** Names of values that are no records: an id would not be inside of them. */
const PROSE = /^(type|kind|action|topic|subject|title|text|html|msg|description|note|reason|status|state|level|priority|amount|total|cents|price|currency|quantity|count|score|name|email|mail|phone|address|city|country|lang|language|locale|url|uri|link|href|to|from|cc|bcc|date|time|timestamp|at|on|value|string|version|enabled|color|colour|icon|image|picture|avatar|username|user_?name|first_?name|last_?name|full_?name|display_?name|blocks|embeds|labels|label|tags|rate|method|pattern|source|\w+(_at|At|Date|Time|Url|URL|Uri|Name|Email|Address|Phone|Text|Count|Type|Status|Price|Amount)|(date|time|is|has|can)[A-Z]\w*)$/;

function isProse(name: string): boolean {
  return PROSE.test(name);
}

const ORDER: readonly Carried[] = ['nothing', 'context', 'unknown', 'event'];

export function strongest(parts: readonly Carried[]): Carried {
  return parts.reduce<Carried>((best, p) => (ORDER.indexOf(p) > ORDER.indexOf(best) ? p : best), 'nothing');
}

