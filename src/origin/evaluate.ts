import type { Bound, Catalog } from '../catalog/catalog.js';
import { ts, enclosingClass, isFunctionNode, unwrap, type CallLike, type ClassNode, type Compiler, type Expression, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { exportsOf, isOwnExports, type Export } from '../syntax/exports.js';
import { nodeId } from '../syntax/ids.js';
import type { Sources } from '../syntax/program.js';
import { indexOf, lookup, type Declaration, type MemberWrite, type Step } from '../syntax/scope.js';
import { builtinCall, builtinNew } from './builtins.js';
import { contextualParameter } from './context.js';
import { constructorOf, fieldWrites, isConstructor, prototypeOf, type ConstructorFunction } from './constructors.js';
import { folderCall, isImportMeta, ownAddress, ownPath, requiredBy } from './folders.js';
import { Frame } from './frame.js';
import { libraryCall, libraryMember, shapeValue } from './library.js';
import { OwnNames } from './own.js';
import { ProgramGlobals, WRITES_GLOBAL, isGlobalObject } from './program-globals.js';
import { truthOf } from './truth.js';
import { turnsOf } from './turns.js';
import { Types } from './types.js';
import { UNKNOWN, constant, isKnownOnPaths, isSomething, options, propertiesOf, union, type Collection, type Constructed, type Func, type Instance, type Parameter, type Thunk, type Value } from './value.js';

/** Values may be made of one another in circles; so deep no answer is worth having. */
const MAX_EVALUATION = 120;

/** Follows values to their origin, on demand: imports, assignments, fields, parameters, results. */
export class Evaluator {
  readonly types: Types;
  readonly own: OwnNames;
  /** What callers give for a client that is a parameter; set by discovery. */
  clientOfCallers?: (p: Parameter) => Value | undefined;
  /** The only class of the program that implements an interface, or extends an abstract class; set by discovery. */
  onlyImplementation?: (d: Compiler.InterfaceDeclaration) => ClassNode | undefined;
  onlySubclass?: (d: ClassNode) => ClassNode | undefined;
  /** Files of the program whose text holds the word and fits; set by discovery. */
  filesFitting: (word: string, pattern: RegExp) => SourceFile[] = () => [];
  private readonly globals = new ProgramGlobals(this, () => this.filesFitting('global', WRITES_GLOBAL));
  private readonly values = new Map<Frame, Map<Node, Value>>();
  private readonly files = new Map<SourceFile, Frame>();
  private readonly active = new Set<string>();
  /** How deep the present question has gone. */
  depth = 0;
  private readonly members = new Map<string, Value>();
  private readonly spreads = new WeakMap<Compiler.SpreadAssignment, Map<string, Value>>();

  constructor(
    readonly sources: Sources,
    readonly catalog: Catalog,
  ) {
    this.types = new Types(this);
    this.own = new OwnNames(
      catalog,
      (file) => sources.files.relative(file),
      (cls) => {
        const base = this.baseClass(cls, this.openFrame(cls));
        return base?.kind === 'class' ? base.node : undefined;
      },
    );
  }

  /** After an error has broken off a question: the next one starts afresh. */
  reset(): void {
    this.depth = 0;
    this.active.clear();
  }

  /** The frame of a file's top level. */
  fileFrame(source: SourceFile): Frame {
    let frame = this.files.get(source);
    if (!frame) this.files.set(source, (frame = new Frame(source, undefined, undefined, undefined, undefined, undefined, undefined)));
    return frame;
  }

  /** A frame for code inside a function of which nobody knows the caller. */
  openFrame(node: Node): Frame {
    const chain: FunctionNode[] = [];
    for (let n: Node | undefined = node.parent; n; n = n.parent) if (isFunctionNode(n)) chain.unshift(n);
    let frame = this.fileFrame(node.getSourceFile());
    for (const fn of chain) frame = this.openChild(fn, frame);
    return frame;
  }

  private readonly open = new Map<string, Frame>();

  /** An open frame of a function: its parameters are known by their types only. */
  openChild(fn: FunctionNode, lexical: Frame): Frame {
    const key = `${nodeId(fn)}:${lexical.id}`;
    let frame = this.open.get(key);
    if (!frame) {
      frame = new Frame(fn.getSourceFile(), lexical, fn, undefined, this.selfOf(fn, lexical), undefined, undefined);
      this.open.set(key, frame);
    }
    return frame;
  }

  private selfOf(fn: FunctionNode, lexical: Frame): Value | undefined {
    const cls = fn.parent;
    if (!ts.isClassLike(cls)) return this.selfOfPrototype(fn, lexical);
    const isStatic = ts.canHaveModifiers(fn) && ts.getModifiers(fn)?.some((m) => m.kind === ts.SyntaxKind.StaticKeyword);
    return isStatic ? { kind: 'class', node: cls, frame: lexical } : this.injected(cls, lexical);
  }

  /** `this` in a constructor function, or in a function on its prototype. */
  private selfOfPrototype(fn: FunctionNode, lexical: Frame): Value | undefined {
    const of = constructorOf(fn) ?? (isConstructor(fn) ? fn : undefined);
    return of && this.constructed({ kind: 'function', node: of, frame: of === fn ? lexical : this.openFrame(of) });
  }

  /** An object of a constructor function that somebody else has made. */
  private constructed(by: Constructed['by']): Constructed {
    return { kind: 'constructed', by, id: `di:${nodeId(by.node)}` };
  }

  /** An object of a class that somebody else has made. */
  injected(node: ClassNode, frame: Frame): Instance {
    return { kind: 'instance', node, frame, id: `di:${nodeId(node)}` };
  }

  evaluate(expression: Expression, frame: Frame): Value {
    const node = unwrap(expression);
    let known = this.values.get(frame);
    if (!known) this.values.set(frame, (known = new Map()));
    const before = known.get(node);
    if (before) return before;
    const key = `${nodeId(node)}@${frame.id}`;
    if (this.active.has(key) || this.depth > MAX_EVALUATION) return UNKNOWN;
    this.active.add(key);
    this.depth++;
    const value = this.named(this.compute(node, frame));
    this.depth--;
    this.active.delete(key);
    known.set(node, value);
    return value;
  }

  /** A function of the project that the settings describe is what they say, not what its body does. */
  private named(value: Value): Value {
    const bound = value.kind === 'function' ? this.own.boundOf(value.node) : undefined;
    return bound ? shapeValue(bound, { root: `own:${bound.library.name}`, name: bound.library.name }) : value;
  }

  private compute(node: Expression, frame: Frame): Value {
    if (ts.isIdentifier(node)) return this.identifier(node, frame);
    if (ts.isStringLiteralLike(node)) return constant(node.text);
    if (ts.isNumericLiteral(node)) return constant(Number(node.text));
    if (ts.isBigIntLiteral(node)) return constant(BigInt(node.text.replace(/n$/, '')));
    switch (node.kind) {
      case ts.SyntaxKind.TrueKeyword:
        return constant(true);
      case ts.SyntaxKind.FalseKeyword:
        return constant(false);
      case ts.SyntaxKind.NullKeyword:
        return constant(null);
      case ts.SyntaxKind.ThisKeyword:
        return this.thisValue(node, frame);
      case ts.SyntaxKind.SuperKeyword:
        return this.thisValue(node, frame);
    }
    if (ts.isPropertyAccessExpression(node)) return this.propertyAccess(node, frame);
    if (ts.isElementAccessExpression(node)) return this.elementAccess(node, frame);
    if (ts.isCallExpression(node)) return this.call(node, frame);
    if (ts.isNewExpression(node)) return this.construct(node, frame);
    if (ts.isTaggedTemplateExpression(node)) return this.tagged(node, frame);
    if (isFunctionNode(node)) return this.functionValue(node as FunctionNode, frame);
    if (ts.isClassExpression(node)) return { kind: 'class', node, frame };
    if (ts.isObjectLiteralExpression(node)) return { kind: 'object', node, frame };
    if (ts.isArrayLiteralExpression(node)) return this.array(node, frame);
    if (ts.isTemplateExpression(node)) return this.template(node, frame);
    // Promises are looked through, so awaiting changes nothing.
    if (ts.isAwaitExpression(node)) return this.evaluate(node.expression, frame);
    if (ts.isConditionalExpression(node)) return this.conditional(node, frame);
    if (ts.isBinaryExpression(node)) return this.binary(node, frame);
    if (ts.isPrefixUnaryExpression(node)) return this.unary(node, frame);
    if (ts.isPostfixUnaryExpression(node)) return { kind: 'derived', operator: 'step', parts: [this.evaluate(node.operand, frame)], node };
    if (ts.isTypeOfExpression(node)) return { kind: 'derived', operator: 'typeof', parts: [this.evaluate(node.expression, frame)], node };
    if (ts.isVoidExpression(node)) return constant(undefined);
    if (ts.isSpreadElement(node)) return this.evaluate(node.expression, frame);
    if (ts.isYieldExpression(node)) return node.expression ? this.evaluate(node.expression, frame) : UNKNOWN;
    return UNKNOWN;
  }

  functionValue(node: FunctionNode, frame: Frame): Func {
    return { kind: 'function', node, frame };
  }

  private thisValue(node: Node, frame: Frame): Value {
    for (let f: Frame | undefined = frame; f; f = f.lexical) {
      if (!f.fn) break;
      if (ts.isArrowFunction(f.fn)) continue;
      if (f.self) return f.self;
      break;
    }
    const cls = enclosingClass(node);
    if (!cls) return frame.self ?? UNKNOWN;
    return frame.self ?? this.injected(cls, this.fileFrame(node.getSourceFile()));
  }

  private identifier(node: Compiler.Identifier, frame: Frame): Value {
    if (node.text === 'undefined') return constant(undefined);
    const declaration = lookup(node.text, node);
    if (declaration) return this.declaration(declaration, frame);
    const global = this.catalog.global(node.text);
    if (global) return shapeValue(global, { root: `global:${node.text}`, name: node.text });
    return ownPath(node.text, node.getSourceFile()) ?? this.globals.value(node.text) ?? UNKNOWN;
  }

  /** The frame in which a declaration lives, seen from code that refers to it. */
  private home(declaration: Node, frame: Frame): Frame {
    let fn: Node | undefined = declaration.parent;
    for (; fn && !isFunctionNode(fn); fn = fn.parent) {
      const turn = ts.isForOfStatement(fn) ? frame.turnOf(fn) : undefined;
      if (turn) return turn;
    }
    if (!fn) return this.fileFrame(declaration.getSourceFile());
    return frame.frameOf(fn as FunctionNode) ?? this.openChildOf(fn as FunctionNode);
  }

  private openChildOf(fn: FunctionNode): Frame {
    return this.openChild(fn, this.openFrame(fn));
  }

  declaration(d: Declaration, frame: Frame): Value {
    if (ts.isVariableDeclaration(d)) return this.variable(d, this.home(d, frame));
    if (ts.isParameter(d)) return this.parameter(d, frame);
    if (ts.isBindingElement(d)) return this.bindingElement(d, frame);
    if (ts.isFunctionDeclaration(d) || ts.isFunctionExpression(d)) return { kind: 'function', node: d, frame: this.home(d, frame) };
    if (ts.isClassLike(d)) return { kind: 'class', node: d, frame: this.home(d, frame) };
    if (ts.isImportSpecifier(d)) return this.importedName(d.parent.parent.parent, (d.propertyName ?? d.name).text);
    if (ts.isImportClause(d)) return this.importedName(d.parent, 'default');
    if (ts.isNamespaceImport(d)) return this.namespaceOf(d.parent.parent, d.getSourceFile());
    if (ts.isImportEqualsDeclaration(d)) {
      if (ts.isExternalModuleReference(d.moduleReference)) {
        const s = d.moduleReference.expression;
        return ts.isStringLiteral(s) ? this.required(s.text, d.getSourceFile()) : UNKNOWN;
      }
      return UNKNOWN;
    }
    if (ts.isEnumDeclaration(d) || ts.isModuleDeclaration(d)) return this.namespaceDeclaration(d);
    return UNKNOWN;
  }

  private namespaceDeclaration(d: Compiler.EnumDeclaration | Compiler.ModuleDeclaration): Value {
    return { kind: 'derived', operator: 'namespace', parts: [], node: d };
  }

  /** Asked for once; what is made of itself is unknown. */
  private once(key: string, compute: Thunk): Value {
    const before = this.members.get(key);
    if (before) return before;
    if (this.active.has(key)) return UNKNOWN;
    this.active.add(key);
    const value = compute();
    this.active.delete(key);
    this.members.set(key, value);
    return value;
  }

  private variable(d: Compiler.VariableDeclaration, frame: Frame): Value {
    return this.once(`v${nodeId(d)}@${frame.id}`, () => this.computeVariable(d, frame));
  }

  private computeVariable(d: Compiler.VariableDeclaration, frame: Frame): Value {
    if (ts.isCatchClause(d.parent)) return { kind: 'error', from: d.parent, frame, path: [] };
    if (ts.isVariableDeclarationList(d.parent) && (ts.isForOfStatement(d.parent.parent) || ts.isForInStatement(d.parent.parent))) {
      const loop = d.parent.parent;
      if (frame.loop === loop && frame.element) return frame.element;
      return ts.isForOfStatement(loop) ? this.element(this.evaluate(loop.expression, frame)) : UNKNOWN;
    }
    const { assignments, steps } = indexOf(d.getSourceFile());
    const writes = assignments.get(d) ?? [];
    const found: Value[] = [];
    if (d.initializer) {
      const filled = this.filled(d.initializer, d.name.getText(), d.getSourceFile(), frame);
      found.push(filled ?? this.evaluate(d.initializer, frame));
    }
    for (const w of writes) {
      const at = frame.fn && isInside(w.node, frame.fn) ? frame : this.openFrame(w.node);
      if (at === frame && this.neverRuns(w.node, at)) continue;
      found.push(w.plain ? this.evaluate(w.value, at) : { kind: 'derived', operator: w.node.operatorToken.getText(), parts: [this.evaluate(w.value, at)], node: w.node });
    }
    for (const s of steps.get(d) ?? []) found.push(stepped(s));
    const typed = d.type ? this.types.value(d.type, frame, `decl:${nodeId(d)}`, d.name.getText()) : this.types.jsDoc(d, frame, `decl:${nodeId(d)}`);
    if (found.length <= 1) {
      const [only] = found;
      if (only && only.kind !== 'unknown' && !(only.kind === 'constant' && only.value == null && typed)) return this.keepTypeArgs(only, d.type);
      return typed ?? only ?? constant(undefined);
    }
    const useful = found.filter(isSomething);
    if (typed && useful.length === 0) return typed;
    return union(found, { variable: variableKey(d, frame) });
  }

  /** It stands under an `if` that is decided against it, in this frame: for what this caller has not given. */
  private neverRuns(node: Node, frame: Frame): boolean {
    for (let n = node; n.parent !== frame.fn && !ts.isSourceFile(n.parent); n = n.parent) {
      const { parent } = n;
      if (!ts.isIfStatement(parent) || n === parent.expression) continue;
      if (truthOf(this.evaluate(parent.expression, frame)) === (n === parent.elseStatement)) return true;
    }
    return false;
  }

  private keepTypeArgs(value: Value, type: Compiler.TypeNode | undefined): Value {
    if (value.kind !== 'library' || !type || !ts.isTypeReferenceNode(type) || !type.typeArguments) return value;
    return { ...value, typeArgs: type.typeArguments.map((t) => t.getText()) };
  }

  /** `new Map()`, `[]`, `{}`, `{ created: null }` that code elsewhere fills. */
  filled(initializer: Expression, holder: string, scope: ClassNode | SourceFile, frame: Frame): Collection | undefined {
    const node = unwrap(initializer);
    const id = `c${nodeId(node)}@${frame.id}`;
    const base = { kind: 'collection' as const, holder, scope, frame, id, ...(ts.isNewExpression(node) && node.arguments?.length && { given: true }) };
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && !lookup(node.expression.text, node)) {
      const name = node.expression.text;
      if (name === 'Map' || name === 'WeakMap') return { ...base, of: 'map', initial: this.mapEntries(node, frame) };
      if (name === 'Set' || name === 'WeakSet') return { ...base, of: 'set', initial: [] };
      if (name === 'Array') return { ...base, of: 'list', initial: [] };
    }
    if (ts.isArrayLiteralExpression(node) && node.elements.length === 0) return { ...base, of: 'list', initial: [] };
    if (ts.isObjectLiteralExpression(node) && node.properties.every(isEmptySlot)) return { ...base, of: 'object', initial: [] };
    return undefined;
  }

  private mapEntries(node: Compiler.NewExpression, frame: Frame): Value[] {
    const first = node.arguments?.[0];
    if (!first) return [];
    const list = this.evaluate(first, frame);
    if (list.kind !== 'list') return [];
    return list.elements.map((e) => (e.kind === 'list' ? (e.elements[1] ?? UNKNOWN) : UNKNOWN));
  }

  /** What is put into a collection, wherever that is written in its class or file. */
  contents(c: Collection): Value[] {
    const found = [...c.initial];
    const index = indexOf(scopeFile(c));
    const holds = (e: Expression): boolean => isHolder(e, c.holder);
    const frameAt = (n: Node): Frame => {
      const open = this.openFrame(n);
      return c.frame.fn && isInside(n, c.frame.fn) ? this.within(n, c.frame.fn, c.frame) : this.withSelf(n, open, c.frame);
    };
    for (const method of c.of === 'map' ? ['set'] : c.of === 'set' ? ['add'] : ['push', 'unshift', 'splice']) {
      for (const call of index.calls.get(method) ?? []) {
        if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || !holds(call.expression.expression)) continue;
        const args = method === 'set' ? call.arguments.slice(1, 2) : call.arguments;
        for (const a of args) {
          const v = this.evaluate(a, frameAt(call));
          if (ts.isSpreadElement(a)) found.push(this.element(v));
          else found.push(v);
        }
      }
    }
    for (const w of index.memberWrites) {
      if (holds(w.object)) found.push(this.evaluate(w.value, frameAt(w.node)));
      // this.handlers[topic].push(handler)
    }
    for (const call of index.calls.get('push') ?? []) {
      if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression) && ts.isElementAccessExpression(call.expression.expression) && holds(call.expression.expression.expression)) {
        for (const a of call.arguments) found.push(this.evaluate(a, frameAt(call)));
      }
    }
    return found;
  }

  /** What was put into an object under a name; anything, where the names are not known. */
  private contentsAt(c: Collection, name: string): Value {
    const found: Value[] = [];
    for (const w of indexOf(scopeFile(c)).memberWrites) {
      if (!isHolder(w.object, c.holder)) continue;
      if (w.name === name) found.push(this.evaluate(w.value, this.openFrame(w.node)));
      if (w.name === undefined) for (const turn of turnsOf(this, w.node)) if (this.keyOf(w, turn) === name) found.push(this.evaluate(w.value, turn));
    }
    return found.length > 0 ? union(found) : this.element(c);
  }

  /** The name under which a value is put into an object, in one turn of the loop around. */
  keyOf(w: MemberWrite, frame: Frame): string | undefined {
    if (!ts.isElementAccessExpression(w.node.left)) return undefined;
    const key = this.evaluate(w.node.left.argumentExpression, frame);
    return key.kind === 'constant' ? String(key.value) : undefined;
  }

  /** What a property is given by an assignment; an empty object or list is one that is filled elsewhere. */
  assigned(w: MemberWrite): Value {
    const frame = this.openFrame(w.node);
    return (w.name !== undefined && this.filled(w.value, w.name, w.node.getSourceFile(), frame)) || this.evaluate(w.value, frame);
  }

  /** The frame of a method of the same object, if the collection belongs to one. */
  private withSelf(node: Node, open: Frame, home: Frame): Frame {
    if (!home.self || !open.fn) return open;
    let fn: Node | undefined = node.parent;
    const chain: FunctionNode[] = [];
    for (; fn && !ts.isClassLike(fn); fn = fn.parent) if (isFunctionNode(fn)) chain.unshift(fn as FunctionNode);
    if (chain.length === 0) return open;
    const [method, ...rest] = chain;
    if (!method) return open;
    const key = `self:${nodeId(method)}:${home.id}`;
    let frame = this.open.get(key);
    if (!frame) {
      frame = new Frame(method.getSourceFile(), home.lexical ?? this.fileFrame(method.getSourceFile()), method, undefined, home.self, undefined, undefined);
      this.open.set(key, frame);
    }
    for (const f of rest) frame = this.openChild(f, frame);
    return frame;
  }

  parameter(d: Compiler.ParameterDeclaration, frame: Frame): Value {
    const fn = d.parent as FunctionNode;
    if (!isFunctionNode(fn)) return UNKNOWN;
    const index = parameterIndex(fn, d);
    const home = frame.frameOf(fn) ?? this.openChildOf(fn);
    const given = home.argument(index);
    const name = ts.isIdentifier(d.name) ? d.name.text : `(argument ${index + 1})`;
    let value: Value | undefined;
    if (d.dotDotDotToken && home.args) value = { kind: 'list', elements: home.args.slice(index).map((_, i) => home.argument(index + i) ?? UNKNOWN) };
    else if (given && !(given.kind === 'constant' && given.value === undefined)) value = given;
    else if (home.args && d.initializer) value = this.evaluate(d.initializer, home);
    else if (home.args && index >= home.args.length && !d.type) value = constant(undefined);
    if (!value || value.kind === 'unknown' || value.kind === 'parameter') {
      const typed = d.type ? this.types.value(d.type, home, `param:${nodeId(d)}@${home.id}`, name) : this.types.jsDoc(d, home, `param:${nodeId(d)}@${home.id}`);
      if (typed && typed.kind !== 'unknown' && (typed.kind !== 'typed' || typed.gives)) return typed;
      if (d.initializer && !home.args) {
        const v = this.evaluate(d.initializer, home);
        if (v.kind !== 'unknown') return v;
      }
      if (!value || value.kind === 'unknown') {
        const byContext = contextualParameter(this, fn, index, home);
        if (byContext) return byContext;
      }
      if (!value && d.questionToken && home.args && index >= home.args.length) return constant(undefined);
      if (value?.kind === 'unknown' && home.args) return value;
      return value ?? { kind: 'parameter', node: d, fn, index, frame: home, path: [], ...(typed?.kind === 'typed' && { typed }) };
    }
    return (d.type && isUnknownResult(value) && this.connection(d.type, home, `param:${nodeId(d)}@${home.id}`, name)) || value;
  }

  /** The annotation tells what `context.get('db')` gives; what it says of messages, the value itself tells better. */
  private connection(type: Compiler.TypeNode, frame: Frame, root: string, name: string): Value | undefined {
    const typed = this.types.value(type, frame, root, name);
    return typed?.kind === 'library' && !typed.shape.message && !typed.stability ? typed : undefined;
  }

  private bindingElement(d: Compiler.BindingElement, frame: Frame): Value {
    const pattern = d.parent;
    const owner = pattern.parent;
    let value: Value;
    if (ts.isBindingElement(owner)) value = this.bindingElement(owner, frame);
    else if (ts.isParameter(owner)) value = this.parameter(owner, frame);
    else value = this.variable(owner, this.home(owner, frame));
    const read = this.destructured(value, d, frame);
    if (d.initializer && (read.kind === 'unknown' || (read.kind === 'constant' && read.value === undefined))) {
      const fallback = this.evaluate(d.initializer, this.home(d, frame));
      return fallback.kind === 'list' && fallback.elements.length === 0 ? read : fallback;
    }
    const writes = indexOf(d.getSourceFile()).assignments.get(d);
    if (writes?.length) return union([read, ...writes.map((w) => this.evaluate(w.value, this.openFrame(w.node)))], { variable: variableKey(d, this.home(d, frame)) });
    return read;
  }

  private destructured(value: Value, d: Compiler.BindingElement, frame: Frame): Value {
    if (ts.isArrayBindingPattern(d.parent)) {
      const position = d.parent.elements.indexOf(d);
      return d.dotDotDotToken ? value : this.member(value, String(position), frame);
    }
    if (d.dotDotDotToken) return restOf(value, d.parent);
    const name = d.propertyName ?? d.name;
    if (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) return this.member(value, name.text, frame);
    return UNKNOWN;
  }

  private importedName(d: Node, name: string): Value {
    let n: Node = d;
    while (!ts.isImportDeclaration(n) && n.parent) n = n.parent;
    if (!ts.isImportDeclaration(n) || !ts.isStringLiteral(n.moduleSpecifier)) return UNKNOWN;
    return this.exportedBy(n.moduleSpecifier.text, name, n.getSourceFile());
  }

  exportedBy(specifier: string, name: string, from: SourceFile): Value {
    const target = this.imported(specifier, from);
    if ('library' in target) return this.packageExport(target.library, [name]);
    return this.moduleExport(target.source, name);
  }

  /** The source behind an import, or the library that it is of: also one whose generated code is in the project. */
  imported(specifier: string, from: SourceFile): ReturnType<Sources['import']> {
    if (this.catalog.library(specifier)?.sealed) return { library: specifier };
    const target = this.sources.import(specifier, from);
    if (!('source' in target)) return target;
    const text = this.catalog.generates(specifier)?.generated?.text;
    return text?.test(target.source.text) ? { library: specifier } : target;
  }

  packageExport(specifier: string, path: string[]): Value {
    const library = this.catalog.library(specifier);
    const [name] = path;
    if (library && name !== undefined) {
      const bound = this.catalog.exported(library, name);
      if (bound) return shapeValue(bound, { root: `${specifier}:${name}`, name: name === 'default' ? specifier : name });
      if (name === 'default') return { kind: 'package', specifier, path: [] };
    }
    return { kind: 'package', specifier, path };
  }

  private namespaceOf(d: Node, from: SourceFile): Value {
    let n: Node = d;
    while (!ts.isImportDeclaration(n) && n.parent) n = n.parent;
    if (!ts.isImportDeclaration(n) || !ts.isStringLiteral(n.moduleSpecifier)) return UNKNOWN;
    return this.required(n.moduleSpecifier.text, from);
  }

  /** `require(specifier)` and `import * as`: the module as a whole. */
  required(specifier: string, from: SourceFile): Value {
    const target = this.imported(specifier, from);
    if ('library' in target) return { kind: 'package', specifier: target.library, path: [] };
    return this.moduleValue(target.source);
  }

  moduleValue(source: SourceFile): Value {
    const exports = exportsOf(source);
    if (exports.whole && exports.named.size === 0) return this.evaluate(exports.whole, this.openFrame(exports.whole));
    return { kind: 'module', source };
  }

  moduleExport(source: SourceFile, name: string, seen = new Set<string>()): Value {
    const key = `${source.fileName}#${name}`;
    if (seen.has(key)) return UNKNOWN;
    seen.add(key);
    const exports = exportsOf(source);
    const found = exports.named.get(name);
    if (found) return this.exportValue(found, source, seen);
    if (exports.whole) {
      const whole = this.evaluate(exports.whole, this.openFrame(exports.whole));
      return name === 'default' ? whole : this.member(whole, name, this.fileFrame(source));
    }
    for (const specifier of exports.stars) {
      const target = this.imported(specifier, source);
      const value = 'library' in target ? this.starExport(target.library, name) : this.moduleExport(target.source, name, seen);
      if (value.kind !== 'unknown') return value;
    }
    if (name === 'default' && exports.named.size > 0 && !source.statements.some((s) => ts.isExportAssignment(s))) return { kind: 'module', source };
    return UNKNOWN;
  }

  private starExport(specifier: string, name: string): Value {
    const library = this.catalog.library(specifier);
    return library && this.catalog.exported(library, name) ? this.packageExport(specifier, [name]) : UNKNOWN;
  }

  private exportValue(e: Export, source: SourceFile, seen: Set<string>): Value {
    const frame = this.fileFrame(source);
    switch (e.kind) {
      case 'declaration':
        return this.declaration(e.node, frame);
      case 'expression':
        return this.evaluate(e.node, this.openFrame(e.node));
      case 'namespace':
        return this.required(e.specifier, source);
      case 'from': {
        const target = this.imported(e.specifier, source);
        return 'library' in target ? this.packageExport(target.library, [e.name]) : this.moduleExport(target.source, e.name, seen);
      }
    }
  }

  private propertyAccess(node: Compiler.PropertyAccessExpression, frame: Frame): Value {
    // module.exports.notify(…): written so that tests can put something else in its place.
    if (isOwnExports(node.expression)) return this.moduleExport(node.getSourceFile(), node.name.text);
    if (isImportMeta(node.expression)) return ownAddress(node.name.text, node.getSourceFile()) ?? UNKNOWN;
    if (isGlobalObject(node.expression)) return this.globals.value(node.name.text) ?? UNKNOWN;
    const value = this.member(this.evaluate(node.expression, frame), node.name.text, frame);
    if (!isUntraced(value)) return value;
    const given = value.kind === 'parameter' && isCallee(node) ? this.clientOfCallers?.(value) : undefined;
    if (given) return given;
    const own = this.distinctive(node);
    return own ? shapeValue(own, { root: `own:${nodeId(node)}@${frame.id}`, name: node.getText() }) : value;
  }

  /** What is not known, but has the names of one library alone. */
  private distinctive(node: Compiler.PropertyAccessExpression): Bound | undefined {
    const { parent } = node;
    if (isCallee(node)) return this.catalog.distinctiveMethod(node.name.text, node.getSourceFile().text);
    if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return undefined;
    const object = unwrap(node.expression);
    const name = ts.isIdentifier(object) ? object.text : ts.isPropertyAccessExpression(object) ? object.name.text : undefined;
    return name === undefined ? undefined : this.catalog.distinctiveMember(name, node.name.text);
  }

  private elementAccess(node: Compiler.ElementAccessExpression, frame: Frame): Value {
    const object = this.evaluate(node.expression, frame);
    const key = this.evaluate(node.argumentExpression, frame);
    if (key.kind === 'constant' && key.value != null) return this.member(object, String(key.value), frame);
    // A table of functions indexed by something that is not known: any of them.
    if (object.kind === 'object' || object.kind === 'collection' || object.kind === 'record') return this.element(object);
    if (object.kind === 'list' || object.kind === 'parameter') return this.element(object);
    if (object.kind === 'library') return libraryMember(this, object, '*') ?? UNKNOWN;
    return { kind: 'derived', operator: '[]', parts: [object, key], node };
  }

  /** One element of a list, a collection or an object used as a table. */
  element(value: Value): Value {
    if (this.depth > MAX_EVALUATION) return UNKNOWN;
    this.depth++;
    try {
      return this.readElement(value);
    } finally {
      this.depth--;
    }
  }

  private readElement(value: Value): Value {
    switch (value.kind) {
      case 'list':
        return value.elements.length ? union(value.elements) : UNKNOWN;
      case 'collection': {
        const found = this.contents(value);
        return found.length ? union(found) : UNKNOWN;
      }
      case 'object':
        return union(this.propertyValues(value));
      case 'record':
        return union([...value.entries.values()].map((v) => v()));
      case 'library': {
        const bound = this.catalog.bind(value.shape.element, value.library);
        if (bound) return shapeValue(bound, { ...inherit(value), parent: value, path: [...value.path, '*'] });
        if (value.stability || value.call) return { ...value, path: [...value.path, '*'] };
        return UNKNOWN;
      }
      case 'union':
        return union(value.options.map((o) => this.element(o)));
      case 'derived':
        return value.operator === 'namespace' ? UNKNOWN : { kind: 'derived', operator: 'element', parts: value.parts };
      case 'parameter': {
        const { typed: _, ...rest } = value;
        void _;
        return { ...rest, path: [...value.path, '*'] };
      }
      case 'instance':
      case 'unknown':
      default:
        return UNKNOWN;
    }
  }

  propertyValues(object: Extract<Value, { kind: 'object' }>): Value[] {
    const found: Value[] = [];
    if (this.depth > MAX_EVALUATION) return found;
    this.depth++;
    for (const p of propertiesOf(object)) {
      if (ts.isPropertyAssignment(p)) found.push(this.evaluate(p.initializer, object.frame));
      else if (ts.isShorthandPropertyAssignment(p)) found.push(this.identifier(p.name, object.frame));
      else if (ts.isMethodDeclaration(p)) found.push({ kind: 'function', node: p, frame: object.frame, self: object });
      else if (ts.isSpreadAssignment(p)) {
        const spread = this.evaluate(p.expression, object.frame);
        if (spread.kind === 'object') found.push(...this.propertyValues(spread));
        if (spread.kind === 'record') found.push(this.element(spread));
      }
    }
    this.depth--;
    return found;
  }

  /** `value.name`. */
  member(value: Value, name: string, frame: Frame): Value {
    if (this.depth > MAX_EVALUATION) return UNKNOWN;
    this.depth++;
    try {
      return this.readMember(value, name, frame);
    } finally {
      this.depth--;
    }
  }

  private readMember(value: Value, name: string, frame: Frame): Value {
    switch (value.kind) {
      case 'object':
        return this.objectMember(value, name);
      case 'record':
        return value.entries.get(name)?.() ?? constant(undefined);
      case 'module':
        return this.moduleExport(value.source, name);
      case 'package':
        return this.packageMember(value.specifier, value.path, name);
      case 'library':
        // `schema.safeParse(event).data.Records` is what `event.Records` is.
        if (name === 'data' && value.shape.eventType && !Object.hasOwn(value.shape.members ?? {}, name)) return value;
        return libraryMember(this, value, name) ?? UNKNOWN;
      case 'instance':
        return this.instanceMember(value, name);
      case 'constructed':
        return this.constructedMember(value, name);
      case 'class':
        return this.staticMember(value.node, name, value.frame) ?? UNKNOWN;
      case 'list': {
        const i = Number(name);
        if (Number.isInteger(i)) return value.elements[i] ?? (value.batch ? this.element(value) : constant(undefined));
        if (name !== 'length') return UNKNOWN;
        const length = value.of ? this.member(value.of, name, frame) : UNKNOWN;
        return length.kind === 'unknown' ? { kind: 'derived', operator: 'length', parts: [value] } : length;
      }
      case 'collection':
        if (value.of === 'object') return this.contentsAt(value, name);
        return /^\d+$/.test(name) ? this.element(value) : UNKNOWN;
      case 'parameter':
        return this.parameterMember(value, name);
      case 'union': {
        const found = value.options.filter((o) => !(o.kind === 'constant' && o.value == null)).map((o) => this.member(o, name, frame));
        if (found.length === 0) return UNKNOWN;
        const any = union(found);
        // Which of several results it is decides what `result.error` is.
        return any.kind === 'union' && isKnownOnPaths(value) ? union(found, { of: { base: value, property: name, read: this.reader(name, frame) } }) : any;
      }
      case 'derived':
        if (value.operator === 'namespace' && value.node) return this.namespaceMember(value.node, name);
        // parse(event).Records is what event.Records is.
        for (const p of value.parts) {
          const same = derivedFrom(p, name, 0);
          if (same) return libraryMember(this, same, name) ?? UNKNOWN;
        }
        return { kind: 'derived', operator: `.${name}`, parts: [value], ...(value.minted && { minted: value.minted }) };
      case 'error':
        return { ...value, path: [...value.path, name] };
      case 'constant':
        // `options?.jobId` of options that nobody gave.
        return value.value == null ? constant(undefined) : { kind: 'derived', operator: `.${name}`, parts: [value] };
      case 'text':
        return { kind: 'derived', operator: `.${name}`, parts: [value] };
      case 'function':
        return this.functionMember(value, name);
      case 'typed': {
        const m = value.members.find((x) => this.propertyName(x.name, value.frame) === name);
        return (m?.type && this.types.value(m.type, value.frame, `${value.root}.${name}`, `${value.name}.${name}`)) ?? UNKNOWN;
      }
      default:
        return UNKNOWN;
    }
  }

  /** Reads a property of what a path has found a union to be; the same value gives the same property. */
  private reader(name: string, frame: Frame): (base: Value) => Value {
    const known = new WeakMap<Value, Value>();
    return (base) => {
      let value = known.get(base);
      if (!value) known.set(base, (value = base.kind === 'constant' && base.value == null ? constant(undefined) : this.member(base, name, frame)));
      return value;
    };
  }

  /** A property of an argument that is not known: its type may say what it is; else it is known by where it comes from. */
  private parameterMember(value: Extract<Value, { kind: 'parameter' }>, name: string): Value {
    const { typed, ...rest } = value;
    const said = typed && this.readMember(typed, name, typed.frame);
    if (said && (said.kind === 'library' || said.kind === 'instance' || said.kind === 'function')) return said;
    const set = this.setOnParameter(value, name);
    if (set) return set;
    return { ...rest, path: [...value.path, name], ...(said?.kind === 'typed' && { typed: said }) };
  }

  /** `options.handle = handle` before the options are handed on. */
  private setOnParameter(value: Extract<Value, { kind: 'parameter' }>, name: string): Value | undefined {
    if (value.path.length > 0 || !ts.isIdentifier(value.node.name)) return undefined;
    const holder = value.node.name.text;
    const writes = indexOf(value.node.getSourceFile()).memberWrites.filter((w) => w.name === name && ts.isIdentifier(w.object) && w.object.text === holder && lookup(holder, w.object) === value.node);
    return writes.length ? union(writes.map((w) => this.evaluate(w.value, value.frame))) : undefined;
  }

  /** `f.prototype`, and `f.helper = …`. */
  private functionMember(fn: Func, name: string): Value {
    if (name === 'prototype' && isConstructor(fn.node)) return this.constructed({ ...fn, node: fn.node });
    const holder = 'name' in fn.node && fn.node.name && ts.isIdentifier(fn.node.name) ? fn.node.name.text : undefined;
    if (holder === undefined) return UNKNOWN;
    for (const w of indexOf(fn.node.getSourceFile()).memberWrites) {
      if (w.name === name && ts.isIdentifier(w.object) && w.object.text === holder) return this.evaluate(w.value, this.openFrame(w.node));
    }
    return UNKNOWN;
  }

  private namespaceMember(node: Node, name: string): Value {
    if (ts.isEnumDeclaration(node)) {
      const member = node.members.find((m) => m.name.getText().replace(/['"]/g, '') === name);
      if (!member) return UNKNOWN;
      if (member.initializer) return this.evaluate(member.initializer, this.fileFrame(node.getSourceFile()));
      return constant(`${node.name.text}.${name}`);
    }
    if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) {
      const d = lookup(name, node.body);
      return d ? this.declaration(d, this.fileFrame(node.getSourceFile())) : UNKNOWN;
    }
    return UNKNOWN;
  }

  /** What is called where a module as a whole is: `const retry = require('async-retry')`. */
  callable(value: Value): Value {
    if (value.kind !== 'package' || value.path.length > 0) return value;
    const library = this.catalog.library(value.specifier);
    return library && this.catalog.exported(library, 'default') ? this.packageExport(value.specifier, ['default']) : value;
  }

  private packageMember(specifier: string, path: string[], name: string): Value {
    if (path.length === 0) {
      const found = this.packageExport(specifier, [name]);
      if (found.kind !== 'package') return found;
      // const tracer = require('dd-trace'): the whole module is what others import as its default.
      const whole = this.callable({ kind: 'package', specifier, path });
      return (whole.kind === 'library' && libraryMember(this, whole, name)) || found;
    }
    if (path.length === 1 && path[0] === 'default') return this.packageExport(specifier, [name]);
    return { kind: 'package', specifier, path: [...path, name] };
  }

  objectMember(object: Extract<Value, { kind: 'object' }>, name: string): Value {
    if (object.without?.includes(name)) return constant(undefined);
    let spread: Value | undefined;
    for (let i = propertiesOf(object).length - 1; i >= 0; i--) {
      const p = propertiesOf(object)[i];
      if (!p) continue;
      if (ts.isSpreadAssignment(p)) {
        const v = this.spreadMember(p, object.frame, name);
        if (v.kind !== 'unknown' && !(v.kind === 'constant' && v.value === undefined)) spread ??= v;
        else if (v.kind === 'unknown') spread ??= UNKNOWN;
        continue;
      }
      const key = this.propertyName(p.name, object.frame);
      if (key !== name) continue;
      if (ts.isPropertyAssignment(p)) return this.filled(p.initializer, name, object.node.getSourceFile(), object.frame) ?? this.evaluate(p.initializer, object.frame);
      if (ts.isShorthandPropertyAssignment(p)) return this.identifier(p.name, object.frame);
      if (ts.isMethodDeclaration(p)) return { kind: 'function', node: p, frame: object.frame, self: object };
      if (ts.isGetAccessorDeclaration(p)) return this.returned({ kind: 'function', node: p, frame: object.frame, self: object }, p, object.frame, []);
    }
    const assigned = this.assignedMember(object, name);
    return assigned ?? spread ?? constant(undefined);
  }

  /** `{ ...base }.name`. Of `options = { ...options, name }` each assignment spreads all the others: each is asked once. */
  private spreadMember(spread: Compiler.SpreadAssignment, frame: Frame, name: string): Value {
    let known = this.spreads.get(spread);
    if (!known) this.spreads.set(spread, (known = new Map()));
    const key = `${frame.id}:${name}`;
    const before = known.get(key);
    if (before) return before;
    // What a spread takes from itself is nothing new.
    known.set(key, constant(undefined));
    const value = this.member(this.evaluate(spread.expression, frame), name, frame);
    known.set(key, value);
    return value;
  }

  /** `options.handler = f` after the object was made. */
  private assignedMember(object: Extract<Value, { kind: 'object' }>, name: string): Value | undefined {
    const holder = object.node.parent;
    if (!ts.isVariableDeclaration(holder) || !ts.isIdentifier(holder.name)) return undefined;
    const variable = holder.name.text;
    for (const w of indexOf(object.node.getSourceFile()).memberWrites) {
      if (w.name === name && ts.isIdentifier(w.object) && w.object.text === variable && lookup(variable, w.object) === holder) {
        return this.evaluate(w.value, object.frame.fn && isInside(w.node, object.frame.fn) ? object.frame : this.openFrame(w.node));
      }
    }
    return undefined;
  }

  propertyName(name: Compiler.PropertyName | undefined, frame: Frame): string | undefined {
    if (!name) return undefined;
    if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
    if (ts.isComputedPropertyName(name)) {
      const v = this.evaluate(name.expression, frame);
      return v.kind === 'constant' && v.value != null ? String(v.value) : undefined;
    }
    return undefined;
  }

  /** A field or method of an object of the program's own class. */
  instanceMember(instance: Instance, name: string): Value {
    return this.once(`m:${instance.id}:${instance.frame.id}:${name}`, () => this.findInstanceMember(instance, instance.node, instance.frame, name) ?? UNKNOWN);
  }

  private findInstanceMember(instance: Instance, cls: ClassNode, frame: Frame, name: string): Value | undefined {
    for (const m of cls.members) {
      if (isStatic(m)) continue;
      if (ts.isMethodDeclaration(m) && m.body && this.propertyName(m.name, frame) === name) return { kind: 'function', node: m, frame, self: instance };
      if (ts.isGetAccessorDeclaration(m) && this.propertyName(m.name, frame) === name) return this.returned({ kind: 'function', node: m, frame, self: instance }, m, frame, []);
    }
    const inObject = this.objectFrame(instance, frame);
    const constructor = cls.members.find((m): m is Compiler.ConstructorDeclaration => ts.isConstructorDeclaration(m) && m.body !== undefined);
    const found: Value[] = [];
    let typed: Value | undefined;
    for (const m of cls.members) {
      if (!ts.isPropertyDeclaration(m) || isStatic(m) || this.propertyName(m.name, frame) !== name) continue;
      if (m.initializer) found.push(this.filled(m.initializer, name, cls, inObject) ?? this.evaluate(m.initializer, inObject));
      if (m.type) typed = this.types.value(m.type, inObject, `${instance.id}.${name}`, `this.${name}`);
    }
    const inConstructor = constructor && this.constructorFrame(instance, constructor, frame);
    for (const p of constructor?.parameters ?? []) {
      if (!ts.isParameterPropertyDeclaration(p, constructor as Node as Compiler.ParameterDeclaration['parent']) || p.name.getText() !== name) continue;
      if (inConstructor) return renamed(this.parameter(p, inConstructor), `this.${name}`, `${instance.id}.${name}`);
    }
    for (const w of indexOf(cls.getSourceFile()).memberWrites) {
      if (w.name !== name || w.object.kind !== ts.SyntaxKind.ThisKeyword || enclosingClass(w.node) !== cls) continue;
      const at = constructor && inConstructor && isInside(w.node, constructor) ? inConstructor : this.withSelf(w.node, this.openFrame(w.node), inObject);
      found.push(this.filled(w.value, name, cls, at) ?? this.evaluate(w.value, at));
    }
    const known = found.filter(isSomething);
    if (known.length) return renamed(union(known), `this.${name}`);
    if (typed && typed.kind !== 'unknown') return typed;
    const base = this.baseMember(instance, cls, frame, name);
    return base ?? typed ?? (found.length ? union(found) : undefined);
  }

  /** A field or method of an object that a constructor function made. */
  private constructedMember(made: Constructed, name: string): Value {
    return this.once(`m:${made.id}:${made.by.frame.id}:${name}`, () => this.findConstructedMember(made, name));
  }

  private findConstructedMember(made: Constructed, name: string): Value {
    const { node, frame } = made.by;
    const { members, objects } = prototypeOf(node);
    const own = (v: Value): Value => (v.kind === 'function' && !ts.isArrowFunction(v.node) ? { ...v, self: made } : v);
    const method = members.get(name);
    if (method) return own(this.evaluate(method, this.openFrame(method)));
    for (const o of objects) {
      const value = this.member(this.evaluate(o, this.openFrame(o)), name, frame);
      if (value.kind !== 'unknown' && !(value.kind === 'constant' && value.value === undefined)) return own(value);
    }
    const inConstructor = this.frameOfConstructed(made, node, frame);
    const found = fieldWrites(node, name).map((w) => {
      const at = isInside(w.node, node) ? this.within(w.node, node, inConstructor) : this.withSelf(w.node, this.openFrame(w.node), inConstructor);
      return this.filled(w.value, name, node.getSourceFile(), at) ?? this.evaluate(w.value, at);
    });
    const known = found.filter(isSomething);
    return known.length ? renamed(union(known), `this.${name}`) : found.length ? union(found) : UNKNOWN;
  }

  /** The frame in which a constructor function makes this object. */
  private frameOfConstructed(made: Constructed, fn: ConstructorFunction, lexical: Frame): Frame {
    const key = `k:${made.id}:${nodeId(fn)}:${lexical.id}`;
    let frame = this.open.get(key);
    if (!frame) this.open.set(key, (frame = new Frame(fn.getSourceFile(), lexical, fn, made.args, made, undefined, undefined)));
    return frame;
  }

  /** The frame of a node inside of a function that runs in a frame. */
  private within(node: Node, outer: FunctionNode, frame: Frame): Frame {
    const chain: FunctionNode[] = [];
    for (let n: Node | undefined = node.parent; n && n !== outer; n = n.parent) if (isFunctionNode(n)) chain.unshift(n);
    return chain.reduce((f, fn) => this.openChild(fn, f), frame);
  }

  private baseMember(instance: Instance, cls: ClassNode, frame: Frame, name: string): Value | undefined {
    const base = this.baseClass(cls, frame);
    if (!base) return undefined;
    if (base.kind === 'class') return this.findInstanceMember(instance, base.node, base.frame, name);
    if (base.kind === 'library') {
      const made = this.catalog.bind(base.shape.construct?.returns, base.library);
      const self = made ? shapeValue(made, { root: instance.id, name: 'this' }) : undefined;
      return self?.kind === 'library' ? libraryMember(this, self, name) : undefined;
    }
    return undefined;
  }

  baseClass(cls: ClassNode, frame: Frame): Value | undefined {
    const clause = cls.heritageClauses?.find((h) => h.token === ts.SyntaxKind.ExtendsKeyword);
    const type = clause?.types[0];
    if (!type) return undefined;
    const value = this.evaluate(type.expression, frame);
    return value;
  }

  /** The frame in which field initializers run. */
  private objectFrame(instance: Instance, lexical: Frame): Frame {
    const key = `o:${instance.id}:${lexical.id}`;
    let frame = this.open.get(key);
    if (!frame) {
      frame = new Frame(lexical.source, lexical, undefined, undefined, instance, undefined, undefined);
      this.open.set(key, frame);
    }
    return frame;
  }

  private constructorFrame(instance: Instance, constructor: FunctionNode, lexical: Frame): Frame {
    const key = `k:${instance.id}:${nodeId(constructor)}:${lexical.id}`;
    let frame = this.open.get(key);
    if (!frame) {
      const args = instance.node === constructor.parent ? instance.args : this.superArgs(instance, constructor.parent as ClassNode);
      frame = new Frame(constructor.getSourceFile(), lexical, constructor, args, instance, undefined, undefined);
      this.open.set(key, frame);
    }
    return frame;
  }

  /** Arguments that a subclass hands to `super(…)`. */
  private superArgs(instance: Instance, base: ClassNode): Thunk[] | undefined {
    let cls: ClassNode = instance.node;
    let lexical = instance.frame;
    for (let i = 0; i < 5; i++) {
      const constructor = cls.members.find((m): m is Compiler.ConstructorDeclaration => ts.isConstructorDeclaration(m) && m.body !== undefined);
      const up = this.baseClass(cls, lexical);
      if (up?.kind !== 'class') return undefined;
      if (up.node === base) {
        if (!constructor) return cls === instance.node ? instance.args : undefined;
        const at = this.constructorFrame(instance, constructor, lexical);
        for (const s of constructor.body?.statements ?? []) {
          if (ts.isExpressionStatement(s) && ts.isCallExpression(s.expression) && s.expression.expression.kind === ts.SyntaxKind.SuperKeyword) {
            return this.thunks(s.expression.arguments, at);
          }
        }
        return undefined;
      }
      cls = up.node;
      lexical = up.frame;
    }
    return undefined;
  }

  /** `self` is the class that was asked, which may have inherited the member. */
  staticMember(cls: ClassNode, name: string, frame: Frame, self: Extract<Value, { kind: 'class' }> = { kind: 'class', node: cls, frame }): Value | undefined {
    for (const m of cls.members) {
      if (!isStatic(m) || !m.name || this.propertyName(m.name, frame) !== name) continue;
      if (ts.isMethodDeclaration(m) && m.body) return { kind: 'function', node: m, frame, self };
      if (ts.isGetAccessorDeclaration(m)) return this.returned({ kind: 'function', node: m, frame, self }, m, frame, []);
      if (ts.isPropertyDeclaration(m)) {
        if (m.initializer) return this.filled(m.initializer, name, cls, frame) ?? this.evaluate(m.initializer, frame);
        if (m.type) {
          const assigned = this.staticAssigned(cls, name);
          return assigned ?? this.types.value(m.type, frame, `static:${nodeId(m)}`, `${cls.name?.text ?? ''}.${name}`);
        }
      }
    }
    const assigned = this.staticAssigned(cls, name);
    if (assigned) return assigned;
    const base = this.baseClass(cls, frame);
    if (base?.kind === 'class') return this.staticMember(base.node, name, base.frame, self);
    if (base?.kind === 'library') return libraryMember(this, { ...base, name: self.node.name?.text ?? base.name, root: base.root }, name);
    return undefined;
  }

  private staticAssigned(cls: ClassNode, name: string): Value | undefined {
    for (const w of indexOf(cls.getSourceFile()).memberWrites) {
      if (w.name !== name) continue;
      const onClass = (ts.isIdentifier(w.object) && w.object.text === cls.name?.text) || (w.object.kind === ts.SyntaxKind.ThisKeyword && enclosingClass(w.node) === cls);
      if (onClass) return this.evaluate(w.value, this.openFrame(w.node));
    }
    return undefined;
  }

  private array(node: Compiler.ArrayLiteralExpression, frame: Frame): Value {
    const elements: Value[] = [];
    let batch = false;
    for (const e of node.elements) {
      const v = this.evaluate(e, frame);
      if (ts.isSpreadElement(e)) {
        if (v.kind === 'list') {
          elements.push(...v.elements);
          batch ||= v.batch ?? false;
        } else {
          batch ||= v.kind === 'library' && v.shape.batch === true;
          elements.push(this.element(v));
        }
      } else elements.push(v);
    }
    return { kind: 'list', elements, ...(batch && { batch }), ...(isSingle(node) && { single: true }) };
  }

  private template(node: Compiler.TemplateExpression, frame: Frame): Value {
    const parts: (string | Value)[] = [node.head.text];
    for (const span of node.templateSpans) parts.push(this.evaluate(span.expression, frame), span.literal.text);
    return text(parts);
  }

  private conditional(node: Compiler.ConditionalExpression, frame: Frame): Value {
    const truth = truthOf(this.evaluate(node.condition, frame));
    if (truth !== undefined) return this.evaluate(truth ? node.whenTrue : node.whenFalse, frame);
    return union([this.evaluate(node.whenTrue, frame), this.evaluate(node.whenFalse, frame)]);
  }

  private binary(node: Compiler.BinaryExpression, frame: Frame): Value {
    const operator = node.operatorToken.kind;
    const left = this.evaluate(node.left, frame);
    if (operator === ts.SyntaxKind.EqualsToken) return this.evaluate(node.right, frame);
    if (operator === ts.SyntaxKind.CommaToken) return this.evaluate(node.right, frame);
    const right = this.evaluate(node.right, frame);
    switch (operator) {
      case ts.SyntaxKind.QuestionQuestionToken:
      case ts.SyntaxKind.BarBarToken: {
        const absent = left.kind === 'constant' && left.value == null;
        const useful = [left, right].filter((v) => v.kind !== 'unknown');
        if (absent) return right;
        if (isBoolean(left) || isBoolean(right)) return { kind: 'derived', operator: node.operatorToken.getText(), parts: [left, right], node };
        // `options.x ?? default`: the default only says something if the rest is not known.
        if (right.kind === 'constant' || (right.kind === 'list' && right.elements.length === 0) || right.kind === 'object') {
          if (left.kind === 'library' || left.kind === 'instance' || left.kind === 'function') return left;
        }
        return useful.length ? union(useful) : UNKNOWN;
      }
      case ts.SyntaxKind.AmpersandAmpersandToken:
        if (isBoolean(left) || isBoolean(right)) return { kind: 'derived', operator: '&&', parts: [left, right], node };
        return right.kind === 'unknown' ? left : right;
      case ts.SyntaxKind.PlusToken: {
        if (left.kind === 'constant' && right.kind === 'constant' && typeof left.value === 'number' && typeof right.value === 'number') return constant(left.value + right.value);
        if (isText(left) || isText(right)) return text([left.kind === 'constant' ? String(left.value) : left, right.kind === 'constant' ? String(right.value) : right]);
        return { kind: 'derived', operator: '+', parts: [left, right], node };
      }
      default:
        return { kind: 'derived', operator: node.operatorToken.getText(), parts: [left, right], node };
    }
  }

  private unary(node: Compiler.PrefixUnaryExpression, frame: Frame): Value {
    const operand = this.evaluate(node.operand, frame);
    if (node.operator === ts.SyntaxKind.ExclamationToken) {
      if (operand.kind === 'constant') return constant(!operand.value);
      return { kind: 'derived', operator: '!', parts: [operand], node };
    }
    if (operand.kind === 'constant' && typeof operand.value === 'number' && node.operator === ts.SyntaxKind.MinusToken) return constant(-operand.value);
    const step = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return { kind: 'derived', operator: step ? 'step' : 'unary', parts: [operand], node };
  }

  private tagged(node: Compiler.TaggedTemplateExpression, frame: Frame): Value {
    const tag = this.evaluate(node.tag, frame);
    if (tag.kind === 'library' && tag.shape.call) return libraryCall(this, tag, node, { nodes: templateValues(node), frame }, frame);
    return UNKNOWN;
  }

  thunks(nodes: readonly Expression[] | undefined, frame: Frame): Thunk[] {
    const made: Thunk[] = [];
    for (const n of nodes ?? []) {
      if (ts.isSpreadElement(n)) {
        const v = this.evaluate(n.expression, frame);
        if (v.kind === 'list') for (const e of v.elements) made.push(() => e);
        else made.push(() => this.element(v));
      } else made.push(() => this.evaluate(n, frame));
    }
    return made;
  }

  private call(node: Compiler.CallExpression, frame: Frame): Value {
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const s = node.arguments[0];
      return s ? requiredBy(this, this.evaluate(s, frame), node.getSourceFile()) : UNKNOWN;
    }
    if (ts.isIdentifier(node.expression) && node.expression.text === 'require' && !lookup('require', node.expression)) {
      const s = node.arguments[0] && this.evaluate(node.arguments[0], frame);
      return s ? requiredBy(this, s, node.getSourceFile()) : UNKNOWN;
    }
    const builtin = builtinCall(this, node, frame);
    if (builtin) return builtin;
    const callee = this.evaluate(node.expression, frame);
    return this.applied(callee, node, frame, this.thunks(node.arguments, frame));
  }

  /** The result of calling a value. */
  applied(callee: Value, node: CallLike, frame: Frame, args: Thunk[], nodes?: readonly Expression[]): Value {
    switch (callee.kind) {
      case 'function':
        return this.returned(callee, node, frame, args);
      case 'library':
        return libraryCall(this, callee, node, { nodes: nodes ?? argumentsOf(node), frame, values: args }, frame);
      case 'union':
        return union(callee.options.map((o) => this.applied(o, node, frame, args, nodes)));
      case 'package': {
        // A default import that is a function in the catalog under `default`, called through its namespace.
        const folder = folderCall(this, callee, node, args);
        if (folder) return folder;
        const whole = this.callable(callee);
        if (whole !== callee) return this.applied(whole, node, frame, args, nodes);
        // Functions of unknown packages may hand their argument on (middleware); the engine asks for it where it matters.
        return { kind: 'derived', operator: 'call', parts: args.slice(0, 4).map((a) => a()), node };
      }
      case 'derived':
        if (callee.operator === 'namespace') return UNKNOWN;
        return { kind: 'derived', operator: 'call', parts: [...callee.parts, ...args.slice(0, 4).map((a) => a())], node, ...(callee.minted && { minted: callee.minted }) };
      case 'parameter':
        return { kind: 'derived', operator: 'result', parts: [callee], node };
      case 'typed':
        return callee.gives ?? UNKNOWN;
      default:
        return UNKNOWN;
    }
  }

  /** What a function of the program gives back when called like this. */
  returned(fn: Func, call: Node, frame: Frame, args: Thunk[]): Value {
    const inner = this.enter(fn, call, frame, args);
    if (!inner) return UNKNOWN;
    return this.resultIn(fn.node, inner);
  }

  enter(fn: Func, call: Node, frame: Frame, args: readonly Thunk[]): Frame | undefined {
    const all = fn.bound ? [...fn.bound, ...args] : args;
    return frame.enter(call, fn.node, fn.frame, all, fn.self ?? this.boundSelf(fn));
  }

  private boundSelf(fn: Func): Value | undefined {
    if (ts.isArrowFunction(fn.node)) return undefined;
    return ts.isClassLike(fn.node.parent) ? this.selfOf(fn.node, fn.frame) : undefined;
  }

  resultIn(node: FunctionNode, frame: Frame): Value {
    const key = `r${nodeId(node)}@${frame.id}`;
    return this.once(key, () => {
      const found = returnExpressions(node).map((e) => (e ? this.evaluate(e, frame) : constant(undefined)));
      const value = found.length > 1 ? union(found, { result: frame.id }) : (found[0] ?? UNKNOWN);
      const isUnknown = options(value).every((v) => v.kind === 'unknown');
      return isUnknown && node.type ? (this.types.value(node.type, frame, key, 'result') ?? UNKNOWN) : value;
    });
  }

  private construct(node: Compiler.NewExpression, frame: Frame): Value {
    const builtin = builtinNew(this, node, frame);
    if (builtin) return builtin;
    const callee = this.evaluate(node.expression, frame);
    for (const c of options(callee)) {
      if (c.kind === 'class') return this.instantiate(c.node, c.frame, node, frame);
      if (c.kind === 'library' && c.shape.construct) {
        return libraryCall(this, { ...c, shape: { ...c.shape, call: c.shape.construct } }, node, { nodes: node.arguments ?? [], frame }, frame, true);
      }
      if (c.kind === 'package') {
        const library = this.catalog.library(c.specifier);
        const bound = library && c.path.length === 0 ? this.catalog.exported(library, 'default') : undefined;
        if (bound?.shape.construct) {
          const made = shapeValue({ library: bound.library, shape: { ...bound.shape, call: bound.shape.construct } }, { root: `${c.specifier}:default`, name: c.specifier });
          if (made.kind !== 'library') return made;
          return libraryCall(this, made, node, { nodes: node.arguments ?? [], frame }, frame, true);
        }
      }
      if (c.kind === 'function' && (ts.isFunctionDeclaration(c.node) || ts.isFunctionExpression(c.node))) return this.makeBy({ ...c, node: c.node }, node, frame);
    }
    return UNKNOWN;
  }

  /** `new` of a function: the object that it returns, or else the one that it fills. */
  private makeBy(by: Constructed['by'], node: Compiler.NewExpression, frame: Frame): Value {
    const args = this.thunks(node.arguments, frame);
    const returned = options(this.returned(by, node, frame, args)).filter((v) => v.kind === 'instance' || v.kind === 'object' || v.kind === 'library' || (v.kind === 'constructed' && v.by.node !== by.node));
    return returned.length ? union(returned) : { kind: 'constructed', by, args, id: `new:${frame.key(node)}` };
  }

  private instantiate(cls: ClassNode, lexical: Frame, node: Compiler.NewExpression, frame: Frame): Value {
    return { kind: 'instance', node: cls, frame: lexical, args: this.thunks(node.arguments, frame), id: `new:${frame.key(node)}`, made: { node, frame } };
  }
}

