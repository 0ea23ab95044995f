import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options } from '../origin/value.js';
import { ts, enclosingFunction, isFunctionNode, type CallLike, type Compiler, type Node, type SourceFile } from '../syntax/compiler.js';

/**
 * `if (topic === ORDERS) orders.receive(message); if (topic === REFUNDS) refunds.receive(message)`: a table of handlers that
 * is written out as conditions. One method, of a module for each kind of message.
 */
export function isPickedByHand(e: Evaluator, node: CallLike, frame: Frame): boolean {
  const callee = node.kind === ts.SyntaxKind.CallExpression ? (node as Compiler.CallExpression).expression : undefined;
  const fn = enclosingFunction(node);
  if (!callee || !ts.isPropertyAccessExpression(callee) || !fn?.body) return false;
  const method = callee.name.text;
  const branches = new Set<Node>();
  const files = new Set<SourceFile>([node.getSourceFile()]);
  let all = true;
  const visit = (n: Node): void => {
    if (isFunctionNode(n)) return;
    if (ts.isCallExpression(n) && ts.isPropertyAccessExpression(n.expression) && n.expression.name.text === method) {
      const branch = branchOf(n);
      const file = fileOf(e, n.expression, frame);
      if (!branch || branches.has(branch) || !file || files.has(file)) all = false;
      else {
        branches.add(branch);
        files.add(file);
      }
    }
    ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn.body, visit);
  return all && branches.size > 1;
}

/** The file of the one function that is called. */
function fileOf(e: Evaluator, callee: Compiler.Expression, frame: Frame): SourceFile | undefined {
  const [only, ...more] = options(e.evaluate(callee, frame));
  return only?.kind === 'function' && more.length === 0 ? only.node.getSourceFile() : undefined;
}

/** The branch around a call that is taken where something equals something. */
function branchOf(call: Node): Node | undefined {
  for (let n = call; n.parent && !isFunctionNode(n); n = n.parent) {
    const { parent } = n;
    if (ts.isCaseClause(parent) && n !== parent.expression) return parent;
    if (ts.isIfStatement(parent) && n === parent.thenStatement && comparesEqual(parent.expression)) return n;
  }
  return undefined;
}

function comparesEqual(n: Node): boolean {
  if (ts.isBinaryExpression(n) && (n.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken || n.operatorToken.kind === ts.SyntaxKind.EqualsEqualsToken)) return true;
  return ts.forEachChild(n, (c) => comparesEqual(c) || undefined) ?? false;
}
