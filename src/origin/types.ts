import { ts, type ClassNode, type Compiler, type Node, type SourceFile } from '../syntax/compiler.js';
import { exportsOf } from '../syntax/exports.js';
import { nodeId } from '../syntax/ids.js';
import { lookup, lookupType, type Declaration } from '../syntax/scope.js';
import type { Evaluator } from './evaluate.js';
import type { Frame } from './frame.js';
import { shapeValue } from './library.js';
import { union, type Value } from './value.js';

/** Types that stand for their argument. */
const TRANSPARENT = new Set(['Promise', 'PromiseLike', 'Readonly', 'Partial', 'Required', 'NonNullable', 'Awaited', 'DeepPartial', 'Pick', 'Omit']);

interface GivenType {
  type: Compiler.TypeNode | undefined;
  given: GivenTypes;
}

type GivenTypes = ReadonlyMap<string, GivenType>;

/** Reads type annotations: which library's, or which class of the program, a value is said to be. */
export class Types {
  private readonly active = new Set<Node>();
  /** What the parameters of the alias at hand stand for. */
  private given: GivenTypes = new Map();

  constructor(private readonly evaluator: Evaluator) {}

  /** A value of this type; undefined where the type says nothing that the engine knows. */
  value(type: Compiler.TypeNode, frame: Frame, root: string, name: string): Value | undefined {
    if (this.active.has(type) || this.evaluator.depth > 120) return undefined;
    this.active.add(type);
    this.evaluator.depth++;
    try {
      return this.compute(type, frame, root, name);
    } finally {
      this.evaluator.depth--;
      this.active.delete(type);
    }
  }

  /** The type that a JSDoc comment gives in plain JavaScript. */
  jsDoc(d: Node, frame: Frame, root: string, name = d.getText().slice(0, 40)): Value | undefined {
    if (!(d.flags & ts.NodeFlags.JavaScriptFile)) return undefined;
    const type = ts.getJSDocType(d);
    return type && this.value(type, frame, root, name);
  }