function scopeFile(c: Collection): SourceFile {
  return ts.isSourceFile(c.scope as Node) ? (c.scope as SourceFile) : c.scope.getSourceFile();
}

/** The variable or property that holds a collection. */
function isHolder(e: Expression, name: string): boolean {
  const n = unwrap(e);
  if (ts.isIdentifier(n)) return n.text === name;
  return ts.isPropertyAccessExpression(n) && n.name.text === name;
}

/** What `i++` leaves in `i`: one of many numbers. */
export function stepped(node: Step): Value {
  return { kind: 'derived', operator: 'step', parts: [], node };
}

/** Names a variable of one frame, for paths that know what it holds. */
export function variableKey(d: Declaration, frame: Frame): string {
  return `${nodeId(d)}@${frame.id}`;
}

/** The library value, among what a value was made from, that has a batch under this name. */
function derivedFrom(v: Value, name: string, depth: number): Extract<Value, { kind: 'library' }> | undefined {
  if (v.kind === 'library') return v.shape.members && Object.hasOwn(v.shape.members, name) && v.shape.eventType ? v : undefined;
  if (v.kind !== 'derived' || depth > 3) return undefined;
  for (const p of v.parts) {
    const found = derivedFrom(p, name, depth + 1);
    if (found) return found;
  }
  return undefined;
}

