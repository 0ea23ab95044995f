import type { ProgramIndex } from '../../discovery/program-index.js';
import type { BuiltHandler } from '../../flow/handler.js';
import type { EffectNode } from '../../flow/query.js';
import type { Evaluator } from '../../origin/evaluate.js';
import { ts, type Compiler, type FunctionNode, type Node } from '../../syntax/compiler.js';
import { isTypeScript } from '../code.js';
import { nodesAt, type FixContext } from '../context.js';
import { baseAt, baseOf, instanceOf, onTransaction, owner, type Base, type Instance } from './connection.js';
import type { Changes } from './changes.js';
import { LIBRARIES, type Sql } from './libraries.js';
import { Obstacle } from './obstacle.js';
import { checkCatches } from './region.js';
import { freeName } from './style.js';

const PASSED_ON = 'the function is passed on as a value, and who calls it with what cannot be seen. Pass `(value) => …` that calls it.';

interface Statement {
  call: Node;
  base: Base;
}

interface Call {
  node: Compiler.CallExpression;
  target: FunctionNode;
}

/** How a function gets its connection: by a parameter that it has, or by a new one. */
type Way = { kind: 'has'; parameter: Compiler.ParameterDeclaration; index: number; name: string } | { kind: 'new'; index: number; name: string };

/** The functions of the program between a handler and its statements, and how the transaction gets from one to the other. */
export class Threading {
  readonly library: string;
  readonly sql: Sql;
  private readonly statements = new Map<FunctionNode, Statement[]>();
  private readonly calls = new Map<FunctionNode, Call[]>();
  private readonly ways = new Map<FunctionNode, Way>();
  private readonly e: Evaluator;
  private readonly handler: FunctionNode;

