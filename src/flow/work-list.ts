import type { Value } from '../origin/value.js';
import { ts, type FunctionNode } from '../syntax/compiler.js';
import { usesOf } from '../syntax/scope.js';

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
  if (!fn.body) return true;
  return usesOf(first, first.name.text, fn.body).every((use) => {
    const { parent } = use;
    return ts.isPropertyAccessExpression(parent) && (parent.name === use || OF_THE_JOB.test(parent.name.text));
  });
}

/** What a loop goes through is not written out in the code: it was found somewhere. */
export function isFound(list: Value): boolean {
  return list.kind !== 'list' && list.kind !== 'constant' && list.kind !== 'object';
}