export function isInside(node: Node, outer: Node): boolean {
  for (let n: Node | undefined = node; n; n = n.parent) if (n === outer) return true;
  return false;
}

export function isStatic(m: Node): boolean {
  return ts.canHaveModifiers(m) && (ts.getModifiers(m)?.some((x) => x.kind === ts.SyntaxKind.StaticKeyword) ?? false);
}

/** The position of a parameter among the arguments; TypeScript's `this` parameter takes none. */
export function parameterIndex(fn: FunctionNode, d: Compiler.ParameterDeclaration): number {
  const [first] = fn.parameters;
  const offset = first && ts.isIdentifier(first.name) && first.name.text === 'this' ? 1 : 0;
  return fn.parameters.indexOf(d) - offset;
}

const returnLists = new WeakMap<Node, (Expression | undefined)[]>();

/** The expressions that a function returns, its nested functions left out. */
export function returnExpressions(fn: FunctionNode): (Expression | undefined)[] {
  let found = returnLists.get(fn);
  if (found) return found;
  found = [];
  returnLists.set(fn, found);
  const list = found;
  if (!fn.body) return found;
  if (!ts.isBlock(fn.body)) {
    found.push(fn.body);
    return found;
  }
  const visit = (n: Node): void => {
    if (isFunctionNode(n) || ts.isClassLike(n)) return;
    if (ts.isReturnStatement(n)) list.push(n.expression);
    else ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn.body, visit);
  return found;
}