  constructor(
    private readonly h: BuiltHandler,
    private readonly index: ProgramIndex,
    context: FixContext,
    effects: readonly EffectNode[],
  ) {
    this.e = index.e;
    this.handler = h.fn.node;
    this.library = effects[0]?.event.effect.library ?? '';
    this.sql = LIBRARIES[this.library] as Sql;
    for (const { event } of effects) {
      const call = nodesAt(event.effect.place, context).find((n) => ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n));
      const fn = call && owner(call, this.handler);
      if (!call || !fn) throw new Obstacle(call ?? this.handler, 'it stands in no function that the handler calls. Move it into one.');
      this.push(this.statements, fn, { call, base: baseOf(this.e, call, this.library) });
    }
    const reached = [...this.statements.keys()].filter((f) => f !== this.handler);
    for (let fn = reached.pop(); fn; fn = reached.pop()) reached.push(...this.callers(fn));
  }

  private push<T>(into: Map<FunctionNode, T[]>, fn: FunctionNode, what: T): void {
    const list = into.get(fn);
    if (list) list.push(what);
    else into.set(fn, [what]);
  }

  /** Notes the calls of a function that the handler runs through; gives the functions that are new. */
  private callers(fn: FunctionNode): FunctionNode[] {
    const found: FunctionNode[] = [];
    let reached = false;
    for (const { node } of this.index.callSites(fn)) {
      const by = owner(node, this.handler);
      if (!by || !ts.isCallExpression(node) || (by !== this.handler && !this.h.entered.has(by))) continue;
      reached = true;
      if (by !== this.handler && !this.statements.has(by) && !this.calls.has(by)) found.push(by);
      this.push(this.calls, by, { node, target: fn });
    }
    const [given] = reached ? [] : this.index.references(fn);
    if (given) throw new Obstacle(given, PASSED_ON);
    if (!reached) throw new Obstacle(fn, 'how the handler gets to this function cannot be followed: it is looked up, or passed on as a value. Call it by its name.');
    return found;
  }

  /** The nodes of the handler's own that work on the database, or lead there. */
  work(): Node[] {
    return [...(this.statements.get(this.handler) ?? []).map((s) => s.call), ...(this.calls.get(this.handler) ?? []).map((c) => c.node)];
  }

  /** The functions besides the handler that are part of it. */
  helpers(): FunctionNode[] {
    return [...new Set([...this.statements.keys(), ...this.calls.keys()])].filter((f) => f !== this.handler);
  }

  /** A connection as the handler, or the first of its helpers, names it. */
  instance(): Instance {
    for (const fn of [this.handler, ...this.helpers()]) {
      const found = this.instanceIn(fn);
      if (found) return found;
    }
    throw new Obstacle(this.handler, 'where its connection is made cannot be seen. Make it in a variable of a module.');
  }

  private instanceIn(fn: FunctionNode): Instance | undefined {
    for (const { base } of this.statements.get(fn) ?? []) if (!base.parameter || base.parameter.parent !== fn) return instanceOf(this.e, base, this.library);
    for (const { node, target } of this.calls.get(fn) ?? []) {
      const way = this.wayOf(target);
      const argument = node.arguments[way.index];
      if (way.kind === 'new' || !argument) continue;
      const base = baseAt(this.e, argument, this.library);
      if (base && base.parameter?.parent !== fn) return instanceOf(this.e, base, this.library);
    }
    return undefined;
  }

  private wayOf(fn: FunctionNode): Way {
    const known = this.ways.get(fn);
    if (known) return known;
    const index = fn.parameters.length;
    // Guards against functions that call themselves.
    this.ways.set(fn, { kind: 'new', index, name: this.sql.tx });
    const given = [...(this.statements.get(fn) ?? []).map((s) => s.base), ...(this.calls.get(fn) ?? []).flatMap((c) => this.argumentOf(c) ?? [])];
    const own = new Set(given.flatMap((b) => (b.parameter?.parent === fn ? [b.parameter] : [])));
    const [parameter] = own;
    const [other] = given.filter((b) => b.parameter?.parent !== fn);
    if (own.size > 1 || (parameter && other)) throw new Obstacle((other ?? (given[0] as Base)).node, 'the function works on several connections. Let it take one, and use that throughout.');
    if (fn === this.handler && parameter) throw new Obstacle(parameter, 'the handler is given its connection by its caller. Take it from a variable of the module, or open the transaction in the caller.');
    const way: Way = parameter
      ? { kind: 'has', parameter, index: fn.parameters.indexOf(parameter), name: parameter.name.getText() }
      : { kind: 'new', index, name: freeName(this.sql.tx, fn) };
    this.ways.set(fn, way);
    return way;
  }

  /** What a call gives for a connection that its target takes already. */
  private argumentOf({ node, target }: Call): Base | undefined {
    const way = this.wayOf(target);
    const argument = way.kind === 'has' ? node.arguments[way.index] : undefined;
    if (!argument) return undefined;
    const base = baseAt(this.e, argument, this.library);
    if (!base) throw new Obstacle(argument, 'which connection it is cannot be seen. Pass the variable that holds the connection.');
    return base;
  }

  /** The functions that the transaction is handed on to; `tx` is its name in the handler. */
  apply(changes: Changes, tx: string, instance: Instance): void {
    this.wayOf(this.handler);
    for (const fn of this.helpers()) {
      const way = this.wayOf(fn);
      if (way.kind === 'new') this.addParameter(fn, way, instance, changes);
      for (const { call } of this.statements.get(fn) ?? []) checkCatches(call, fn);
      for (const { node } of this.calls.get(fn) ?? []) checkCatches(node, fn);
      this.rewrite(fn, way.name, way.kind === 'new', changes);
    }
    this.rewrite(this.handler, tx, true, changes);
  }

  private rewrite(fn: FunctionNode, tx: string, replaces: boolean, changes: Changes): void {
    const put = (base: Base): void => {
      if (base.parameter && base.parameter.parent === fn && base.kind === 'parameter') return;
      const { node, text } = onTransaction(base.kind === 'parameter' ? { ...base, kind: 'connection' } : base, tx, this.library);
      changes.replace(node.getSourceFile(), node.getStart(), node.end, text);
    };
    if (replaces) for (const { base } of this.statements.get(fn) ?? []) put(base);
    for (const call of this.calls.get(fn) ?? []) {
      const base = this.argumentOf(call);
      if (base) put(base);
      else this.append(call, this.wayOf(call.target).index, tx, changes);
    }
  }

  private append({ node }: Call, index: number, tx: string, changes: Changes): void {
    if (node.arguments.some((a) => ts.isSpreadElement(a))) throw new Obstacle(node, 'its arguments are spread, so that none can be added. Write them out.');
    const missing = Array.from({ length: index - node.arguments.length }, () => 'undefined');
    const last = node.arguments.at(-1);
    const added = [...missing, tx].join(', ');
    if (last) changes.insert(node.getSourceFile(), last.end, `, ${added}`);
    else changes.insert(node.getSourceFile(), node.end - 1, added);
  }

  private addParameter(fn: FunctionNode, { name }: Way, instance: Instance, changes: Changes): void {
    const source = fn.getSourceFile();
    const last = fn.parameters.at(-1);
    if (last?.dotDotDotToken) throw new Obstacle(last, 'it takes a list of arguments, behind which the transaction has no place. Take an array instead.');
    const [given] = this.index.references(fn);
    if (given) throw new Obstacle(given, PASSED_ON);
    const contract = ts.isClassLike(fn.parent) ? fn.parent.heritageClauses?.find((c) => c.token === ts.SyntaxKind.ImplementsKeyword) : undefined;
    if (contract) throw new Obstacle(fn, `the method needs a parameter for the transaction, and ${contract.types.map((t) => t.getText()).join(', ')} says which it takes. Add an optional last one there and here, and pass it on to the statements.`);
    const own = this.instanceIn(fn);
    const at = own ?? instance;
    const connection = own ? own.text : changes.use(instance.declaration, fn, source, instance.text);
    if (own && isLocal(own, fn)) throw new Obstacle(own.node, 'the connection is made inside of the function. Make it in a variable of the module.');
    const type = isTypeScript(fn) ? this.sql.type?.(connection) : undefined;
    if (type?.imports?.from === 'inbox') changes.import(source, '@idempotent-consumers/inbox', type.imports.name, { isType: true });
    if (type?.imports?.from === 'instance') importBeside(at, source, type.imports.name, changes);
    const text = `${name}${type ? `: ${type.text}` : ''} = ${this.library === 'typeorm' ? `${connection}.manager` : connection}`;
    if (last) {
      const bare = ts.isArrowFunction(fn) && fn.parameters.length === 1 && source.text[last.end] !== ')' && !/^\s*[,)]/.test(source.text.slice(last.end));
      if (bare) changes.insert(source, last.getStart(), '(');
      changes.insert(source, last.end, `, ${text}${bare ? ')' : ''}`);
    } else changes.insert(source, openParen(fn) + 1, text);
  }
}

