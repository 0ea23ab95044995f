import { ts, enclosingFunction, unwrap, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';

/**
 * `const poll = async () => { for (;;) … }; return poll();`: a function that only the function around it runs, as the
 * last thing that it does. The one around it has the name, and the connections, that a reader takes for the handler.
 */
export function runAtTheEndOf(fn: FunctionNode): Compiler.CallExpression | undefined {
  const name = localName(fn);
  const outer = name && enclosingFunction(fn);
  if (!name || !outer?.body || !ts.isBlock(outer.body)) return undefined;
  const last = outer.body.statements.at(-1);
  if (!last || !(ts.isReturnStatement(last) || ts.isExpressionStatement(last)) || !last.expression) return undefined;
  const call = awaited(last.expression);
  if (!call || (ts.isExpressionStatement(last) && !ts.isAwaitExpression(unwrap(last.expression)))) return undefined;
  return mentions(outer, name).every((m) => m === call.expression) && call.expression.getText() === name.text ? call : undefined;
}

/** The name of a function that is declared inside of another one. */
function localName(fn: FunctionNode): Compiler.Identifier | undefined {
  if (ts.isFunctionDeclaration(fn)) return fn.name && ts.isBlock(fn.parent) ? fn.name : undefined;
  const { parent } = fn;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) && enclosingFunction(parent) ? parent.name : undefined;
}

function awaited(expression: Expression): Compiler.CallExpression | undefined {
  let n = unwrap(expression);
  while (ts.isAwaitExpression(n)) n = unwrap(n.expression);
  return ts.isCallExpression(n) ? n : undefined;
}

/** Where a name is used, other than where it is declared. */
function mentions(scope: Node, name: Compiler.Identifier): Node[] {
  const declared = lookup(name.text, name);
  const found: Node[] = [];
  const visit = (n: Node): void => {
    if (ts.isIdentifier(n) && n !== name && n.text === name.text && lookup(n.text, n) === declared) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(scope);
  return found;
}