export function argumentsOf(node: CallLike): readonly Expression[] {
  return ts.isTaggedTemplateExpression(node) ? templateValues(node) : (node.arguments ?? []);
}

export function templateValues(node: Compiler.TaggedTemplateExpression): readonly Expression[] {
  return ts.isTemplateExpression(node.template) ? node.template.templateSpans.map((s) => s.expression) : [];
}

export function inherit(value: Extract<Value, { kind: 'library' }>): { root: string; name: string; call?: string; stability?: NonNullable<typeof value.stability> } {
  return {
    root: value.root,
    name: value.name,
    ...(value.call !== undefined && { call: value.call }),
    ...(value.stability && { stability: value.stability }),
  };
}

function renamed(value: Value, name: string, root?: string): Value {
  return value.kind === 'library' ? { ...value, name, ...(root !== undefined && value.root.startsWith('param:') && { root }) } : value;
}

/** `[order]`, to which the code that holds it adds nothing. */
function isSingle(node: Compiler.ArrayLiteralExpression): boolean {
  const [only, ...more] = node.elements;
  if (!only || more.length > 0 || ts.isSpreadElement(only)) return false;
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return ts.isCallExpression(parent) || ts.isForOfStatement(parent) || ts.isPropertyAccessExpression(parent);
  const holder = parent.name.text;
  const { calls } = indexOf(node.getSourceFile());
  return !['push', 'unshift', 'splice'].some((method) => (calls.get(method) ?? []).some((c) => ts.isPropertyAccessExpression(c.expression) && isHolder(c.expression.expression, holder)));
}

