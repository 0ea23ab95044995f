import type { Catalog } from '../catalog/catalog.js';
import type { Registration, Shape } from '../catalog/schema.js';
import type { Evaluator } from '../origin/evaluate.js';
import { renewFrames, type Frame } from '../origin/frame.js';
import { argument, isMet } from '../origin/library.js';
import { options, type Args, type LibraryValue, type Value } from '../origin/value.js';
import { ts, decoratorsOf, isFunctionNode, type CallLike, type Compiler, type Expression, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { handling, type Registered } from './registered.js';
import { untypedLambda } from './untyped-lambda.js';

/** Names under which something registers a handler, for a quick look before anything is evaluated. */
export function registeringNames(catalog: Catalog): ReadonlySet<string> {
  // A client that sends commands registers by the command that it is given.
  return namesOf(catalog, (shape) => Boolean(shape.call?.registers ?? shape.construct?.registers ?? shape.call?.sends));
}

/** Names of methods that register a handler or settle a message. */
export function clientMethods(catalog: Catalog): ReadonlySet<string> {
  return namesOf(catalog, (shape) => Boolean(shape.call?.registers ?? shape.call?.settles));
}

function namesOf(catalog: Catalog, isWanted: (shape: Shape) => boolean): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Shape>();
  const visit = (name: string, ref: unknown): void => {
    if (typeof ref !== 'object' || ref === null) return;
    const shape = ref as Shape;
    if (name !== '' && isWanted(shape)) names.add(name);
    if (seen.has(shape)) return;
    seen.add(shape);
    if (shape.command?.registers) names.add(name);
    for (const c of [shape.call, shape.construct]) {
      const made = c?.returns;
      if (typeof made === 'object' && made.command?.registers) names.add(name);
      if (typeof made === 'object') visit('', made);
    }
    for (const [n, r] of Object.entries(shape.members ?? {})) visit(n, r);
  };
  for (const library of catalog.libraries) {
    for (const [n, r] of Object.entries({ ...library.exports, ...library.globals })) visit(n, r);
    for (const r of Object.values(library.types ?? {})) visit('', r);
  }
  return names;
}

/** Everything in one file that registers a handler by itself. */
export class RegistrationFinder {
  private readonly names: ReadonlySet<string>;

  constructor(private readonly e: Evaluator) {
    this.names = registeringNames(e.catalog);
  }

  find(source: SourceFile): Registered[] {
    renewFrames();
    return [...this.calls(source), ...this.classes(source), ...this.exports(source), ...this.typedFunctions(source)];
  }

  private calls(source: SourceFile): Registered[] {
    const found: Registered[] = [];
    const index = indexOf(source);
    for (const [name, nodes] of index.calls) {
      if (!this.names.has(name) && name !== '') {
        // A default import keeps no name of the library's: `new Queue()`, `Worker`.
        if (!nodes.some((n) => ts.isNewExpression(n))) continue;
      }
      for (const node of nodes) found.push(...this.call(node));
    }
    return found;
  }

  call(node: Compiler.CallExpression | Compiler.NewExpression, frame = this.e.openFrame(node)): Registered[] {
    const found: Registered[] = [];
    for (const callee of options(this.e.evaluate(node.expression, frame))) {
      const target = callee.kind === 'package' ? this.defaultExport(callee.specifier) : callee.kind === 'class' && ts.isNewExpression(node) ? this.libraryBase(callee) : callee;
      if (target?.kind !== 'library') continue;
      const call = ts.isNewExpression(node) ? target.shape.construct : target.shape.call;
      const args: Args = { nodes: node.arguments ?? [], frame };
      if (call?.registers) found.push(...this.registered(call.registers, target, args, node, frame));
      // const message = new ReceiveMessageCommand(…): the command registers where it is sent.
      if (call?.sends !== undefined) {
        const command = argument(this.e, args, call.sends, target);
        for (const c of command ? options(command) : []) {
          if (c.kind === 'library' && c.shape.command?.registers) found.push(...this.registered(c.shape.command.registers, c, c.args ?? args, node, frame));
        }
      }
    }
    return found;
  }

  private libraryBase(value: Extract<Value, { kind: 'class' }>): Value | undefined {
    return this.e.baseClass(value.node, value.frame);
  }

  private defaultExport(specifier: string): Value | undefined {
    const library = this.e.catalog.library(specifier);
    return library ? this.e.packageExport(specifier, ['default']) : undefined;
  }

  /** The conditions of a registration are met. */
  private applies({ when }: Registration, args: Args, callee?: LibraryValue): boolean {
    const conditions = when === undefined ? [] : Array.isArray(when) ? when : [when];
    return conditions.every((c) => isMet(this.e, c, args, callee));
  }

