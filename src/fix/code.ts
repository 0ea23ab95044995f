import { ts, isFunctionNode, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';

/** Walks a node without entering the functions in it; `enter` returns false to leave a child out. */
export function walkOwn(root: Node, see: (n: Node) => boolean | undefined): void {
  const visit = (n: Node): void => {
    if (see(n) === false || isFunctionNode(n) || ts.isClassLike(n)) return;
    ts.forEachChild(n, visit);
  };
  if (isFunctionNode(root)) {
    if (root.body) visit(root.body);
  } else visit(root);
}

export function some(root: Node, is: (n: Node) => boolean, own = true): boolean {
  let found = false;
  const visit = (n: Node): void => {
    found ||= is(n);
    if (found || (own && isFunctionNode(n))) return;
    ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

export function isInlineFunction(n: Node | undefined): n is Compiler.ArrowFunction | Compiler.FunctionExpression {
  return n !== undefined && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));
}

/** The last name of a callee: `ack` of `this.channel.ack(msg)`. */
export function methodOf(call: Compiler.CallExpression): string {
  const e = call.expression;
  return ts.isPropertyAccessExpression(e) ? e.name.text : ts.isIdentifier(e) ? e.text : '';
}

export function isLog(n: Node): boolean {
  if (!ts.isCallExpression(n)) return false;
  return /^(console|log|logger|winston|pino|Sentry|debug)\b|\b(logger|log)\.\w+$|\.(log|captureException|captureMessage)$|^(job|this)\.log\b/i.test(n.expression.getText());
}

export function hasCall(n: Node): boolean {
  return some(n, (x) => (ts.isCallExpression(x) || ts.isNewExpression(x) || ts.isTaggedTemplateExpression(x) || ts.isAwaitExpression(x)) && !isLog(x) && !isInsideLog(x, n));
}

function isInsideLog(n: Node, within: Node): boolean {
  for (let p = n.parent; p && p !== within.parent; p = p.parent) if (isLog(p)) return true;
  return ts.isAwaitExpression(n) && isLog(n.expression);
}

export function isRefusal(n: Node): boolean {
  return ts.isCallExpression(n) && /^(nack|nackAll|nak|reject|moveToFailed|retry|term|fail|next|sendToDeadLetter|deadLetter)$/.test(methodOf(n));
}

/** What becomes of a failure that a catch clause has caught. */
export function outcomeOf(block: Compiler.Block): 'throws' | 'refuses' | 'drops' | 'unknown' {
  if (alwaysThrows(block)) return 'throws';
  if (some(block, isRefusal, false)) return 'refuses';
  return block.statements.every((s) => isHarmless(s)) ? 'drops' : 'unknown';
}

export function alwaysThrows(n: Node | undefined): boolean {
  if (!n) return false;
  if (ts.isBlock(n)) return n.statements.some((s) => alwaysThrows(s));
  if (ts.isIfStatement(n)) return alwaysThrows(n.thenStatement) && alwaysThrows(n.elseStatement);
  return ts.isThrowStatement(n);
}

/** Is what follows this statement never reached? */
export function neverEnds(n: Node | undefined): boolean {
  if (!n) return false;
  if (ts.isBlock(n)) return n.statements.some((s) => neverEnds(s));
  if (ts.isIfStatement(n)) return neverEnds(n.thenStatement) && neverEnds(n.elseStatement);
  return ts.isThrowStatement(n) || isExit(n);
}

function isHarmless(s: Node): boolean {
  return !hasCall(s) && !some(s, (n) => ts.isThrowStatement(n) || (ts.isReturnStatement(n) && n.expression !== undefined));
}

/** Names that a statement takes from outside of `scope` keep their meaning when it is read at `at` instead. */
export function meansTheSame(statement: Node, at: Node): boolean {
  return !some(
    statement,
    (n) => ts.isIdentifier(n) && isReading(n) && lookup(n.text, n) !== lookup(n.text, at) && !isDeclaredIn(n, statement),
    false,
  );
}

function isDeclaredIn(n: Compiler.Identifier, root: Node): boolean {
  const d = lookup(n.text, n);
  return d !== undefined && d.pos >= root.pos && d.end <= root.end;
}

export function isReading(n: Compiler.Identifier): boolean {
  const p = n.parent;
  if (ts.isPropertyAccessExpression(p)) return p.expression === n;
  if (ts.isPropertyAssignment(p)) return p.initializer === n;
  if (ts.isBindingElement(p)) return p.initializer === n;
  if (ts.isMethodDeclaration(p) || ts.isTypeReferenceNode(p) || ts.isQualifiedName(p)) return false;
  return true;
}

/** Is a name that a statement reads assigned somewhere in these statements? */
export function assignsWhatItReads(statement: Node, between: readonly Node[]): boolean {
  const names = new Set<string>();
  some(statement, (n) => {
    if (ts.isIdentifier(n) && isReading(n)) names.add(n.text);
    return false;
  }, false);
  return between.some((s) =>
    some(s, (n) => {
      if (ts.isBinaryExpression(n) && n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment) return ts.isIdentifier(n.left) && names.has(n.left.text);
      if (ts.isPrefixUnaryExpression(n) || ts.isPostfixUnaryExpression(n)) return ts.isIdentifier(n.operand) && names.has(n.operand.text) && n.operator !== ts.SyntaxKind.ExclamationToken && n.operator !== ts.SyntaxKind.MinusToken;
      return false;
    }, false),
  );
}

/** The statement that is nothing but this call, awaited or not. */
export function statementOf(call: Node): Compiler.ExpressionStatement | undefined {
  let n = call;
  while (ts.isAwaitExpression(n.parent) || ts.isVoidExpression(n.parent) || ts.isParenthesizedExpression(n.parent)) n = n.parent;
  return ts.isExpressionStatement(n.parent) ? n.parent : undefined;
}

/** The statement that awaits this call: on its own, or for a variable. */
export function waitingStatement(call: Node): Compiler.Statement | undefined {
  if (!ts.isAwaitExpression(call.parent)) return undefined;
  let n: Node = call.parent;
  while (ts.isParenthesizedExpression(n.parent)) n = n.parent;
  if (ts.isExpressionStatement(n.parent)) return n.parent;
  if (ts.isVariableDeclaration(n.parent) && ts.isVariableStatement(n.parent.parent.parent)) return n.parent.parent.parent;
  if (ts.isBinaryExpression(n.parent) && n.parent.right === n && ts.isExpressionStatement(n.parent.parent)) return n.parent.parent;
  return undefined;
}

export type List = Compiler.Block | Compiler.SourceFile | Compiler.CaseClause | Compiler.DefaultClause;

export function isList(n: Node): n is List {
  return ts.isBlock(n) || ts.isSourceFile(n) || ts.isCaseOrDefaultClause(n);
}

/** Statements that leave these ones early, other than by an error; undefined where labels make that hard to say. */
export function exitsOf(statements: readonly Node[]): Exit[] | undefined {
  const found: Exit[] = [];
  let labels = false;
  const visit = (n: Node, loop: boolean, breakable: boolean): void => {
    if (isFunctionNode(n) || ts.isClassLike(n)) return;
    if (ts.isReturnStatement(n)) found.push(n);
    else if (ts.isBreakOrContinueStatement(n)) {
      if (n.label) labels = true;
      else if (ts.isBreakStatement(n) ? !breakable : !loop) found.push(n);
    } else {
      const isLoop = ts.isIterationStatement(n, false);
      ts.forEachChild(n, (c) => {
        visit(c, loop || isLoop, breakable || isLoop || ts.isSwitchStatement(n));
      });
    }
  };
  for (const s of statements) visit(s, false, false);
  return labels ? undefined : found;
}

export type Exit = Compiler.ReturnStatement | Compiler.BreakOrContinueStatement;

export function isExit(n: Node | undefined): n is Exit {
  return n !== undefined && (ts.isReturnStatement(n) || ts.isBreakOrContinueStatement(n));
}

/** `try` statements whose block holds the node, innermost first, up to the function. */
export function triesAround(node: Node, fn: Node): Compiler.TryStatement[] {
  const found: Compiler.TryStatement[] = [];
  for (let n = node; n.parent && n !== fn; n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.tryBlock === n) found.push(n.parent);
  return found;
}

export function isTypeScript(node: Node): boolean {
  return /\.[cm]?tsx?$/.test(node.getSourceFile().fileName);
}

export function needsParentheses(e: Expression): boolean {
  return !(ts.isCallExpression(e) || ts.isNewExpression(e) || ts.isIdentifier(e) || ts.isPropertyAccessExpression(e) || ts.isElementAccessExpression(e) || ts.isParenthesizedExpression(e) || ts.isTaggedTemplateExpression(e) || ts.isNonNullExpression(e));
}