/** `name: null` in an object: a place that is filled later. */
function isEmptySlot(p: Compiler.ObjectLiteralElementLike): boolean {
  if (!ts.isPropertyAssignment(p)) return false;
  const value = unwrap(p.initializer);
  return value.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(value) && value.text === 'undefined');
}

function isCallee(node: Compiler.PropertyAccessExpression): boolean {
  return ts.isCallExpression(node.parent) && node.parent.expression === node;
}

function isText(v: Value): boolean {
  return v.kind === 'text' || (v.kind === 'constant' && typeof v.value === 'string');
}

function isBoolean(v: Value): boolean {
  if (v.kind === 'constant') return typeof v.value === 'boolean';
  return v.kind === 'derived' && ['!', '===', '!==', '==', '!=', '<', '>', '<=', '>=', '&&', '||', 'in', 'instanceof'].includes(v.operator);
}

export function text(parts: (string | Value)[]): Value {
  const merged: (string | Value)[] = [];
  for (const p of parts) {
    const pieces = typeof p !== 'string' && p.kind === 'text' ? p.parts : typeof p !== 'string' && p.kind === 'constant' ? [String(p.value)] : [p];
    for (const piece of pieces) {
      const last = merged.at(-1);
      if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
      else merged.push(piece);
    }
  }
  const [only] = merged;
  if (merged.every((m) => typeof m === 'string')) return constant(merged.join(''));
  return merged.length === 1 && only !== undefined && typeof only !== 'string' ? only : { kind: 'text', parts: merged };
}

/** `rest` of `const { id, ...rest } = order` has no `id`. */
function restOf(value: Value, pattern: Compiler.ObjectBindingPattern): Value {
  const taken = pattern.elements.flatMap((x) => (x.dotDotDotToken ? [] : [(x.propertyName ?? x.name).getText()]));
  if (value.kind === 'union') return union(value.options.map((o) => restOf(o, pattern)));
  return value.kind === 'object' ? { ...value, without: [...(value.without ?? []), ...taken] } : value;
}

/** Nothing is known of it, or of what it is a property of. */
function isUntraced(value: Value): boolean {
  if (value.kind === 'unknown' || value.kind === 'parameter' || isUnknownResult(value)) return true;
  const [of] = value.kind === 'derived' && value.operator.startsWith('.') && value.node === undefined && !value.minted ? value.parts : [];
  return of !== undefined && isUntraced(of);
}

/** What a call has given of which nothing is known. */
function isUnknownResult(value: Value): boolean {
  return value.kind === 'derived' && (value.operator === 'result' || value.operator === 'call') && value.minted === undefined;
}
