import type { Evaluator } from '../origin/evaluate.js';
import { options, propertiesOf, type Value } from '../origin/value.js';
import { exportsOf } from '../syntax/exports.js';
import { lookup } from '../syntax/scope.js';
import { ts, isFunctionNode, nameOf, unwrap, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';

/** Code as the data that it writes out; what is no literal is kept as its text. */
export type Plain = string | number | boolean | null | undefined | Code | readonly Plain[] | Fields;
export interface Fields {
  readonly [name: string]: Plain;
}
/** An expression that is no literal. */
export class Code {
  constructor(
    readonly text: string,
    readonly node?: Expression,
  ) {}
}

export function plain(e: Evaluator, node: Expression | undefined): Plain {
  return node ? plainValue(e, e.evaluate(node, e.openFrame(node)), node) : undefined;
}

function plainValue(e: Evaluator, value: Value, node: Expression, depth = 0): Plain {
  if (depth > 6) return new Code(node.getText(), node);
  switch (value.kind) {
    case 'constant':
      return typeof value.value === 'bigint' ? Number(value.value) : value.value;
    case 'object':
      return fieldsOf(e, value, depth);
    case 'list': {
      const written = unwrap(node);
      const nodes = ts.isArrayLiteralExpression(written) ? written.elements : [];
      return value.elements.map((v, i) => plainValue(e, v, nodes[i] ?? node, depth + 1));
    }
    case 'collection':
      return value.of === 'object' ? {} : value.of === 'list' ? [] : new Code(node.getText(), node);
    case 'union': {
      const [first] = options(value).filter((v) => v.kind === 'object');
      return first ? plainValue(e, first, node, depth + 1) : new Code(node.getText(), node);
    }
    default:
      return new Code(node.getText(), node);
  }
}

function fieldsOf(e: Evaluator, object: Extract<Value, { kind: 'object' }>, depth: number): Fields {
  const found: Record<string, Plain> = {};
  for (const p of propertiesOf(object)) {
    if (ts.isSpreadAssignment(p)) {
      const spread = plainValue(e, e.evaluate(p.expression, object.frame), p.expression, depth + 1);
      if (isFields(spread)) Object.assign(found, spread);
      continue;
    }
    const name = e.propertyName(p.name, object.frame);
    if (name === undefined) continue;
    if (ts.isPropertyAssignment(p)) found[name] = plainValue(e, e.evaluate(p.initializer, object.frame), p.initializer, depth + 1);
    else if (ts.isShorthandPropertyAssignment(p)) found[name] = plainValue(e, e.objectMember(object, name), p.name, depth + 1);
    else found[name] = new Code(p.getText());
  }
  return found;
}

export function isFields(value: Plain): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Code);
}

export function fields(value: Plain): Fields {
  return isFields(value) ? value : {};
}

export function list(value: Plain): readonly Plain[] {
  return Array.isArray(value) ? (value as readonly Plain[]) : [];
}

export function text(value: Plain): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `'a'` or `['a', { name: 'b' }]`: columns as libraries take them. */
export function names(value: Plain): string[] {
  if (typeof value === 'string') return [value];
  return list(value).flatMap((v) => text(v) ?? text(fields(v).name) ?? text(fields(v).attribute) ?? []);
}

/** `serial('id').primaryKey()` as its calls, first one first. */
export interface Step {
  name: string;
  args: readonly Expression[];
}

export function stepsOf(expression: Expression): Step[] {
  const found: Step[] = [];
  let n = unwrap(expression);
  while (ts.isCallExpression(n) || ts.isPropertyAccessExpression(n)) {
    if (ts.isPropertyAccessExpression(n)) {
      n = unwrap(n.expression);
      continue;
    }
    const callee = unwrap(n.expression);
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
    found.unshift({ name, args: n.arguments });
    n = callee;
  }
  return found;
}

/** The expression that a name stands for, through imports; the expression itself where it is no name. */
export function written(e: Evaluator, expression: Expression, depth = 0): Expression {
  const node = unwrap(expression);
  if (!ts.isIdentifier(node) || depth > 4) return node;
  const d = lookup(node.text, node);
  if (!d) return node;
  if (ts.isVariableDeclaration(d)) return d.initializer ? written(e, d.initializer, depth + 1) : node;
  if (!ts.isImportSpecifier(d) && !ts.isImportClause(d)) return node;
  let statement: Node = d;
  while (!ts.isImportDeclaration(statement)) statement = statement.parent;
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return node;
  const target = e.sources.import(statement.moduleSpecifier.text, d.getSourceFile());
  if ('library' in target) return node;
  const exported = exportsOf(target.source).named.get(ts.isImportClause(d) ? 'default' : (d.propertyName ?? d.name).text);
  if (exported?.kind === 'expression') return written(e, exported.node, depth + 1);
  if (exported?.kind === 'declaration' && ts.isVariableDeclaration(exported.node) && exported.node.initializer) return written(e, exported.node.initializer, depth + 1);
  return node;
}

/** The function that an argument gives. */
export function functionOf(e: Evaluator, node: Expression | undefined): FunctionNode | undefined {
  const value = node && e.evaluate(node, e.openFrame(node));
  return value?.kind === 'function' ? value.node : undefined;
}

/** All calls in a node, functions in it included, in their order. */
export function callsIn(root: Node): Compiler.CallExpression[] {
  const found: Compiler.CallExpression[] = [];
  const visit = (n: Node): void => {
    ts.forEachChild(n, visit);
    if (ts.isCallExpression(n)) found.push(n);
  };
  visit(root);
  return found;
}

/** The part of a migration that takes it back. */
export function isDown(node: Node): boolean {
  for (let n: Node | undefined = node.parent; n; n = n.parent) {
    if (isFunctionNode(n) && /(^|\.)(down|rollback|revert)$/.test(nameOf(n))) return true;
  }
  return false;
}

export function lastNameOf(call: Compiler.CallExpression | Compiler.NewExpression): string {
  const callee = unwrap(call.expression);
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
}
