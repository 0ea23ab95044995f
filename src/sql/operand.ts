import type { Draft } from './draft.js';
import { partsOf, printExpression, type Expression } from './expression.js';
import { excludedColumn } from './scope.js';
import type { SqlOperand } from './types.js';
import { isMintedCall } from './words.js';

/** The value as the caller sees it; `draft` tells which names mean the row to be inserted. */
export function operandOf(expression: Expression, draft: Draft): SqlOperand {
  const leaf = leafOf(expression, draft);
  if (leaf) return leaf;
  const operands = partsOf(expression).flatMap((part) => leavesOf(part, draft));
  return { kind: 'expression', operands, text: shorten(printExpression(expression)) };
}

const MAX_TEXT = 200;

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function leavesOf(expression: Expression, draft: Draft): SqlOperand[] {
  const leaf = leafOf(expression, draft);
  return leaf ? [leaf] : partsOf(expression).flatMap((part) => leavesOf(part, draft));
}

function leafOf(expression: Expression, draft: Draft): SqlOperand | undefined {
  const excluded = excludedColumn(expression, draft);
  if (excluded !== undefined) return { kind: 'excluded', name: excluded };
  switch (expression.type) {
    case 'placeholder':
      return {
        kind: 'placeholder',
        ...(expression.index !== undefined && { index: expression.index }),
        ...(expression.name !== undefined && { name: expression.name }),
        ...(expression.hole && { hole: true as const }),
      };
    case 'literal':
      return { kind: 'literal', value: expression.value };
    case 'column':
      return {
        kind: 'column',
        ...(expression.qualifier !== undefined && { table: expression.qualifier }),
        name: expression.name,
      };
    case 'default':
      return { kind: 'minted' };
    case 'cast':
      return leafOf(expression.arg, draft);
    case 'call':
      return isMintedCall(expression.name, expression.args.map(literalText)) ? { kind: 'minted' } : undefined;
    default:
      return undefined;
  }
}

function literalText(expression: Expression): string | undefined {
  return expression.type === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;
}
