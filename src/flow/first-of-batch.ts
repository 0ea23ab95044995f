import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { ts, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';

/** The expression that takes one message out of a batch (`Records[0]`, `Records.pop()`), if nothing else reads the batch. */
export function firstOnly(e: Evaluator, fn: FunctionNode, frame: Frame): Node | undefined {
  let first: Node | undefined;
  let others = false;
  const visit = (n: Node): void => {
    if (isRead(n) && isBatchValue(e, n, frame)) {
      const p = skipAssertions(n);
      const taken = takesOne(p, n);
      if (taken) first ??= taken;
      else if (!(ts.isBindingElement(p) || ts.isVariableDeclaration(p))) others = true;
      return;
    }
    // `const [first] = event.Records` and `const { Records } = event` are left alone.
    if (ts.isBindingElement(n) && n.name.getText() === 'Records') others = true;
    ts.forEachChild(n, visit);
  };
  if (fn.body) visit(fn.body);
  return others ? undefined : first;
}

function isRead(n: Node): n is Expression {
  return ts.isPropertyAccessExpression(n) && n.name.text === 'Records';
}

function isBatchValue(e: Evaluator, n: Expression, frame: Frame): boolean {
  const v = e.evaluate(n, frame);
  return v.kind === 'library' && v.shape.batch === true;
}

function skipAssertions(n: Node): Node {
  let p = n.parent;
  while (ts.isNonNullExpression(p) || ts.isParenthesizedExpression(p)) p = p.parent;
  return p;
}

function takesOne(p: Node, n: Node): Node | undefined {
  if (ts.isElementAccessExpression(p) && p.argumentExpression !== n && ts.isNumericLiteral(p.argumentExpression) && p.argumentExpression.text === '0') return p;
  if (ts.isPropertyAccessExpression(p) && /^(pop|shift)$/.test(p.name.text) && ts.isCallExpression(p.parent)) return p.parent;
  return undefined;
}