  private compute(type: Compiler.TypeNode, frame: Frame, root: string, name: string): Value | undefined {
    if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return this.value(type.type, frame, root, name);
    if (ts.isTypeReferenceNode(type)) return this.reference(type, frame, root, name);
    if (ts.isExpressionWithTypeArguments(type) && (ts.isIdentifier(type.expression) || ts.isPropertyAccessExpression(type.expression))) {
      return this.named(type.expression.getText().split('.'), type, frame, root, name, type.typeArguments);
    }
    if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) {
      const found = type.types.map((t) => this.value(t, frame, root, name)).filter((v) => v !== undefined);
      return oneConnection(found) ?? (found.length ? union(found) : undefined);
    }
    if (ts.isArrayTypeNode(type)) {
      const element = this.value(type.elementType, frame, `${root}[]`, name);
      return element && { kind: 'list', elements: [element], ...(isMessage(element) && { batch: true }) };
    }
    if (ts.isIndexedAccessTypeNode(type)) {
      const object = this.value(type.objectType, frame, root, name);
      if (object && ts.isLiteralTypeNode(type.indexType) && ts.isStringLiteral(type.indexType.literal)) {
        const found = this.evaluator.member(object, type.indexType.literal.text, frame);
        return found.kind === 'unknown' ? undefined : found;
      }
      return undefined;
    }
    if (ts.isTypeQueryNode(type)) return this.typeQuery(type, frame);
    if (ts.isImportTypeNode(type)) return this.importType(type, frame, root, name);
    if (ts.isTypeLiteralNode(type)) return this.literalMembers(type.members, frame, root, name);
    if (ts.isFunctionTypeNode(type)) return this.thunk(type, frame, root, name);
    return undefined;
  }

  private reference(type: Compiler.TypeReferenceNode, frame: Frame, root: string, name: string): Value | undefined {
    const path = entityName(type.typeName);
    const [last] = path;
    const argument = type.typeArguments?.[0];
    const given = path.length === 1 && last !== undefined ? this.given.get(last) : undefined;
    if (given) return this.ofParameter(given, frame, root, name);
    if (path.length === 1 && last !== undefined && !lookupType(last, type)) {
      if (TRANSPARENT.has(last) && argument) return this.value(argument, frame, root, name);
      if ((last === 'Array' || last === 'ReadonlyArray' || last === 'AsyncIterable' || last === 'Iterable') && argument) {
        const element = this.value(argument, frame, `${root}[]`, name);
        return element && { kind: 'list', elements: [element], ...(isMessage(element) && { batch: true }) };
      }
      if (last === 'ReturnType' && argument && ts.isTypeQueryNode(argument)) {
        const fn = this.typeQuery(argument, frame);
        return fn && this.evaluator.applied(fn, type as unknown as Compiler.CallExpression, frame, []);
      }
      if (last === 'InstanceType' && argument && ts.isTypeQueryNode(argument)) {
        const cls = this.typeQuery(argument, frame);
        return cls?.kind === 'class' ? this.evaluator.injected(cls.node, cls.frame) : undefined;
      }
      const global = this.evaluator.catalog.globalType(last);
      if (global) return shapeValue(global, { root, name, typeArgs: argumentTexts(type.typeArguments) });
    }
    return this.named(path, type, frame, root, name, type.typeArguments);
  }

  /** A name, possibly qualified, in a type: of an import, a class, an alias or an interface. */
  private named(path: string[], at: Node, frame: Frame, root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    const [first, ...rest] = path;
    if (first === undefined) return undefined;
    const declaration = lookupType(first, at) ?? lookup(first, at);
    return declaration && this.declared(declaration, rest, frame, root, name, typeArguments);
  }

  private declared(d: Declaration, rest: string[], frame: Frame, root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    if (ts.isClassLike(d)) return rest.length === 0 ? this.ofClass(d) : undefined;
    if (ts.isTypeAliasDeclaration(d)) return this.ofAlias(d, frame, root, name, typeArguments);
    if (ts.isInterfaceDeclaration(d)) return this.ofInterface(d, frame, root, name);
    if (ts.isImportSpecifier(d)) return this.imported(d, (d.propertyName ?? d.name).text, rest, frame, root, name, typeArguments);
    if (ts.isImportClause(d)) return this.imported(d, 'default', rest, frame, root, name, typeArguments);
    if (ts.isNamespaceImport(d)) {
      const [member, ...more] = rest;
      return member === undefined ? undefined : this.imported(d, member, more, frame, root, name, typeArguments);
    }
    if (ts.isVariableDeclaration(d) || ts.isBindingElement(d)) {
      // `const { Pool } = require('pg')`, then a JSDoc type `Pool`.
      const value = this.evaluator.declaration(d, frame);
      return this.asInstance(value, rest, root, name, typeArguments);
    }
    if (ts.isModuleDeclaration(d) && d.body && ts.isModuleBlock(d.body)) {
      const [member, ...more] = rest;
      const inner = member === undefined ? undefined : lookupType(member, d.body);
      return inner && this.declared(inner, more, frame, root, name, typeArguments);
    }
    return undefined;
  }

  /** The type behind an alias; its own parameters stand for what was given for them. */
  private ofAlias(d: Compiler.TypeAliasDeclaration, frame: Frame, root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    const outer = this.given;
    this.given = new Map(d.typeParameters?.map((p, i) => [p.name.text, { type: typeArguments?.[i], given: outer }]));
    try {
      return this.value(d.type, frame, root, name);
    } finally {
      this.given = outer;
    }
  }

  /** The type that was given for a parameter, read where it was written. */
  private ofParameter({ type, given }: GivenType, frame: Frame, root: string, name: string): Value | undefined {
    const inner = this.given;
    this.given = given;
    try {
      return type && this.value(type, frame, root, name);
    } finally {
      this.given = inner;
    }
  }

  private asInstance(value: Value, rest: string[], root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    if (value.kind === 'class') return this.evaluator.injected(value.node, value.frame);
    if (value.kind === 'package') return this.ofPackage(value.specifier, [...value.path, ...rest], root, name, typeArguments);
    if (value.kind === 'library') {
      const made = this.evaluator.catalog.bind(value.shape.construct?.returns, value.library);
      return made && shapeValue(made, { root, name, typeArgs: argumentTexts(typeArguments) });
    }
    return undefined;
  }

  private imported(d: Node, exported: string, rest: string[], frame: Frame, root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    let n: Node = d;
    while (!ts.isImportDeclaration(n) && n.parent) n = n.parent;
    if (!ts.isImportDeclaration(n) || !ts.isStringLiteral(n.moduleSpecifier)) return undefined;
    return this.fromModule(n.moduleSpecifier.text, exported, rest, n.getSourceFile(), frame, root, name, typeArguments);
  }

  private fromModule(specifier: string, exported: string, rest: string[], from: SourceFile, frame: Frame, root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    const target = this.evaluator.imported(specifier, from);
    if ('library' in target) return this.ofPackage(target.library, exported === 'default' ? ['default', ...rest] : [exported, ...rest], root, name, typeArguments);
    return this.exportedType(target.source, exported, rest, root, name, typeArguments, new Set());
  }

  private exportedType(source: SourceFile, exported: string, rest: string[], root: string, name: string, typeArguments: readonly Compiler.TypeNode[] | undefined, seen: Set<string>): Value | undefined {
    const key = `${source.fileName}#${exported}`;
    if (seen.has(key) || this.evaluator.depth > 120) return undefined;
    seen.add(key);
    this.evaluator.depth++;
    try {
      return this.findExportedType(source, exported, rest, root, name, typeArguments, seen);
    } finally {
      this.evaluator.depth--;
    }
  }

  private findExportedType(source: SourceFile, exported: string, rest: string[], root: string, name: string, typeArguments: readonly Compiler.TypeNode[] | undefined, seen: Set<string>): Value | undefined {
    const frame = this.evaluator.fileFrame(source);
    const exports = exportsOf(source);
    const e = exports.named.get(exported);
    // `export { X }` finds a value before a type of the same name; look for the type as well.
    const local = lookupType(exported, source);
    if (e?.kind === 'declaration') return this.declared(local && !ts.isImportSpecifier(e.node) ? local : e.node, rest, frame, root, name, typeArguments);
    if (e?.kind === 'from') {
      const target = this.evaluator.imported(e.specifier, source);
      return 'library' in target ? this.ofPackage(target.library, [e.name, ...rest], root, name, typeArguments) : this.exportedType(target.source, e.name, rest, root, name, typeArguments, seen);
    }
    if (e?.kind === 'expression' && ts.isIdentifier(e.node)) {
      const d = lookupType(e.node.text, source) ?? lookup(e.node.text, source);
      if (d) return this.declared(d, rest, frame, root, name, typeArguments);
    }
    if (e?.kind === 'namespace') {
      const [member, ...more] = rest;
      return member === undefined ? undefined : this.fromModule(e.specifier, member, more, source, frame, root, name, typeArguments);
    }
    if (local) return this.declared(local, rest, frame, root, name, typeArguments);
    for (const star of exports.stars) {
      const target = this.evaluator.imported(star, source);
      const found = 'library' in target ? this.ofPackage(target.library, [exported, ...rest], root, name, typeArguments) : this.exportedType(target.source, exported, rest, root, name, typeArguments, seen);
      if (found) return found;
    }
    if (exports.whole) {
      const value = this.evaluator.evaluate(exports.whole, frame);
      return this.asInstance(exported === 'default' ? value : this.evaluator.member(value, exported, frame), rest, root, name, typeArguments);
    }
    return undefined;
  }

  /** A type of a catalogued package, by its last name: `Stripe.Event` is `Event`. */
  private ofPackage(specifier: string, path: string[], root: string, name: string, typeArguments?: readonly Compiler.TypeNode[]): Value | undefined {
    const { catalog } = this.evaluator;
    const library = catalog.library(specifier);
    if (!library) return undefined;
    const parts = path.filter((p) => p !== 'default');
    const candidates = [parts.join('.'), parts.at(-1), path.length === 1 && path[0] === 'default' ? 'default' : undefined];
    for (const c of candidates) {
      if (!c) continue;
      const bound = c === 'default' ? this.defaultType(library) : catalog.type(library, c);
      if (!bound) continue;
      // The export of a class: an annotation means an object of it.
      const made = bound.shape.construct && !library.types?.[c] ? (catalog.bind(bound.shape.construct.returns, library) ?? bound) : bound;
      return shapeValue(made, { root, name, typeArgs: argumentTexts(typeArguments) });
    }
    return undefined;
  }

  private defaultType(library: NonNullable<ReturnType<Evaluator['catalog']['library']>>): ReturnType<Evaluator['catalog']['type']> {
    const bound = this.evaluator.catalog.exported(library, 'default');
    if (!bound) return undefined;
    return this.evaluator.catalog.bind(bound.shape.construct?.returns ?? bound.shape.call?.returns, library);
  }

  private ofClass(d: ClassNode): Value {
    const home = this.evaluator.fileFrame(d.getSourceFile());
    const isAbstract = d.modifiers?.some((m) => m.kind === ts.SyntaxKind.AbstractKeyword);
    const only = isAbstract ? this.evaluator.onlySubclass?.(d) : undefined;
    return this.evaluator.injected(only ?? d, only ? this.evaluator.fileFrame(only.getSourceFile()) : home);
  }

  /** An interface stands for the one class that implements it, for what it extends, or for its own members. */
  private ofInterface(d: Compiler.InterfaceDeclaration, frame: Frame, root: string, name: string): Value | undefined {
    const only = this.evaluator.onlyImplementation?.(d);
    if (only) return this.evaluator.injected(only, this.evaluator.fileFrame(only.getSourceFile()));
    for (const h of d.heritageClauses ?? []) {
      for (const t of h.types) {
        const found = this.value(t, frame, root, name);
        if (found && (found.kind === 'library' || found.kind === 'instance')) return found;
      }
    }
    return this.literalMembers(d.members, this.evaluator.fileFrame(d.getSourceFile()), root, name);
  }

  /** An object type with members of known types: only those are known of the value. */
  private literalMembers(members: readonly Compiler.TypeElement[], frame: Frame, root: string, name: string): Value | undefined {
    const known = members.filter((m): m is Compiler.PropertySignature => ts.isPropertySignature(m) && m.type !== undefined);
    const [first] = known;
    if (!first) return undefined;
    return { kind: 'typed', members: known, frame, root, name };
  }

  /** `() => Knex`: what it gives is known. A function that takes something may be a handler, which a type does not tell. */
  private thunk(type: Compiler.FunctionTypeNode, frame: Frame, root: string, name: string): Value | undefined {
    if (type.parameters.length > 0) return undefined;
    const gives = this.value(type.type, frame, `${root}()`, name);
    if (gives?.kind !== 'library' && gives?.kind !== 'class') return undefined;
    return { kind: 'typed', members: [], frame, root, name, gives };
  }

  private typeQuery(type: Compiler.TypeQueryNode, frame: Frame): Value | undefined {
    const [first, ...rest] = entityName(type.exprName);
    const d = first === undefined ? undefined : lookup(first, type);
    if (!d) return undefined;
    let value = this.evaluator.declaration(d, frame);
    for (const r of rest) value = this.evaluator.member(value, r, frame);
    return value;
  }

  private importType(type: Compiler.ImportTypeNode, frame: Frame, root: string, name: string): Value | undefined {
    if (!ts.isLiteralTypeNode(type.argument) || !ts.isStringLiteral(type.argument.literal)) return undefined;
    const [first, ...rest] = type.qualifier ? entityName(type.qualifier) : ['default'];
    return this.fromModule(type.argument.literal.text, first ?? 'default', rest, type.getSourceFile(), frame, root, name, type.typeArguments);
  }

  /** The library type behind an annotation, for handler and event types. */
  shapeOf(type: Compiler.TypeNode, frame: Frame): Extract<Value, { kind: 'library' }> | undefined {
    const value = this.value(type, frame, `type:${nodeId(type)}`, type.getText().slice(0, 60));
    if (value?.kind === 'library') return value;
    if (value?.kind === 'union') return value.options.find((o): o is Extract<Value, { kind: 'library' }> => o.kind === 'library');
    return undefined;
  }
}


/** `Database | Transaction`: whichever it is, the same library does the same work on it. */
function oneConnection(options: readonly Value[]): Value | undefined {
  const connections = options.flatMap((o) => (o.kind === 'union' ? o.options : [o])).filter((o) => o.kind === 'library');
  const [first] = connections;
  if (!first || options.length < 2 || !connections.some((o) => o.shape.connection)) return undefined;
  return connections.every((o) => o.library === first.library) ? first : undefined;
}

function argumentTexts(nodes: readonly Compiler.TypeNode[] | undefined): string[] {
  return nodes?.map((n) => n.getText()) ?? [];
}

function entityName(n: Compiler.EntityName): string[] {
  return ts.isIdentifier(n) ? [n.text] : [...entityName(n.left), n.right.text];
}

function isMessage(v: Value): boolean {
  return v.kind === 'library' && v.shape.message === true;
}
