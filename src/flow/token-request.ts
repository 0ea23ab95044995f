import type { EffectFacts } from '../catalog/schema.js';
import type { Evaluator } from '../origin/evaluate.js';
import { argument } from '../origin/library.js';
import { options, propertiesOf, type Args, type LibraryValue, type Value } from '../origin/value.js';
import { ts } from '../syntax/compiler.js';

/** RFC 6749 names what is asked of a token endpoint in the body: `grant_type=client_credentials`. */
export function asksForToken(e: Evaluator, facts: EffectFacts, args: Args, callee: LibraryValue): boolean {
  const [first] = args.nodes;
  const call = first?.parent;
  // `http.post<TokenResponse>(…)`
  if (call && ts.isCallExpression(call) && call.typeArguments?.some((t) => TOKEN.test(t.getText()))) return true;
  const body = facts.data === undefined ? undefined : argument(e, args, facts.data, callee);
  return body !== undefined && options(body).some((v) => hasGrant(e, v, 0));
}

const TOKEN = /^(\w*(oauth|access|auth|jwt|bearer)\w*token\w*|token(response|result|dto)?)$/i;

/** As an object, in its text, or in what a form is made of. */
function hasGrant(e: Evaluator, value: Value, depth: number): boolean {
  if (value.kind === 'object') return propertiesOf(value).some((p) => p.name !== undefined && e.propertyName(p.name, value.frame) === 'grant_type');
  if (value.kind === 'constant') return typeof value.value === 'string' && /\bgrant_type=/.test(value.value);
  if (value.kind === 'text') return value.parts.some((p) => typeof p === 'string' && /\bgrant_type=/.test(p));
  return value.kind === 'derived' && depth < 3 && value.parts.some((p) => hasGrant(e, p, depth + 1));
}
