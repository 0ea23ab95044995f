import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, type Compiler, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import { some } from './code.js';
import { edit, nodesAt, type FixContext } from './context.js';

/** The producer's id in place of the delivery's, where the same message object carries both. */
export function stableId(request: Extract<FixRequest, { kind: 'stable-id' }>, context: FixContext): Suggestion[] {
  const [node] = nodesAt(request.value, context);
  const tags = node ? deliveryTags(node) : [];
  if (tags.length === 0) return [];
  const edits = tags.map((tag) => {
    const source = tag.getSourceFile();
    const message = (tag.expression as Compiler.PropertyAccessExpression).expression;
    return edit(source, message.end, tag.end, '.properties.messageId', context);
  });
  return [{ title: 'Use `properties.messageId`, which the producer gives', edits }];
}

/** `msg.fields.deliveryTag` in the value, or in the constant that it names. */
function deliveryTags(value: Node): Compiler.PropertyAccessExpression[] {
  const found: Compiler.PropertyAccessExpression[] = [];
  const seen = new Set<Node>();
  const look = (root: Node): void => {
    if (seen.has(root)) return;
    seen.add(root);
    some(
      root,
      (n) => {
        if (isDeliveryTag(n)) found.push(n);
        else if (ts.isIdentifier(n) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.name === n)) {
          const d = lookup(n.text, n);
          if (d && ts.isVariableDeclaration(d) && d.initializer && d.parent.flags & ts.NodeFlags.Const && isSmall(d.initializer)) look(d.initializer);
        }
        return false;
      },
      false,
    );
  };
  look(value);
  return found;
}

function isDeliveryTag(n: Node): n is Compiler.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(n) && n.name.text === 'deliveryTag' && ts.isPropertyAccessExpression(n.expression) && n.expression.name.text === 'fields' && !n.expression.questionDotToken;
}

/** A string made from the tag, not a whole computation. */
function isSmall(n: Node): boolean {
  return n.end - n.getStart() < 200 && !some(n, (x) => ts.isAwaitExpression(x) || ts.isFunctionLike(x), false);
}
