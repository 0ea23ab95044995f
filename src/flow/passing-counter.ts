import type { Effect } from '../model/effect.js';
import { ts, type CallLike, type Node } from '../syntax/compiler.js';

const COUNTS = /^(incr|incrby|hincrby|decr|decrby)$/i;
const ENDS = /^(expire|pexpire|expireat|pexpireat)$/i;

/**
 * `incr(key)` beside `expire(key, …)`, in one function: a count of what happened lately, as a limit of calls needs it. It is
 * gone soon, and was never exact.
 */
export function isPassing({ writeKind }: Effect, node: CallLike): boolean {
  if (writeKind !== 'delta' || !ts.isCallExpression(node) || !COUNTS.test(methodOf(node))) return false;
  const key = node.arguments[0]?.getText();
  let home: Node | undefined = node;
  while (home && !ts.isFunctionLike(home)) home = home.parent;
  let found = false;
  const visit = (n: Node): void => {
    found ||= ts.isCallExpression(n) && ENDS.test(methodOf(n)) && n.arguments[0]?.getText() === key;
    if (!found) ts.forEachChild(n, visit);
  };
  if (home && key !== undefined) visit(home);
  return found;
}

function methodOf({ expression }: { expression: Node }): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}
