import { createRequire } from 'node:module';
import type { ts as Compiler } from 'ts-morph';

/**
 * The compiler inside ts-morph. Undefined until {@link loadCompiler} has run: loading it costs about half a second,
 * and most linted files never need it.
 */
export let ts: typeof Compiler;

export type { Compiler };
export type Node = Compiler.Node;
export type SourceFile = Compiler.SourceFile;
export type Expression = Compiler.Expression;
export type CallLike = Compiler.CallExpression | Compiler.NewExpression | Compiler.TaggedTemplateExpression;
export type FunctionNode =
  | Compiler.FunctionDeclaration
  | Compiler.FunctionExpression
  | Compiler.ArrowFunction
  | Compiler.MethodDeclaration
  | Compiler.ConstructorDeclaration
  | Compiler.GetAccessorDeclaration
  | Compiler.SetAccessorDeclaration;
export type ClassNode = Compiler.ClassDeclaration | Compiler.ClassExpression;

export function loadCompiler(): void {
  // `require`, since rules are synchronous and the compiler must be loaded late.
  // A copy, since each export of the bundle is a getter, and the engine asks for them millions of times.
  ts ??= { ...(createRequire(import.meta.url)('ts-morph') as { ts: typeof Compiler }).ts };
}

export function isFunctionNode(node: Node | undefined): node is FunctionNode {
  if (!node) return false;
  switch (node.kind) {
    case ts.SyntaxKind.FunctionDeclaration:
    case ts.SyntaxKind.FunctionExpression:
    case ts.SyntaxKind.ArrowFunction:
    case ts.SyntaxKind.MethodDeclaration:
    case ts.SyntaxKind.Constructor:
    case ts.SyntaxKind.GetAccessor:
    case ts.SyntaxKind.SetAccessor:
      return true;
    default:
      return false;
  }
}

/** The function whose body holds this node, the node itself excluded. */
export function enclosingFunction(node: Node): FunctionNode | undefined {
  for (let n: Node | undefined = node.parent; n; n = n.parent) if (isFunctionNode(n)) return n;
  return undefined;
}

export function enclosingClass(node: Node): ClassNode | undefined {
  for (let n: Node | undefined = node.parent; n; n = n.parent) if (ts.isClassLike(n)) return n;
  return undefined;
}

/** Parentheses, casts, `satisfies` and `!` say nothing about the value. */
export function unwrap(node: Expression): Expression {
  let n: Expression = node;
  while (
    ts.isParenthesizedExpression(n) ||
    ts.isAsExpression(n) ||
    ts.isSatisfiesExpression(n) ||
    ts.isNonNullExpression(n) ||
    ts.isTypeAssertionExpression(n) ||
    ts.isPartiallyEmittedExpression(n)
  ) {
    n = n.expression;
  }
  return n;
}

export function isAsync(node: FunctionNode): boolean {
  return node.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

export function isGenerator(node: FunctionNode): boolean {
  return 'asteriskToken' in node && node.asteriskToken !== undefined;
}

export function decoratorsOf(node: Node): readonly Compiler.Decorator[] {
  return ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
}

export function isExported(node: Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword || m.kind === ts.SyntaxKind.DefaultKeyword) ?? false)
  );
}

/** The names that a pattern binds: `{ a, b: [c] }` binds `a` and `c`. */
export function boundNames(name: Compiler.BindingName): Compiler.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((e) => (ts.isBindingElement(e) ? boundNames(e.name) : []));
}

/** The name a person would use for a function: its own, or that of the variable, property or method that holds it. */
export function nameOf(node: FunctionNode): string {
  if ('name' in node && node.name) return node.name.getText();
  let n: Node = node.parent;
  while (ts.isCallExpression(n) || ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isSatisfiesExpression(n)) n = n.parent;
  if (ts.isVariableDeclaration(n) || ts.isPropertyAssignment(n) || ts.isPropertyDeclaration(n)) return n.name.getText();
  if (ts.isBinaryExpression(n)) return n.left.getText();
  return '(anonymous)';
}

/** The function that `handle.call(this, message)` calls. */
export function appliedFunction(node: CallLike): Expression | undefined {
  return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'call' ? node.expression.expression : undefined;
}
