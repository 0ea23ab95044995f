import { ts, decoratorsOf, type Node } from '../syntax/compiler.js';

const DIRECTIVE = /^[\s*]*idempotent-consumers:\s*projection\b/;

/**
 * The code itself says that a handler is rebuilt by replay: by the comment `idempotent-consumers: projection` in front of it or
 * of its registration, or by a decorator `@Projection` on its method or its class.
 */
export function isMarkedProjection(handler: Node, registration: Node): boolean {
  return isCommented(handler) || isCommented(registration) || isDecorated(handler);
}

/** In front of the node, or of what it is written in, up to the statement or the member of a class. */
function isCommented(node: Node): boolean {
  const { text } = node.getSourceFile();
  for (let n: Node = node; n.parent; n = n.parent) {
    const comments = ts.getLeadingCommentRanges(text, n.getFullStart()) ?? [];
    if (comments.some(({ pos, end }) => DIRECTIVE.test(text.slice(pos + 2, end)))) return true;
    if (ts.isStatement(n) || ts.isClassElement(n)) return false;
  }
  return false;
}

function isDecorated(node: Node): boolean {
  const holders = ts.isClassLike(node.parent) ? [node, node.parent] : [node];
  return holders.some((h) => decoratorsOf(h).some(({ expression: e }) => (ts.isCallExpression(e) ? e.expression : e).getText().split('.').at(-1) === 'Projection'));
}
