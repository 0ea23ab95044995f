import type { Edit } from '../model/finding.js';
import type { FunctionNode, Node } from '../syntax/compiler.js';
import { outcomeOf, triesAround } from './code.js';
import type { FixContext } from './context.js';
import { thrownAgain } from './rethrow.js';

/**
 * Once somebody waits for a call, its failure reaches the catch clauses around it. What they need so that it is not
 * dropped there: nothing, or a throw at their end; undefined where that cannot be said.
 */
export function letThrough(node: Node, fn: FunctionNode, context: FixContext): Edit[] | undefined {
  const edits: Edit[] = [];
  for (const t of triesAround(node, fn)) {
    if (!t.catchClause) continue;
    const outcome = outcomeOf(t.catchClause.block);
    if (outcome === 'refuses') break;
    if (outcome === 'throws') continue;
    const more = outcome === 'drops' ? thrownAgain(t.catchClause, context) : undefined;
    if (!more) return undefined;
    edits.push(...more);
  }
  return edits;
}
