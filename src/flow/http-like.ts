import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { shapeValue } from '../origin/library.js';
import type { LibraryValue, Value } from '../origin/value.js';
import { ts, type CallLike } from '../syntax/compiler.js';
import { lastName } from '../syntax/scope.js';

/** How functions that send requests are called. */
const SENDS = /^(http|axios|got|fetch|request|needle)$|(request|fetch|http)$/i;
const CHANGES = /^(POST|PUT|PATCH|DELETE)$/i;

/** `request({ method: 'PUT', url, json })` of a client that nobody knows: its options say that it sends a request that changes something. */
export function requestByOptions(e: Evaluator, callee: Value, node: CallLike, frame: Frame): LibraryValue | undefined {
  if (!ts.isCallExpression(node) || !node.arguments[0] || !isUnseen(callee) || !SENDS.test(lastName(node.expression) ?? '')) return undefined;
  const options = e.evaluate(node.arguments[0], frame);
  if (options.kind !== 'object') return undefined;
  const method = e.objectMember(options, 'method');
  if (method.kind !== 'constant' || !CHANGES.test(String(method.value))) return undefined;
  const names = ['url', 'uri'].filter((name) => isThere(e.objectMember(options, name)));
  // A route has a handler, and sends nothing.
  if (names.length === 0 || isThere(e.objectMember(options, 'handler'))) return undefined;
  const bound = e.catalog.bind('http-request#Request', { name: 'http-request', packages: [], exports: {} });
  const made = bound && shapeValue(bound, { root: `http:${frame.key(node)}`, name: node.expression.getText() });
  return made?.kind === 'library' ? made : undefined;
}

function isUnseen(v: Value): boolean {
  return v.kind === 'unknown' || v.kind === 'package' || v.kind === 'parameter' || (v.kind === 'derived' && (v.operator === 'call' || v.operator === 'result'));
}

function isThere(v: Value): boolean {
  return !(v.kind === 'constant' && v.value === undefined);
}