/** `Prisma` from where `PrismaClient` comes from. */
function importBeside({ declaration }: Instance, source: Compiler.SourceFile, name: string, changes: Changes): void {
  const home = declaration?.getSourceFile();
  const from = home?.statements.find((s): s is Compiler.ImportDeclaration => ts.isImportDeclaration(s) && /\bPrismaClient\b/.test(s.importClause?.getText() ?? ''));
  if (!home || !from || !ts.isStringLiteral(from.moduleSpecifier)) throw new Obstacle(declaration ?? source, `where \`${name}\` is to be imported from cannot be seen. Import PrismaClient with \`import { PrismaClient } from …\`.`);
  const specifier = from.moduleSpecifier.text;
  if (specifier.startsWith('.') && home !== source) changes.importFrom(source, home, specifier, name, true);
  else changes.import(source, specifier, name, { isType: true });
}

function isLocal({ node }: Instance, fn: FunctionNode): boolean {
  if (!ts.isIdentifier(node)) return false;
  return fn.body !== undefined && declaredIn(node.text, fn.body);
}

function declaredIn(name: string, body: Node): boolean {
  let found = false;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isVariableDeclaration(n) && ts.isIdentifier(n.name) && n.name.text === name) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(body);
  return found;
}

function openParen(fn: FunctionNode): number {
  const source = fn.getSourceFile();
  const from = 'name' in fn && fn.name ? fn.name.end : fn.getStart(source);
  return source.text.indexOf('(', from);
}
