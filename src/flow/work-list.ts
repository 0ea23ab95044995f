import type { Value } from '../origin/value.js';
import { ts, type FunctionNode, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';

/** What a job tells of itself, not of what is to be done. */
const OF_THE_JOB = /^(id|name|log|logger|progress|updateProgress|extendLock|token|attemptsMade|opts|timestamp)$/;

/**
 * The handler takes nothing from its message: what is to be done it finds in the stores, as a job that runs by a schedule.
 * What one run could not do, the next one finds there again.
 */
export function takesNothing(fn: FunctionNode): boolean {
  const [first] = fn.parameters;
  if (!first) return true;
  if (!ts.isIdentifier(first.name)) return false;
  let takes = false;
  const { text } = first.name;
  const visit = (n: Node): void => {
    if (takes) return;
    if (ts.isIdentifier(n) && n.text === text && n.parent !== first && lookup(text, n) === first) {
      const { parent } = n;
      const isName = ts.isPropertyAccessExpression(parent) && parent.name === n;
      if (!isName) takes = !(ts.isPropertyAccessExpression(parent) && OF_THE_JOB.test(parent.name.text));
      return;
    }
    ts.forEachChild(n, visit);
  };
  if (fn.body) visit(fn.body);
  return !takes;
}

/** What a loop goes through is not written out in the code: it was found somewhere. */
export function isFound(list: Value): boolean {
  return list.kind !== 'list' && list.kind !== 'constant' && list.kind !== 'object';
}
