import type { Evaluator } from '../../origin/evaluate.js';
import { options, type LibraryValue } from '../../origin/value.js';
import { ts, unwrap, type Compiler, type Expression, type FunctionNode, type Node } from '../../syntax/compiler.js';
import { exportsOf } from '../../syntax/exports.js';
import { lookup, type Declaration } from '../../syntax/scope.js';
import { kindOf } from './libraries.js';
import { Obstacle } from './obstacle.js';

/** The part of a statement that says on which connection it runs: `pool` of `pool.query(…)`. */
export interface Base {
  node: Expression;
  kind: 'connection' | 'manager' | 'repository' | 'parameter';
  /** For a parameter of the function that the statement stands in. */
  parameter?: Compiler.ParameterDeclaration;
}

/** The connection of a statement's call. */
export function baseOf(e: Evaluator, call: Node, library: string): Base {
  const chain = leftmost(call, library);
  for (const node of chain) {
    const base = baseAt(e, node, library);
    if (base) return base;
  }
  throw new Obstacle(call, 'which connection it runs on cannot be seen. Send it through a variable that holds the connection.');
}

/** What an expression is as a connection, where it is one. */
export function baseAt(e: Evaluator, node: Expression, library: string): Base | undefined {
  const parameter = ts.isIdentifier(node) ? parameterOf(node) : undefined;
  for (const value of options(e.evaluate(node, e.openFrame(node)))) {
    if (value.kind !== 'library' || value.library.name !== library) continue;
    const kind = kindOf(value);
    if (kind === 'client' && parameter) return { node, kind: 'parameter', parameter };
    if (kind === 'client') throw new Obstacle(node, 'the statement runs on a connection or in a transaction of its own. Let it run on the pool, without BEGIN and COMMIT: the inbox brings the transaction.');
    if (kind !== 'other') return parameter ? { node, kind: 'parameter', parameter } : { node, kind };
  }
  return parameter && isReceiver(node, library) ? { node, kind: 'parameter', parameter } : undefined;
}

/** A parameter of which no type tells: it is the connection if the statement is called on it, not on something inside of it. */
function isReceiver(node: Expression, library: string): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression === node ? library === 'knex' : true;
  return ts.isPropertyAccessExpression(parent) && (library === '@prisma/client' || (ts.isCallExpression(parent.parent) && parent.parent.expression === parent));
}

/** The receivers of a chain of calls, the innermost first. */
function leftmost(call: Node, library: string): Expression[] {
  const found: Expression[] = [];
  let n: Node = call;
  for (;;) {
    const inner: Expression | undefined = ts.isCallExpression(n) ? n.expression : ts.isTaggedTemplateExpression(n) ? n.tag : ts.isPropertyAccessExpression(n) || ts.isElementAccessExpression(n) ? n.expression : undefined;
    if (!inner) break;
    n = unwrap(inner);
    found.unshift(n as Expression);
  }
  // sql`…`.execute(db): the text comes first, the connection is the argument.
  if (library === 'kysely' && ts.isCallExpression(call) && call.arguments[0] && ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'execute' && ts.isTaggedTemplateExpression(call.expression.expression)) return [call.arguments[0]];
  return found;
}

function parameterOf(node: Compiler.Identifier): Compiler.ParameterDeclaration | undefined {
  const d = lookup(node.text, node);
  return d && ts.isParameter(d) ? d : undefined;
}

/** How an expression for a connection is written on the transaction. */
export function onTransaction(base: Pick<Base, 'node' | 'kind'>, tx: string, library: string): { node: Node; text: string } {
  const { node, kind } = base;
  if (kind === 'repository') return { node, text: `${tx}.withRepository(${node.getText()})` };
  const parent = node.parent;
  const isManager = library === 'typeorm' && kind === 'connection' && ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text === 'manager';
  return { node: isManager ? parent : node, text: tx };
}

/** Where the connection is made: `const pool = new Pool()`, or a parameter of a function around the handler. */
export interface Instance {
  /** As the given file writes it. */
  text: string;
  node: Expression;
  /** Undefined where the name is not one of a declaration, as in `db.pool`. */
  declaration: Declaration | undefined;
  /** The name under which a file may import it, and its place; undefined for what is no variable of a module. */
  value: LibraryValue | undefined;
}

