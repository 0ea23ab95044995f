import type { BuiltHandler } from '../../flow/handler.js';
import type { Evaluator } from '../../origin/evaluate.js';
import { stabilityOf } from '../../origin/stability.js';
import { options } from '../../origin/value.js';
import { ts, type Expression, type Node } from '../../syntax/compiler.js';
import { lookup } from '../../syntax/scope.js';
import { Obstacle } from './obstacle.js';

/** An expression for the id of the message, and what it relies on. */
export interface MessageId {
  text: string;
  note?: string;
  /** The nodes whose names it uses, which must be known where it is asked for. */
  names: readonly Node[];
}

/** Names by which producers call the id of an event, whatever it is read from. */
const EVENT_ID = /^(event|message|msg|command|cmd|notification|envelope|dedup|deduplication|idempotency)[_-]?(id|uuid|key)$/i;
/** Names of what is the event itself; the id of anything else may be that of a thing that has many events. */
const EVENT = /^(event|evt|ev|message|msg|envelope|command|cmd|notification|meta|metadata|cloudevent)$/i;

/**
 * The id that the producer gave the message. One that the broker or the delivery gives is none: what the producer sends
 * twice would be processed twice.
 */
export function messageId(e: Evaluator, h: BuiltHandler): MessageId {
  const own = inPayload(e, h) ?? inProperties(e, h);
  if (own) return own;
  throw new Obstacle(
    h.fn.node,
    `no id of its producer is in sight in the message. At the producer, make one together with the event (\`eventId: randomUUID()\`) and send it in the body; read it here as \`event.eventId\`. Or name the expression that is one: --id 'payment.reference'.`,
  );
}

/** `event.id`, `{ eventId }`: a property that the handler reads, which comes from the message as its producer made it. */
function inPayload(e: Evaluator, h: BuiltHandler): MessageId | undefined {
  const found: { node: Expression; rank: number }[] = [];
  const visit = (n: Node): void => {
    const name = ts.isPropertyAccessExpression(n) ? n.name.text : ts.isElementAccessExpression(n) && ts.isStringLiteralLike(n.argumentExpression) ? n.argumentExpression.text : undefined;
    if (name !== undefined && (ts.isPropertyAccessExpression(n) || ts.isElementAccessExpression(n)) && isProducers(e, n, h)) {
      const of = ts.isIdentifier(n.expression) ? n.expression.text : ts.isPropertyAccessExpression(n.expression) ? n.expression.name.text : '';
      if (EVENT_ID.test(name)) found.push({ node: asText(n), rank: 0 });
      else if (/^(id|uuid)$/i.test(name) && EVENT.test(of)) found.push({ node: asText(n), rank: 1 });
    }
    if (ts.isBindingElement(n) && ts.isIdentifier(n.name) && EVENT_ID.test((n.propertyName ?? n.name).getText()) && isProducers(e, n.name, h)) found.push({ node: n.name, rank: 0 });
    ts.forEachChild(n, visit);
  };
  if (h.fn.node.body) visit(h.fn.node.body);
  for (const p of h.fn.node.parameters) visit(p);
  const [best] = found.sort((a, b) => a.rank - b.rank);
  return best && { text: best.node.getText(), names: [best.node] };
}

/** A header is bytes, which the handler makes a text of: `headers.eventId.toString()`. */
function asText(n: Expression): Expression {
  const { parent } = n;
  if (ts.isNonNullExpression(parent)) return asText(parent);
  if (ts.isCallExpression(parent) && ts.isIdentifier(parent.expression) && parent.expression.text === 'String') return parent;
  return ts.isPropertyAccessExpression(parent) && parent.expression === n && parent.name.text === 'toString' && ts.isCallExpression(parent.parent) ? parent.parent : n;
}

function isProducers(e: Evaluator, node: Expression, h: BuiltHandler): boolean {
  return stabilityOf(e, e.evaluate(node, h.frame)).stability === 'producer-stable';
}

/** Where the client has a property for it, which producers fill. */
function inProperties(e: Evaluator, h: BuiltHandler): MessageId | undefined {
  const visit = (name: Node): MessageId | undefined => {
    if (ts.isIdentifier(name)) {
      for (const v of options(e.evaluate(name, h.frame))) {
        const facts = v.kind === 'library' ? v.shape.producerId : undefined;
        if (facts) return { text: `${name.text}${facts.path}`, note: `\`${name.text}${facts.path}\` must be set by the producer, the same at each try to send the message: ${facts.set}.`, names: [name] };
      }
      return undefined;
    }
    if (ts.isObjectBindingPattern(name)) for (const x of name.elements) {
      const found = visit(x.name);
      if (found) return found;
    }
    return undefined;
  };
  for (const p of h.fn.node.parameters) {
    const found = visit(p.name);
    if (found) return found;
  }
  return undefined;
}

/** Whether all names of the id mean at a node what they mean where it was found. */
export function isKnownAt(id: MessageId, at: Node): boolean {
  return id.names.every((n) => {
    let ok = true;
    const visit = (x: Node): void => {
      if (ts.isIdentifier(x) && !(ts.isPropertyAccessExpression(x.parent) && x.parent.name === x)) ok &&= lookup(x.text, at) === lookup(x.text, x);
      else ts.forEachChild(x, visit);
    };
    visit(n);
    return ok;
  });
}
