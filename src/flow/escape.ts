import type { Evaluator } from '../origin/evaluate.js';
import { options, propertiesOf, type Func, type Thunk, type Value } from '../origin/value.js';
import { ts, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';

/**
 * Is the value the message itself, or something that can settle it: a `done` callback, an object or a closure that holds
 * one of them? Whoever gets it may settle the message.
 */
export function canSettle(e: Evaluator, value: Value, depth = 0): boolean {
  if (depth > 4) return false;
  const some = (thunks: readonly Thunk[] | undefined): boolean => thunks?.some((t) => canSettle(e, t(), depth + 1)) === true;
  return options(value).some((v) => {
    switch (v.kind) {
      case 'library':
        if (v.shape.call?.settles || v.shape.batch) return true;
        // The payload alone settles nothing.
        if (v.shape.stability) return false;
        return v.shape.message === true || (v.path.length === 0 && v.call === undefined && v.root.startsWith('message:'));
      case 'object':
        return propertiesOf(v).some((p) => p.name !== undefined && canSettle(e, e.objectMember(v, p.name.getText().replace(/['"]/g, '')), depth + 1));
      case 'list':
        return v.elements.some((x) => canSettle(e, x, depth + 1));
      case 'instance':
        return some(v.args);
      case 'function':
        return closesOver(e, v, depth) || some(v.bound);
      default:
        return false;
    }
  });
}

/** A closure that was made for this message, and names it. */
function closesOver(e: Evaluator, { node, frame }: Func, depth: number): boolean {
  if (!frame.fn) return false;
  let found = false;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isIdentifier(n) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.name === n)) {
      const d = lookup(n.text, n);
      found = d !== undefined && (d.pos < node.pos || d.end > node.end) && canSettle(e, e.evaluate(n, frame), depth + 2);
    }
    ts.forEachChild(n, visit);
  };
  if (node.body) visit(node.body);
  return found;
}

/** Two settlements with the same identity are of the same message. */
export function identityOf(value: Value | undefined): string | undefined {
  if (!value) return undefined;
  const names = new Set(options(value).map((v) => (v.kind === 'library' && (v.shape.message || v.stability || v.shape.call?.settles) ? `${v.root}:${v.root.startsWith('message:') ? '' : (v.call ?? '')}:${v.path.join('.')}` : undefined)));
  const [only] = names;
  return names.size === 1 ? only : undefined;
}
