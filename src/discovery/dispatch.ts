import type { Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options, type Func, type Value } from '../origin/value.js';
import { appliedFunction, ts, type CallLike, type Compiler, type Node } from '../syntax/compiler.js';
import { lastName, lookup } from '../syntax/scope.js';
import { isPickedByHand } from './by-hand.js';
import { handsMessageOn, isUsedAsData } from './handed-on.js';
import { carriesMessage } from './handlers.js';
import type { ProgramIndex } from './program-index.js';

/** A logger is given the message too, and is no handler. */
const LOGS = /(^|\.)(log|logger|console|debug|info|warn|error|trace|verbose|child|capture\w*)$|\blog(ger)?\./i;

/** A function that is asked something of the message, by its name: what it answers decides what is done. */
const ASKED = /^(filter|predicate|convert|parse|validate|serialize|deserialize|format|(is|has|should|can|get|to)[A-Z]\w*)$/;

/** A function that a wrapper calls with the message, at the end of the way there: wrappers may stand behind wrappers. */
export interface Dispatched {
  fn: Func;
  /** The functions dispatched to on the way, this one last. */
  path: readonly Node[];
}

/**
 * A wrapper calls functions that its users gave it. Which of them is called is decided by the message, so each is a
 * handler of its own, behind the wrapper's code.
 */
export class Dispatcher {
  /** The functions that the wrapper may call, in the order found. */
  readonly found: Dispatched[] = [];
  /** Only these are followed; at first none, so that what many handlers do is never one flow. */
  path: readonly Node[] = [];

  constructor(
    private readonly e: Evaluator,
    private readonly index: ProgramIndex,
    /** Only functions other than the registered one can be behind it. */
    private readonly outer: Node,
  ) {}

  /** The functions that a call may run, where the call alone does not tell; those of them that are handlers are kept. */
  resolve(value: Value, node: CallLike, frame: Frame): Func[] | undefined {
    const shared = this.sharedMethod(value);
    if (shared) return [shared];
    const candidates = this.candidates(value, node, frame);
    if (!candidates) return undefined;
    const { fns, handle } = candidates;
    if (!handle) return fns;
    for (const f of fns) if (!this.found.some((x) => x.fn.node === f.node)) this.found.push({ fn: f, path: [...this.path, f.node] });
    return fns.filter((f) => this.path.includes(f.node));
  }

  /** One method of many objects, picked at run time: what it calls on `this` is that of any of them. */
  private sharedMethod(value: Value): Func | undefined {
    const all = options(value);
    const [first] = all;
    if (all.length < 2 || first?.kind !== 'function' || !ts.isClassLike(first.node.parent)) return undefined;
    if (!all.every((v) => v.kind === 'function' && v.node === first.node)) return undefined;
    return { ...first, self: this.e.injected(first.node.parent, first.frame) };
  }

  private candidates(value: Value, node: CallLike, frame: Frame): { fns: Func[]; handle: boolean } | undefined {
    if (ts.isTaggedTemplateExpression(node) || LOGS.test(node.expression.getText())) return undefined;
    const wrapped = this.behindMiddleware(value, node);
    const all = wrapped ?? options(value);
    const open = all.filter((v) => v.kind === 'parameter' || (v.kind === 'derived' && v.operator === 'result'));
    const fns = all.filter((v): v is Func => v.kind === 'function');
    const isRegistry = wrapped !== undefined || open.length > 0 || this.isRegistry(fns, node, frame) || (fns.length === 1 && isPickedByHand(this.e, node, frame));
    const inherited = all.every((v) => v.kind === 'unknown' || isLeftToSubclasses(v)) ? this.abstractMethod(node, frame) : [];
    if (!isRegistry && inherited.length === 0) return undefined;
    const args = (node.arguments ?? []).slice(appliedFunction(node) ? 1 : 0).map((a) => this.e.evaluate(a, frame));
    if (!carriesMessage(this.e, args)) return undefined;
    const given = open.flatMap((v) => this.index.given(v)).filter((v): v is Func => v.kind === 'function');
    const found = [...fns.filter((f) => inherited.length === 0 || !isLeftToSubclasses(f)), ...given, ...inherited].filter((f, i, list) => f.node !== this.outer && list.findIndex((g) => g.node === f.node) === i);
    if (found.length === 0) return undefined;
    // A method of an object that was handed in, called by its own name, is a dependency; so is a function that is asked
    // for a value, or gets a detail.
    const names = open.flatMap((v) => (v.kind === 'parameter' ? v.path.slice(-1) : []));
    const isDependency = names.length > 0 && given.every((f) => ts.isMethodDeclaration(f.node) && ts.isClassLike(f.node.parent) && names.includes(f.node.name.getText()));
    return { fns: found, handle: !isDependency && !isAsked(node) && handsMessageOn(this.e, args) && !isUsedAsData(node) };
  }

  /** `const timed = monitor.timed('orders', handle)` of a `monitor` that nobody knows: calling it calls the function that it was given. */
  private behindMiddleware(value: Value, node: CallLike): Value[] | undefined {
    if (ts.isTaggedTemplateExpression(node) || (value.kind !== 'unknown' && value.kind !== 'derived')) return undefined;
    const callee = appliedFunction(node) ?? node.expression;
    const declared = ts.isIdentifier(callee) ? lookup(callee.text, callee) : undefined;
    const made = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
    if (!made || !ts.isCallExpression(made)) return undefined;
    // What each caller of the function around it gives.
    const frame = this.e.openFrame(made);
    const given = made.arguments.flatMap((a) => options(this.e.evaluate(a, frame))).filter((v) => v.kind === 'function' || (v.kind === 'parameter' && this.index.given(v).some((f) => f.kind === 'function')));
    return given.length === 1 ? given : undefined;
  }

  /** Several functions from elsewhere, one of which is picked at run time out of a list or a map. */
  private isRegistry(fns: readonly Func[], node: CallLike, frame: Frame): boolean {
    if (fns.length < 2 || ts.isTaggedTemplateExpression(node)) return false;
    if (fns.some((f) => f.node.getSourceFile() === node.getSourceFile())) return false;
    const callee = node.expression;
    // A literal table written beside the call is the handler's own branching.
    if (ts.isElementAccessExpression(callee)) return this.e.evaluate(callee.expression, frame).kind !== 'object';
    return true;
  }

  /** `this.handle(message)` in an abstract class: the methods of the classes that extend it. */
  private abstractMethod(node: CallLike, frame: Frame): Func[] {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const self = this.e.evaluate(node.expression.expression, frame);
    return options(self).flatMap((s) => (s.kind === 'instance' ? this.index.overridesOf(s, (node.expression as Compiler.PropertyAccessExpression).name.text) : []));
  }
}

function isAsked(node: CallLike): boolean {
  return ts.isCallExpression(node) && ASKED.test(lastName(node.expression) ?? '');
}

/** A method of plain JavaScript that does nothing but throw is abstract. */
function isLeftToSubclasses(v: Value): boolean {
  if (v.kind !== 'function' || !ts.isMethodDeclaration(v.node)) return false;
  const statements = v.node.body?.statements;
  return statements?.length === 1 && statements[0] !== undefined && ts.isThrowStatement(statements[0]);
}