/** The connection behind a base: the data source of a repository, the base itself otherwise. */
export function instanceOf(e: Evaluator, base: Base, library: string): Instance {
  const node = base.kind === 'connection' || base.kind === 'parameter' ? base.node : connectionUnder(e, base.node, library);
  const value = options(e.evaluate(node, e.openFrame(node))).find((v): v is LibraryValue => v.kind === 'library');
  return { text: node.getText(), node, declaration: declarationOf(e, node), value };
}

function connectionUnder(e: Evaluator, node: Expression, library: string, depth = 0): Expression {
  if (depth > 5) throw new Obstacle(node, 'the data source behind it cannot be seen. Get the repository from the data source in a variable of the module.');
  const base = baseAt(e, node, library);
  if (base?.kind === 'connection') return node;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return connectionUnder(e, unwrap(node.expression), library, depth + 1);
  const d = declarationOf(e, node);
  if (d && ts.isVariableDeclaration(d) && d.initializer) return connectionUnder(e, unwrap(d.initializer), library, depth + 1);
  throw new Obstacle(node, 'the data source behind it cannot be seen. Get the repository from the data source in a variable of the module.');
}

/** The variable, parameter or import behind a name, imports followed to the file that declares it. */
export function declarationOf(e: Evaluator, node: Expression): Declaration | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const d = lookup(node.text, node);
  if (!d) return undefined;
  const imported = importOf(d);
  if (!imported) return d;
  const target = e.sources.import(imported.specifier, node.getSourceFile());
  if (!('source' in target)) return undefined;
  const exports = exportsOf(target.source);
  const found = imported.name === '' ? (exports.whole ? { kind: 'expression' as const, node: exports.whole } : exports.named.get('default')) : (exports.named.get(imported.name) ?? memberOf(exports.whole, imported.name));
  if (found?.kind === 'expression') return declarationOf(e, found.node);
  return found?.kind === 'declaration' && !importOf(found.node) ? found.node : undefined;
}

/** `module.exports = { pool }`. */
function memberOf(whole: Expression | undefined, name: string): { kind: 'expression'; node: Expression } | undefined {
  const p = whole && ts.isObjectLiteralExpression(whole) ? whole.properties.find((x) => x.name?.getText() === name) : undefined;
  if (p && ts.isShorthandPropertyAssignment(p)) return { kind: 'expression', node: p.name };
  return p && ts.isPropertyAssignment(p) ? { kind: 'expression', node: p.initializer } : undefined;
}

function importOf(d: Declaration): { specifier: string; name: string } | undefined {
  let n: Node = d;
  if (ts.isImportSpecifier(d)) {
    while (!ts.isImportDeclaration(n)) n = n.parent;
    return ts.isStringLiteral(n.moduleSpecifier) ? { specifier: n.moduleSpecifier.text, name: (d.propertyName ?? d.name).text } : undefined;
  }
  if (ts.isImportClause(d) && ts.isStringLiteral(d.parent.moduleSpecifier)) return { specifier: d.parent.moduleSpecifier.text, name: '' };
  const whole = ts.isVariableDeclaration(d) ? required(d.initializer) : undefined;
  if (whole !== undefined) return { specifier: whole, name: '' };
  if (ts.isBindingElement(d) && ts.isVariableDeclaration(d.parent.parent) && ts.isIdentifier(d.name)) {
    const specifier = required(d.parent.parent.initializer);
    return specifier === undefined ? undefined : { specifier, name: d.propertyName && ts.isIdentifier(d.propertyName) ? d.propertyName.text : d.name.text };
  }
  return undefined;
}

/** The specifier of `require('…')`. */
export function required(node: Expression | undefined): string | undefined {
  if (!node || !ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'require') return undefined;
  const [first] = node.arguments;
  return first && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** The function of the program that a node belongs to: callbacks that are written out belong to the one around them. */
export function owner(node: Node, handler: FunctionNode): FunctionNode | undefined {
  for (let n: Node | undefined = node.parent; n; n = n.parent) {
    if (n === handler) return handler;
    if (isDeclared(n)) return n;
  }
  return undefined;
}

function isDeclared(n: Node): n is FunctionNode {
  if (ts.isFunctionDeclaration(n) || ts.isMethodDeclaration(n)) return true;
  return (ts.isArrowFunction(n) || ts.isFunctionExpression(n)) && (ts.isVariableDeclaration(n.parent) || ts.isPropertyAssignment(n.parent) || ts.isPropertyDeclaration(n.parent) || ts.isBinaryExpression(n.parent));
}