  private registered(registers: Registration | Registration[], callee: LibraryValue, args: Args, node: CallLike, frame: Frame): Registered[] {
    const found: Registered[] = [];
    const taken = new Set<Node>();
    for (const registration of Array.isArray(registers) ? registers : [registers]) {
      if (!this.applies(registration, args, callee)) continue;
      const base = { library: callee.library, registration, at: node, frame, args };
      if (registration.handler === 'enclosing') {
        found.push({ ...base, handler: { kind: 'unknown' }, receive: node });
        return found;
      }
      if (registration.handler === 'decorated') continue;
      for (const path of Array.isArray(registration.handler) ? registration.handler : [registration.handler]) {
        const value = argument(this.e, args, path, callee);
        if (!value || value.kind === 'unknown') continue;
        // The first registration that fits a function is the one that holds.
        const fresh = options(value).filter((v) => v.kind !== 'function' || !taken.has(v.node));
        if (fresh.length === 0) continue;
        for (const v of fresh) if (v.kind === 'function') taken.add(v.node);
        found.push({ ...base, handler: value });
      }
    }
    return found;
  }

  private classes(source: SourceFile): Registered[] {
    const found: Registered[] = [];
    for (const cls of indexOf(source).classes) {
      const frame = this.e.fileFrame(source);
      const self = this.e.injected(cls, frame);
      const base = this.e.baseClass(cls, frame);
      const facts = base?.kind === 'library' ? base.shape.baseClass : undefined;
      if (facts && base?.kind === 'library') {
        const method = cls.members.find((m) => ts.isMethodDeclaration(m) && m.body && m.name.getText() === facts.method);
        if (method) found.push({ library: base.library, registration: facts.registers, at: method, frame, handler: { kind: 'function', node: method as Compiler.MethodDeclaration, frame, self } });
      }
      for (const m of cls.members) {
        if (!ts.isMethodDeclaration(m) || !m.body) continue;
        for (const d of decoratorsOf(m)) found.push(...this.decorated(d, m, { kind: 'function', node: m, frame, self }, frame));
      }
    }
    return found;
  }

  private decorated(d: Compiler.Decorator, method: Compiler.MethodDeclaration, handler: Value, frame: Frame): Registered[] {
    const expression = ts.isCallExpression(d.expression) ? d.expression.expression : d.expression;
    const value = this.e.evaluate(expression, frame);
    if (value.kind !== 'library' || !value.shape.decorator) return [];
    const args: Args = { nodes: ts.isCallExpression(d.expression) ? d.expression.arguments : [], frame };
    const { decorator } = value.shape;
    const registration = (Array.isArray(decorator) ? decorator : [decorator]).find((r) => this.applies(r, args));
    return registration ? [{ library: value.library, registration, at: method, frame, handler, args }] : [];
  }

  /** `export const handler: SQSHandler = …`, `export default { queue } satisfies ExportedHandler`. */
  private exports(source: SourceFile): Registered[] {
    const found: Registered[] = [];
    const frame = this.e.fileFrame(source);
    for (const s of source.statements) {
      if (ts.isVariableStatement(s)) {
        for (const d of s.declarationList.declarations) {
          const type = d.type ?? ts.getJSDocType(d) ?? (d.initializer && (ts.isSatisfiesExpression(d.initializer) || ts.isAsExpression(d.initializer)) ? d.initializer.type : undefined);
          if (type && d.initializer) found.push(...this.typed(type, d.initializer, frame, d));
        }
      } else if (ts.isExportAssignment(s) && (ts.isSatisfiesExpression(s.expression) || ts.isAsExpression(s.expression))) {
        found.push(...this.typed(s.expression.type, s.expression.expression, frame, s));
      } else if (ts.isFunctionDeclaration(s)) {
        const type = ts.getJSDocType(s);
        const said = type && this.handlerType(type, frame);
        if (said) found.push({ ...said, at: s, frame, handler: { kind: 'function', node: s, frame }, typed: true });
      }
    }
    found.push(...untypedLambda(this.e, source, frame), ...this.untypedWorker(source, frame));
    return found;
  }

