import type { Draft } from './draft.js';
import type { Expression } from './expression.js';
import { isNamed } from './resolve.js';

/** Whose column is it: the target's, that of the row to be inserted, or one of another table? */
export type Owner = 'target' | 'excluded' | 'other';

export function ownerOf(column: Expression & { type: 'column' }, draft: Draft): Owner {
  const qualifier = column.qualifier?.toLowerCase();
  if (qualifier === undefined) return 'target';
  if (qualifier === draft.alias?.toLowerCase() || qualifier === draft.table) return 'target';
  if (qualifier === 'excluded' || qualifier === draft.conflict?.rowAlias?.toLowerCase()) return 'excluded';
  // The table's name may be a hole, and so may the qualifier.
  if (draft.table === undefined && !draft.sources.some((source) => isNamed(source, qualifier))) return 'target';
  return 'other';
}

/** `VALUES(x)` of ON DUPLICATE KEY UPDATE: the value that was to be inserted. */
export function excludedColumn(expression: Expression, draft: Draft): string | undefined {
  if (expression.type === 'call' && expression.name === 'values') {
    const [arg] = expression.args;
    return arg?.type === 'column' ? arg.name : undefined;
  }
  if (expression.type === 'column' && ownerOf(expression, draft) === 'excluded') return expression.name;
  return undefined;
}

/** Column names are compared without regard to case; two whose names are holes may be the same. */
export function sameColumn(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase() || (one.includes('${') && other.includes('${'));
}
