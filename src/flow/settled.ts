import { ts, boundNames, isFunctionNode, type Compiler, type Node } from '../syntax/compiler.js';

const LOGS = /^(console|log|logger|this\.(logger|log)|winston|pino|Sentry|debug)\b|\b(logger|log)\.\w+$/i;

/**
 * Does anybody act on the results of `Promise.allSettled`? Writing them to a log is no action: the message is
 * acknowledged all the same.
 */
export function isLookedAt(call: Compiler.CallExpression): boolean {
  let n: Node = call;
  while (ts.isAwaitExpression(n.parent) || ts.isParenthesizedExpression(n.parent)) n = n.parent;
  const { parent } = n;
  if (ts.isExpressionStatement(parent)) return false;
  if (!ts.isVariableDeclaration(parent)) return !isChainedIntoLog(n);
  const home = enclosingBody(parent);
  if (!home) return true;
  const names = new Set(boundNames(parent.name).map((n) => n.text));
  // Variables made from the results count as the results.
  for (let grew = true; grew; ) {
    grew = false;
    visit(home, (x) => {
      if (!ts.isVariableDeclaration(x) || !x.initializer || !mentions(x.initializer, names)) return;
      for (const name of boundNames(x.name).map((n) => n.text)) {
        if (!names.has(name)) {
          names.add(name);
          grew = true;
        }
      }
    });
  }
  let acted = false;
  visit(home, (x) => {
    if (acted || x.pos < call.pos) return;
    if ((ts.isReturnStatement(x) || ts.isThrowStatement(x)) && x.expression && mentions(x.expression, names)) acted = true;
    else if (ts.isIfStatement(x) && mentions(x.expression, names) && (acts(x.thenStatement) || (x.elseStatement !== undefined && acts(x.elseStatement)))) acted = true;
    else if ((ts.isForOfStatement(x) || ts.isForStatement(x)) && mentions(ts.isForOfStatement(x) ? x.expression : x, names) && acts(x.statement)) acted = true;
    else if (ts.isExpressionStatement(x) && mentions(x.expression, names) && (acts(x) || isAssignment(x.expression))) acted = true;
  });
  return acted;
}

function isAssignment(n: Node): boolean {
  return ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

function isChainedIntoLog(n: Node): boolean {
  return ts.isVoidExpression(n.parent);
}

/** Does more than write a log. */
function acts(statement: Node): boolean {
  let found = false;
  visit(statement, (x) => {
    if (found) return;
    if (ts.isThrowStatement(x) || (ts.isReturnStatement(x) && x.expression !== undefined)) found = true;
    else if (ts.isCallExpression(x) && !LOGS.test(x.expression.getText()) && !/\.(map|filter|forEach|join|flatMap|push|reduce|some|find|toString|slice|get|set)$/.test(x.expression.getText()) && !/^(String|JSON\.stringify|Number)$/.test(x.expression.getText()) && !insideLog(x)) found = true;
  });
  return found;
}

function insideLog(n: Node): boolean {
  for (let p = n.parent; p && !ts.isStatement(p); p = p.parent) if (ts.isCallExpression(p) && LOGS.test(p.expression.getText())) return true;
  return false;
}

function mentions(n: Node, names: ReadonlySet<string>): boolean {
  let found = false;
  const look = (x: Node): void => {
    if (found) return;
    if (ts.isIdentifier(x) && names.has(x.text) && !(ts.isPropertyAccessExpression(x.parent) && x.parent.name === x)) found = true;
    else ts.forEachChild(x, look);
  };
  look(n);
  return found;
}

function enclosingBody(n: Node): Node | undefined {
  for (let p = n.parent; p; p = p.parent) if (isFunctionNode(p)) return p.body;
  return undefined;
}

function visit(n: Node, f: (x: Node) => void): void {
  f(n);
  ts.forEachChild(n, (c) => {
    visit(c, f);
  });
}