  /** What a type says of the function that is annotated with it: `SQSHandler`, `Handler<SQSEvent>`. */
  private handlerType(type: Compiler.TypeNode, frame: Frame): Pick<Registered, 'library' | 'registration'> | undefined {
    const shape = this.e.types.shapeOf(type, frame);
    if (shape?.shape.handlerType) return { library: shape.library, registration: shape.shape.handlerType };
    const argument = shape?.shape.eventArgument && (ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type)) ? type.typeArguments?.[0] : undefined;
    const event = argument && this.e.types.shapeOf(argument, frame);
    return event?.shape.eventType && { library: event.library, registration: handling(event.shape, event.shape.eventType) };
  }

  private typed(type: Compiler.TypeNode, initializer: Expression, frame: Frame, at: Node): Registered[] {
    const said = this.handlerType(type, frame);
    if (!said) return [];
    const { registration } = said;
    const value = this.e.evaluate(initializer, frame);
    // The handler may be a method of the typed object: `{ queue(batch) {} }`.
    const paths = typeof registration.handler === 'string' && registration.handler.includes('.') ? [registration.handler.split('.').slice(1).join('.')] : [];
    const handlers = paths.length ? paths.map((p) => this.e.member(value, p, frame)) : [value];
    return handlers.filter((h) => options(h).some((v) => v.kind === 'function')).map((handler) => ({ ...said, at, frame, handler, typed: true }));
  }

  /** Functions whose first parameter has an event type, if they are exported or handed to something. */
  private typedFunctions(source: SourceFile): Registered[] {
    const found: Registered[] = [];
    const visit = (n: Node): void => {
      if (isFunctionNode(n) && n.parameters[0] && (ts.isArrowFunction(n) || ts.isFunctionDeclaration(n) || ts.isFunctionExpression(n) || ts.isMethodDeclaration(n))) {
        const [first] = n.parameters;
        const type = first.type ?? (n.flags & ts.NodeFlags.JavaScriptFile ? ts.getJSDocType(first) : undefined);
        if (type && mayBeEvent(type)) {
          const frame = this.e.openFrame(n);
          const shape = this.e.types.shapeOf(type, frame);
          if (shape?.shape.eventType && isEntry(n)) {
            found.push({ library: shape.library, registration: handling(shape.shape, shape.shape.eventType), at: n, frame, handler: this.functionOf(n, frame), typed: true });
          }
        }
      }
      ts.forEachChild(n, visit);
    };
    visit(source);
    return found;
  }

  private functionOf(n: FunctionNode, frame: Frame): Value {
    if (ts.isMethodDeclaration(n) && ts.isClassLike(n.parent)) return { kind: 'function', node: n, frame, self: this.e.injected(n.parent, frame) };
    return { kind: 'function', node: n, frame };
  }

  /** `export default { queue(batch) {…} }` of a Worker, without types. */
  private untypedWorker(source: SourceFile, frame: Frame): Registered[] {
    const library = this.e.catalog.library('cloudflare:workers');
    const registration = library?.types?.ExportedHandler?.handlerType;
    if (!library || !registration || !/\bqueue\b/.test(source.text)) return [];
    return objectsIn(this.e.moduleExport(source, 'default'))
      .flatMap((o) => options(this.e.member(o, 'queue', frame)))
      .filter((v) => v.kind === 'function' && readsMessages(v.node))
      .map((handler) => ({ library, registration, at: source, frame, handler, typed: true }));
  }
}

/** The objects in a value: itself, or what a wrapping call was given. */
function objectsIn(value: Value, depth = 0): Value[] {
  if (depth > 3) return [];
  return options(value).flatMap((v) => (v.kind === 'object' || v.kind === 'instance' ? [v] : v.kind === 'derived' && v.operator === 'call' ? v.parts.flatMap((p) => objectsIn(p, depth + 1)) : []));
}

/** Reads the list of messages of its first parameter. */
function readsMessages(fn: FunctionNode): boolean {
  const name = fn.parameters[0]?.name;
  if (!name || !fn.body) return false;
  return ts.isIdentifier(name) ? new RegExp(`\\b${name.text}\\.messages\\b|\\bmessages\\b[^;=]*=\\s*${name.text}\\b`).test(fn.body.getText()) : name.getText().includes('messages');
}

function mayBeEvent(type: Compiler.TypeNode): boolean {
  return ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type) || ts.isUnionTypeNode(type);
}

/** Exported, handed to a call, or a method: something other than the file itself may call it. */
function isEntry(n: FunctionNode): boolean {
  if (ts.isMethodDeclaration(n)) return true;
  if (ts.isFunctionDeclaration(n)) return true;
  let p: Node = n.parent;
  while (ts.isCallExpression(p) || ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isSatisfiesExpression(p)) {
    if (ts.isCallExpression(p)) return true;
    p = p.parent;
  }
  if (ts.isVariableDeclaration(p)) return true;
  return ts.isPropertyAssignment(p) || ts.isBinaryExpression(p) || ts.isExportAssignment(p) || ts.isPropertyDeclaration(p);
}

