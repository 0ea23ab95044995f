import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options, union, type Func, type Instance, type Parameter, type Value } from '../origin/value.js';
import { ts, nameOf, type ClassNode, type Compiler, type Expression, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { isTestFile } from '../syntax/files.js';
import { exportsOf } from '../syntax/exports.js';
import { indexOf } from '../syntax/scope.js';
import { clientMethods } from './registrations.js';

/** A call of a function of the program. */
export interface CallSite {
  node: Compiler.CallExpression | Compiler.NewExpression;
  source: SourceFile;
}

/** Answers questions about the whole program by a look at the texts, parsing only what can matter. */
export class ProgramIndex {
  /** The words that were looked for in all texts. */
  readonly asked = new Set<string>();
  private readonly sites = new Map<Node, CallSite[]>();
  private readonly subs = new Map<ClassNode, ClassNode[]>();
  private readonly implementations = new Map<Node, ClassNode[]>();
  private clients: ReadonlySet<string> | undefined;
  private heirs: Map<string, string[]> | undefined;

  constructor(
    readonly e: Evaluator,
    readonly files: readonly string[],
  ) {
    e.onlyImplementation = (d) => {
      const found = this.implementing(d);
      return found.length === 1 ? found[0] : undefined;
    };
    e.clientOfCallers = (p) => this.clientOf(p);
    e.filesFitting = (word, pattern) => this.fitting(word, pattern);
    e.onlySubclass = (d) => {
      const found = this.subclasses(d);
      return found.length === 1 ? found[0] : undefined;
    };
  }

  /** Parsed files whose text holds the word. */
  private *mentioning(word: string): Generator<SourceFile> {
    this.asked.add(word);
    for (const file of this.files) {
      const text = this.e.sources.files.text(file);
      if (!text?.includes(word)) continue;
      const source = this.e.sources.parser.parse(file);
      if (source) yield source;
    }
  }

  /** Parsed files of the program itself, its tests left out, whose text holds the word and fits the pattern. */
  private fitting(word: string, pattern: RegExp): SourceFile[] {
    this.asked.add(word);
    const fits = this.files.filter((file) => !isTestFile(this.e.sources.files.relative(file)) && pattern.test(this.e.sources.files.text(file) ?? ''));
    return fits.flatMap((file) => this.e.sources.parser.parse(file) ?? []);
  }

  /** Parsed files in which something extends or implements what has this name. */
  private *inheriting(name: string): Generator<SourceFile> {
    this.asked.add(name);
    this.heirs ??= this.heritage();
    for (const file of this.heirs.get(name) ?? []) {
      const source = this.e.sources.parser.parse(file);
      if (source) yield source;
    }
  }

  /** By name, the files where it stands behind `extends` or `implements`: one look at the texts, however many ask. */
  private heritage(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const file of this.files) {
      const text = this.e.sources.files.text(file);
      if (text === undefined) continue;
      const names = new Set<string>();
      for (const [, listed = ''] of text.matchAll(HERITAGE)) for (const [name] of listed.matchAll(/[\w$]+/g)) names.add(name);
      for (const name of names) {
        const files = found.get(name);
        if (files) files.push(file);
        else found.set(name, [file]);
      }
    }
    return found;
  }

  /** Parsed files whose text holds the word. */
  filesWith(word: string): SourceFile[] {
    return [...this.mentioning(word)];
  }

  /** Where a named function is given to a call, or put into a list. */
  references(fn: FunctionNode): Expression[] {
    const found: Expression[] = [];
    for (const [name, source] of this.namesOf(fn)) {
      const visit = (n: Node): void => {
        const isGiven = (ts.isCallExpression(n.parent) && n.parent.expression !== n) || ts.isArrayLiteralExpression(n.parent);
        if ((ts.isIdentifier(n) || ts.isPropertyAccessExpression(n)) && isGiven && (ts.isIdentifier(n) ? n.text : n.name.text) === name) {
          if (options(this.e.evaluate(n, this.e.openFrame(n))).some((v) => v.kind === 'function' && v.node === fn)) found.push(n);
        }
        ts.forEachChild(n, visit);
      };
      ts.forEachChild(source, visit);
    }
    return found;
  }

  /** Does the text of some file hold the word? */
  mentions(word: string): boolean {
    this.asked.add(word);
    return this.files.some((file) => this.e.sources.files.text(file)?.includes(word));
  }

  /** Where a function of the program is called. */
  callSites(fn: FunctionNode): CallSite[] {
    let found = this.sites.get(fn);
    if (found) return found;
    found = [];
    this.sites.set(fn, found);
    if (ts.isConstructorDeclaration(fn)) this.constructions(fn.parent as ClassNode, found);
    else this.calls(fn, found);
    return found;
  }

  private calls(fn: FunctionNode, found: CallSite[]): void {
    for (const [name, source] of this.namesOf(fn)) {
      for (const node of indexOf(source).calls.get(name) ?? []) {
        if (!ts.isCallExpression(node)) continue;
        const callee = this.e.evaluate(node.expression, this.e.openFrame(node));
        if (options(callee).some((v) => this.isOneOf(v, fn))) found.push({ node, source });
      }
    }
  }

  /** `(app) => { app.bus.on('orders', handle); }`: a method of what callers give for a parameter is theirs. */
  private isOneOf(v: Value, fn: FunctionNode): boolean {
    if (v.kind === 'parameter' && v.path.length > 0) return this.argumentsFor(v).some((a) => a.kind === 'function' && this.isOneOf(a, fn));
    return v.kind === 'function' && (v.node === fn || this.overrides(v, fn));
  }

  private overrides(v: Func, fn: FunctionNode): boolean {
    return ts.isMethodDeclaration(v.node) && ts.isMethodDeclaration(fn) && v.node.name.getText() === fn.name.getText() && v.node.parent === fn.parent;
  }

  /** The names by which a function can be called, and the files where that may happen. */
  private *namesOf(fn: FunctionNode): Generator<[string, SourceFile]> {
    const name = nameOf(fn).split('.').at(-1) ?? '';
    if (/^#?[\w$]+$/.test(name)) for (const source of this.mentioning(name)) yield [name, source];
    const own = fn.getSourceFile();
    if (this.isDefaultExport(fn, own)) {
      const base = own.fileName.replace(/.*\//, '').replace(/\.[cm]?[jt]sx?$/, '');
      const folder = own.fileName.split('/').at(-2) ?? '';
      for (const source of this.mentioning(base === 'index' ? folder : base)) {
        for (const local of defaultImports(source)) if (local !== name) yield [local, source];
      }
    }
  }

  private isDefaultExport(fn: FunctionNode, source: SourceFile): boolean {
    const exports = exportsOf(source);
    const e = exports.named.get('default');
    if (exports.whole) return true;
    return e !== undefined && (e.kind === 'expression' || (e.kind === 'declaration' && e.node === (fn as Node)));
  }

  private constructions(cls: ClassNode, found: CallSite[]): void {
    const classes = [cls, ...this.subclasses(cls)];
    for (const c of classes) {
      const name = c.name?.text;
      if (name === undefined) continue;
      for (const source of this.mentioning(name)) {
        for (const node of indexOf(source).calls.get(name) ?? []) {
          if (!ts.isNewExpression(node)) continue;
          const value = this.e.evaluate(node, this.e.openFrame(node));
          if (options(value).some((v) => v.kind === 'instance' && v.node === c)) found.push({ node, source });
        }
      }
    }
  }

  /** Classes of the program that extend a class, directly or not. */
  subclasses(cls: ClassNode): ClassNode[] {
    let found = this.subs.get(cls);
    if (found) return found;
    found = [];
    this.subs.set(cls, found);
    const name = cls.name?.text;
    if (name === undefined) return found;
    for (const source of this.inheriting(name)) {
      for (const c of indexOf(source).classes) {
        if (c === cls) continue;
        const base = this.e.baseClass(c, this.e.openFrame(c));
        if (base?.kind === 'class' && base.node === cls) found.push(c, ...this.subclasses(c));
      }
    }
    return found;
  }

  /** Classes of the program that say they implement an interface. */
  implementing(d: Compiler.InterfaceDeclaration): ClassNode[] {
    let found = this.implementations.get(d);
    if (found) return found;
    found = [];
    this.implementations.set(d, found);
    const name = d.name.text;
    for (const source of this.inheriting(name)) {
      for (const c of indexOf(source).classes) {
        const says = c.heritageClauses?.some((h) => h.token === ts.SyntaxKind.ImplementsKeyword && h.types.some((t) => t.expression.getText().split('.').at(-1) === name));
        if (says && !/\b(mock|stub|fake|test)/i.test(`${c.name?.text ?? ''}${source.fileName.replace(/.*\//, '')}`)) found.push(c);
      }
    }
    return found;
  }

  /** What stands for a parameter, or for the result of calling one, at the callers. */
  given(v: Value): Value[] {
    if (v.kind === 'parameter') return this.argumentsFor(v).flatMap(options);
    const [callee] = v.kind === 'derived' && v.operator === 'result' ? v.parts : [];
    if (v.kind !== 'derived' || callee?.kind !== 'parameter' || !v.node) return [];
    const call = v.node as Compiler.CallExpression;
    return this.argumentsFor(callee).flatMap((f) => options(this.e.applied(f, call, this.e.openFrame(call), [])));
  }

  /** A client that the function is given: `listen(channel, handle)`. Only what a client does is asked for. */
  private clientOf(p: Parameter): Value | undefined {
    this.clients ??= clientMethods(this.e.catalog);
    if (!this.clients.has(p.path.at(-1) ?? '')) return undefined;
    const found = this.argumentsFor(p).filter((v) => v.kind === 'library');
    return found.length ? union(found) : undefined;
  }

  /** What callers of the program give for a parameter. */
  argumentsFor(p: Parameter): Value[] {
    const { self } = p;
    return this.argumentsAt(p, 0).map((v) => (self && v.kind === 'function' && !v.self ? { ...v, self } : v));
  }

  private argumentsAt(p: Parameter, depth: number): Value[] {
    if (depth > 4) return [];
    const found: Value[] = [];
    for (const site of this.callSites(p.fn)) {
      const frame = this.e.openFrame(site.node);
      const argument = site.node.arguments?.[p.index];
      if (!argument) continue;
      let value = this.e.evaluate(argument, frame);
      for (const name of p.path) value = name === '*' ? this.e.element(value) : this.e.member(value, name, frame);
      for (const v of options(value)) {
        if (v.kind === 'parameter') found.push(...this.argumentsAt(v, depth + 1));
        else if (isUnseen(v)) found.push(...this.wrapped(propertyOf(argument, p.path), frame));
        else if (v.kind !== 'unknown' && !(v.kind === 'constant' && v.value == null)) found.push(v);
      }
    }
    return found;
  }

  /** `monitor.timed('orders', onOrder)` of a `monitor` that nobody knows: the function that it was given. */
  private wrapped(argument: Expression | undefined, frame: Frame): Value[] {
    if (!argument || !ts.isCallExpression(argument)) return [];
    const fns = argument.arguments.flatMap((a) => options(this.e.evaluate(a, frame))).filter((v) => v.kind === 'function');
    return fns.length === 1 ? fns : [];
  }

  /** Methods of subclasses that stand for an abstract, or overridden, method. */
  overridesOf(self: Instance, name: string): Func[] {
    return this.subclasses(self.node).flatMap((c) => {
      const instance = this.e.injected(c, this.e.fileFrame(c.getSourceFile()));
      const own = c.members.some((m) => m.name?.getText() === name);
      const value = own ? this.e.instanceMember(instance, name) : undefined;
      return value?.kind === 'function' ? [value] : [];
    });
  }
}

/** The expression behind a path of properties, as far as it is written out. */
function propertyOf(argument: Expression, path: readonly string[]): Expression | undefined {
  let at: Expression | undefined = argument;
  for (const name of path) {
    if (!at || !ts.isObjectLiteralExpression(at)) return undefined;
    at = at.properties.find((x): x is Compiler.PropertyAssignment => ts.isPropertyAssignment(x) && x.name.getText() === name)?.initializer;
  }
  return at;
}

function isUnseen(v: Value): boolean {
  return v.kind === 'unknown' || (v.kind === 'derived' && v.operator === 'result');
}

/** Up to the body: with type arguments, calls of mixins, and both keywords. */
const HERITAGE = /\b(?:extends|implements)\s+([^{;=]{1,500})/g;

function defaultImports(source: SourceFile): string[] {
  const found: string[] = [];
  for (const s of source.statements) {
    if (ts.isImportDeclaration(s) && s.importClause?.name) found.push(s.importClause.name.text);
    if (ts.isVariableStatement(s)) for (const d of s.declarationList.declarations) if (ts.isIdentifier(d.name) && d.initializer?.getText().startsWith('require(')) found.push(d.name.text);
  }
  return found;
}

