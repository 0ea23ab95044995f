import type { EventHeaders, Library, Registration } from '../catalog/schema.js';
import type { Evaluator } from '../origin/evaluate.js';
import { options, type Func, type Value } from '../origin/value.js';
import { ts, decoratorsOf, enclosingFunction, nameOf, type Compiler, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { isTestFile } from '../syntax/files.js';
import { indexOf, usesOf } from '../syntax/scope.js';
import type { ProgramIndex } from './program-index.js';
import type { Registered } from './registered.js';
import { routesOf } from './routes.js';

type Provider = Library & { eventHeaders: EventHeaders };

const BODY = { stability: 'producer-stable' as const };
const registration: Registration = {
  handler: 'enclosing',
  paramDecorators: { Body: BODY, Headers: BODY, RawBody: BODY },
  http: true,
  acknowledgement: 'explicit',
};
/** How many helpers may stand between the request's handler and the function that reads the header. */
const MAX_LIFT = 3;
/** Functions that only tell whether a request is genuine. */
const CHECK = /(^|\.)(verif|validat|check|is[A-Z]|assert|authenticat|ensure)/i;
const EACH = new Set(['map', 'filter', 'find', 'some', 'every', 'forEach', 'reduce', 'flatMap', 'then', 'catch']);

/** Webhooks that no library serves: a function that reads, from a request, a header that only the provider sends. */
export class EventHeaderFinder {
  private readonly providers: Provider[];
  /** Any of the headers, in any case. */
  readonly pattern: RegExp | undefined;

  constructor(
    private readonly e: Evaluator,
    private readonly index: ProgramIndex,
  ) {
    this.providers = e.catalog.libraries.filter((l): l is Provider => l.eventHeaders !== undefined);
    const names = this.providers.flatMap((p) => p.eventHeaders.names);
    this.pattern = names.length ? new RegExp(`['"\`](?:${names.join('|')})['"\`]`, 'i') : undefined;
  }

  find(source: SourceFile): Registered[] {
    if (isTestFile(source.fileName)) return [];
    const found = this.byHeader(source);
    return found.length ? found : this.byName(source);
  }

  /** Routes that no header and no library tells of, whose names say which provider's webhook they are. */
  private byName(source: SourceFile): Registered[] {
    if (!/webhook/i.test(source.text) && !/webhook/i.test(source.fileName)) return [];
    const file = source.fileName.split('/').slice(-4).join('/');
    return routesOf(this.e, source).flatMap(({ at, names, handler }): Registered[] => {
      const said = `${file} ${names}`;
      const library = /webhook/i.test(said) ? this.providers.find(({ eventHeaders: { named } }) => named !== undefined && new RegExp(named, 'i').test(said)) : undefined;
      return library ? [{ ...this.registered(library, at, handler), registration: { ...registration, weak: true } }] : [];
    });
  }

  private byHeader(source: SourceFile): Registered[] {
    if (!this.pattern?.test(source.text)) return [];
    const found: Registered[] = [];
    const visit = (n: Node): void => {
      if (ts.isStringLiteralLike(n)) {
        const library = this.providerOf(n.text, source);
        for (const at of library ? readsOf(n) : []) {
          for (const handler of this.around(at, 0)) if (library) found.push(this.registered(library, at, handler));
        }
      }
      ts.forEachChild(n, visit);
    };
    visit(source);
    return found;
  }

  private providerOf(header: string, source: SourceFile): Provider | undefined {
    const name = header.toLowerCase();
    return this.providers.find(({ eventHeaders: { names, beside } }) => names.includes(name) && (beside === undefined || new RegExp(beside, 'i').test(`${source.fileName.split('/').slice(-3).join('/')}\n${source.text}`)));
  }

  private registered(library: Library, at: Node, handler: Func): Registered {
    return { library, registration, at, frame: this.e.openFrame(at), handler, typed: true };
  }

  /** The function that handles the request: around the read, or that of a helper's, guard's or middleware's users. */
  private around(at: Node, depth: number): Func[] {
    const fn = requestFunction(at);
    if (!fn || depth > MAX_LIFT) return [];
    if (ts.isClassLike(fn.parent) && fn.name?.getText() === 'canActivate') return this.guarded(fn.parent.name?.text, fn.getSourceFile());
    if (isMiddleware(fn)) return this.behind(fn);
    if (decoratorsOf(fn).length === 0) {
      const callers = this.index.callSites(fn).filter((s) => !isTestFile(s.source.fileName)).map((s) => this.around(s.node, depth + 1));
      if (callers.length) return unique(callers.flat());
      // Called by something that cannot be seen: the handler is there.
      if (CHECK.test(nameOf(fn))) return [];
    }
    return [this.functionOf(fn)];
  }

  private functionOf(fn: FunctionNode): Func {
    const frame = this.e.openFrame(fn);
    return { kind: 'function', node: fn, frame, ...(ts.isClassLike(fn.parent) && { self: this.e.injected(fn.parent, frame) }) };
  }

  /** `router.post(path, verify, handler)`: what comes after the middleware. */
  private behind(fn: FunctionNode): Func[] {
    return unique(
      this.index.references(fn).flatMap((r): Func[] => {
        const call = r.parent;
        const last = ts.isCallExpression(call) && !/\buse$/.test(call.expression.getText()) ? call.arguments.at(-1) : undefined;
        return last && last !== r ? functionsIn(this.e.evaluate(last, this.e.openFrame(call))).filter((f) => !isMiddleware(f.node)) : [];
      }),
    );
  }

  /** Methods of controllers that `@UseGuards(Guard)` stands at. */
  private guarded(guard: string | undefined, source: SourceFile): Func[] {
    if (guard === undefined) return [];
    return unique(
      [...this.index.filesWith(guard), source].flatMap((file) =>
        indexOf(file).classes.flatMap((cls) =>
          cls.members.flatMap((m): Func[] => {
            if (!ts.isMethodDeclaration(m) || !m.body || !isPost(m)) return [];
            return [...decoratorsOf(cls), ...decoratorsOf(m)].some((d) => uses(d, guard)) ? [this.functionOf(m)] : [];
          }),
        ),
      ),
    );
  }
}

function uses(d: Compiler.Decorator, guard: string): boolean {
  return ts.isCallExpression(d.expression) && d.expression.expression.getText() === 'UseGuards' && d.expression.arguments.some((a) => new RegExp(`\\b${guard}\\b`).test(a.getText()));
}

function isPost(m: Compiler.MethodDeclaration): boolean {
  return decoratorsOf(m).some((d) => /^(Post|All)\b/.test(d.expression.getText()));
}

/** Where the header's name reads it: an access, a call, a pattern, a decorated parameter; or the uses of a constant. */
function readsOf(literal: Compiler.StringLiteralLike): Node[] {
  const { parent } = literal;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return usesOf(parent, parent.name.text, parent.getSourceFile()).filter((use) => isRead(use));
  return isRead(literal) ? [literal] : [];
}

function isRead(name: Node): boolean {
  const { parent } = name;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === name && !isWritten(parent);
  if (ts.isBindingElement(parent)) return parent.propertyName === name;
  if (ts.isCallExpression(parent)) {
    if (ts.isDecorator(parent.parent)) return /^Headers?$/.test(parent.expression.getText());
    const called = parent.expression;
    const method = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
    // header(name, value) and set(name, value) write.
    return /^(get|header|headers|has|getHeader|getRequestHeader|getFirstHeader)$|^get\w*header/i.test(method) && (parent.arguments.length === 1 || (/^get/i.test(method) && parent.arguments[0] !== name));
  }
  return false;
}

function isWritten(access: Node): boolean {
  return ts.isBinaryExpression(access.parent) && access.parent.left === access && access.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

/** The function around, callbacks of array methods and promises left out. */
function requestFunction(at: Node): FunctionNode | undefined {
  let n: Node = at;
  if (ts.isCallExpression(at.parent) && ts.isDecorator(at.parent.parent)) n = at.parent.parent.parent;
  let fn = enclosingFunction(n);
  while (fn && ts.isCallExpression(fn.parent) && ts.isPropertyAccessExpression(fn.parent.expression) && EACH.has(fn.parent.expression.name.text)) fn = enclosingFunction(fn);
  return fn;
}

/** Hands the request on: its last parameter is called. */
function isMiddleware(fn: FunctionNode): boolean {
  const last = fn.parameters.at(-1)?.name;
  return fn.parameters.length > 1 && last !== undefined && ts.isIdentifier(last) && last.text === 'next' && /\bnext\s*\(/.test(fn.body?.getText() ?? '');
}

function functionsIn(value: Value): Func[] {
  return options(value).flatMap((v) => (v.kind === 'function' ? [v] : v.kind === 'derived' && v.operator === 'call' ? v.parts.flatMap(functionsIn) : []));
}

function unique(list: Func[]): Func[] {
  return list.filter((f, i) => list.findIndex((g) => g.node === f.node) === i);
}
