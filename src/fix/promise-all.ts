import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction } from '../syntax/compiler.js';
import { edit, nodesAt, type FixContext } from './context.js';
import { letThrough } from './surroundings.js';

/** `Promise.all` in place of `Promise.allSettled` whose results nobody uses. */
export function failTogether(request: Extract<FixRequest, { kind: 'rethrow' }>, context: FixContext): Suggestion[] {
  const call = nodesAt(request.clause, context).find((n) => ts.isCallExpression(n));
  if (!call || !ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'allSettled') return [];
  if (!ts.isAwaitExpression(call.parent) || !ts.isExpressionStatement(call.parent.parent)) return [];
  const fn = enclosingFunction(call);
  const around = fn && letThrough(call, fn, context);
  if (!around) return [];
  const source = call.getSourceFile();
  const { name } = call.expression;
  return [{ title: 'Use `Promise.all`, which fails if one of them fails', edits: [edit(source, name.getStart(source), name.end, 'all', context), ...around] }];
}
