import { isFunctionNode, ts, type Compiler, type Node } from '../syntax/compiler.js';

/**
 * The function waits for all that a queue runs, though for none of it alone: `queue.push(x); … await queue.drained()`.
 * `call` makes the queue, or is a method of it.
 */
export function isDrained(call: Node, drains: readonly string[]): boolean {
  const queue = queueOf(call);
  if (queue === undefined) return false;
  // A function beside this one that drains the queue does so at another time (on shutdown).
  const isOpen = (n: Node): boolean => !isFunctionNode(n) || (n.pos <= call.pos && call.end <= n.end);
  let found = false;
  const visit = (n: Node): void => {
    if (found || !isOpen(n)) return;
    const waited = ts.isAwaitExpression(n) || ts.isReturnStatement(n) ? n.expression : undefined;
    if (waited && ts.isCallExpression(waited) && isMethodOf(waited.expression, queue, drains)) found = true;
    else ts.forEachChild(n, visit);
  };
  const home = outermostFunction(call);
  if (home) visit(home);
  return found;
}

/** How the code names the queue. */
function queueOf(call: Node): string | undefined {
  const { parent } = call;
  if (parent && ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (parent && ts.isBinaryExpression(parent) && parent.right === call) return parent.left.getText();
  if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression)) return call.expression.expression.getText();
  return undefined;
}

function isMethodOf(callee: Compiler.Expression, queue: string, methods: readonly string[]): boolean {
  return ts.isPropertyAccessExpression(callee) && methods.includes(callee.name.text) && callee.expression.getText() === queue;
}

function outermostFunction(n: Node): Node | undefined {
  let found: Node | undefined;
  for (let p: Node | undefined = n; p; p = p.parent) if (isFunctionNode(p)) found = p;
  return found;
}
