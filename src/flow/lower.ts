import type { Registration } from '../catalog/schema.js';
import { callsIn } from '../keys/read.js';
import type { Place } from '../model/place.js';
import { returnExpressions, stepped, variableKey, type Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { options, type Func, type Thunk, type Value } from '../origin/value.js';
import { ts, enclosingFunction, isAsync, isFunctionNode, isGenerator, nameOf, unwrap, type CallLike, type Compiler, type Expression, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import { nodeId } from '../syntax/ids.js';
import { indexOf, isStep, lookup, type Declaration } from '../syntax/scope.js';
import { isLog, lowerCall, lowerTagged } from './calls.js';
import { EffectReader } from './effects.js';
import { canSettle } from './escape.js';
import { fateOf, isLinkOf } from './fate.js';
import { forgetsFailure, isSilent } from './forgets.js';
import type { FlowEvent, FlowGraph, FlowNode, Task, UnresolvedEvent } from './ir.js';
import { Silence } from './silent.js';
import { isFound } from './work-list.js';

/** Functions that a program's own logging and metrics go through, by name. */
const TELEMETRY = /^(log|logger|logError\w*|logEvent|debug|track\w*|capture\w*|report(Usage|Metric|Error|Exception)\w*|\w*(Metrics?|Telemetry|Analytics)|telemetry\w*|analytics\w*)$/i;

/** A log that a program keeps in a store: telemetry only if its own failure is let go. */
const LOG = /^(log|audit)(?!in|out)[A-Z_]\w*$/;

function isTelemetry(fn: FunctionNode): boolean {
  const name = nameOf(fn);
  return TELEMETRY.test(name) || (LOG.test(name) && letsFailuresGo(fn));
}

/** Nobody learns that it failed: it waits for nothing, and what it starts has a `catch` that throws nothing. */
function letsFailuresGo(fn: FunctionNode): boolean {
  if (!fn.body || isAsync(fn)) return false;
  return callsIn(fn.body).some((c) => ts.isPropertyAccessExpression(c.expression) && c.expression.name.text === 'catch' && ts.isExpressionStatement(c.parent) && !/\bthrow\b|\breject/.test(c.arguments[0]?.getText() ?? ''));
}

const MAX_NODES = 6_000;

/** Where control goes from a piece of code. */
export interface Exits {
  next: number;
  returns: number;
  throws: number;
  breaks: ReadonlyMap<string, number>;
  continues: ReadonlyMap<string, number>;
}

/** The task in which a promise runs, and who sees it fail: the code around it, whoever it is returned to, or nobody. */
export interface PromiseFate {
  task: Task | undefined;
  seenBy: 'here' | 'caller' | 'nobody';
}

/** The activation that a piece of code belongs to. */
export interface Scope {
  frame: Frame;
  /** The task that runs this code. */
  task: Task | undefined;
  /** The task that a promise handed to the caller belongs to. */
  resultTask: Task | undefined;
  /** Where the failure of such a promise leads, if not to where the code throws. */
  rejects?: number | undefined;
  /** Catch regions around the code. */
  catches: readonly string[];
  /** Several messages run through this code at the same time. */
  parallel: boolean;
  /** Inside a loop over what was found somewhere. */
  perItem?: boolean;
  /** Inside the executor of a promise that somebody waits for: callbacks are part of it. */
  executor?: { next: number; throws: number; promise: string } | undefined;
  step?: string | undefined;
  /** Inside a function that only logs, counts or reports: what it sends is no effect of the handler. */
  telemetry?: boolean;
  /** Inside a function that was handed to something unknown: whether it runs is not known. */
  assumed?: boolean;
  /** How the handler of an HTTP request answers. */
  response?: boolean;
}

/** A handler is started by a call of the client's; `choose` fixes which of several registered functions it dispatches to. */
export interface LoweringOptions {
  registration: Registration;
  /**
   * Asked where a wrapper calls a function that only its own callers know: which functions may that be?
   * `value` is what the call's callee evaluates to.
   */
  dispatch: (value: Value, node: CallLike, frame: Frame) => Func[] | undefined;
}

/** Turns the body of a handler and of all that it calls into one flow graph. */
export class Lowering {
  readonly nodes: FlowNode[] = [];
  readonly effects: EffectReader;
  truncated = false;
  private readonly unresolved: UnresolvedEvent[] = [];
  /** Functions that were entered, for telling which candidates are part of another handler. */
  readonly entered = new Set<Node>();
  /** For functions of other files: the call in the handler's own file that leads there. */
  readonly leads = new Map<Node, Place>();
  /** The file of the handler. */
  home: SourceFile | undefined;
  /** The activation of the handler itself. */
  private own: Frame | undefined;
  private lead: Place | undefined;
  private readonly tasks = new Map<string, Task>();
  private nextTask = 1;
  private readonly silence = new Silence();

  constructor(
    readonly e: Evaluator,
    readonly options: LoweringOptions,
  ) {
    this.effects = new EffectReader(e);
  }

  node(event: FlowEvent, next: number[], thrown?: number): number {
    const id = this.nodes.length;
    if (id > MAX_NODES) this.truncated = true;
    const node: FlowNode = { id, event, next, ...(thrown !== undefined && { thrown }) };
    this.nodes.push(node);
    this.silence.add(node);
    return id;
  }

  unseen(event: UnresolvedEvent, next: number, throws: number): number {
    this.unresolved.push(event);
    return this.node(event, [next], throws === next ? undefined : throws);
  }

  place(node: Node): Place {
    return this.e.sources.parser.place(node);
  }

  task(root: Node, frame: Frame, parent: Task | undefined, how: Task['how']): Task {
    const key = `${frame.key(root)}:${parent?.id ?? 0}`;
    let task = this.tasks.get(key);
    if (!task) this.tasks.set(key, (task = { id: this.nextTask++, parent, place: this.place(root), how }));
    // How it gets away is known better by the construct than by the promise alone.
    else if (task.how === 'floating') task.how = how;
    return task;
  }

  /** What becomes of a call's promise here. */
  fate(node: Node, scope: Scope): PromiseFate {
    const fate = fateOf(node);
    if (fate.kind === 'awaited') return { task: scope.task, seenBy: 'here' };
    if (fate.kind === 'returned') return { task: scope.resultTask, seenBy: scope.resultTask !== scope.task ? 'caller' : 'here' };
    if (scope.executor) return { task: scope.task, seenBy: 'here' };
    return { task: this.task(fate.root, scope.frame, scope.task, 'floating'), seenBy: isLinkOf(node, fate.root) ? 'here' : 'nobody' };
  }

  /** The whole graph of a handler; `ends` gives the nodes that follow its return and its throw. */
  handler(fn: Func, frame: Frame, ends: { returned: number; thrown: number }): FlowGraph {
    this.effects.source = frame.source;
    this.entered.add(fn.node);
    this.own = frame;
    const scope: Scope = { frame, task: undefined, resultTask: undefined, catches: [], parallel: false };
    const body = this.body(fn.node, scope, ends.returned, ends.thrown);
    const entry = this.node({ kind: 'start' }, [body]);
    return { nodes: this.nodes, entry, truncated: this.truncated, unresolved: this.unresolved };
  }

  body(fn: FunctionNode, scope: Scope, next: number, throws: number): number {
    if (!fn.body) return next;
    if (!ts.isBlock(fn.body)) {
      const value = fn.body;
      const done = this.returnNode(value, scope, next);
      return this.expression(value, scope, done, throws);
    }
    const returnsMany = returnExpressions(fn).length > 0;
    const end = returnsMany ? this.node({ kind: 'return', frame: scope.frame.id, value: { kind: 'constant', value: undefined }, place: this.place(fn) }, [next]) : next;
    return this.statements(fn.body.statements, scope, { next: end, returns: next, throws, breaks: new Map(), continues: new Map() });
  }

  private returnNode(value: Expression | undefined, scope: Scope, next: number, statement?: Node): number {
    const known: Value = value ? this.e.evaluate(value, scope.frame) : { kind: 'constant', value: undefined };
    // What an unknown call gives may still be an answer whose status is written out: `c.json({}, 500)`.
    const result: Value = known.kind === 'unknown' && value && ts.isCallExpression(unwrap(value)) ? { kind: 'derived', operator: 'call', parts: [], node: unwrap(value) } : known;
    return this.node({ kind: 'return', frame: scope.frame.id, value: result, place: this.place(value ?? statement ?? (scope.frame.fn as Node)), ...(statement && { statement: true }) }, [scope.frame === this.own && canSettle(this.e, known) ? this.node({ kind: 'escape' }, [next]) : next]);
  }

  statements(list: readonly Compiler.Statement[], scope: Scope, exits: Exits): number {
    let next = exits.next;
    for (let i = list.length - 1; i >= 0; i--) {
      const s = list[i];
      if (s) next = this.statement(s, scope, { ...exits, next });
    }
    return next;
  }

  statement(s: Compiler.Statement, scope: Scope, exits: Exits): number {
    if (this.truncated) return exits.next;
    if (ts.isExpressionStatement(s)) return this.expression(s.expression, scope, exits.next, exits.throws);
    if (ts.isVariableStatement(s)) return this.variables(s.declarationList, scope, exits.next, exits.throws);
    if (ts.isReturnStatement(s)) {
      const done = this.returnNode(s.expression, scope, exits.returns, s);
      return s.expression ? this.expression(s.expression, scope, done, exits.throws) : done;
    }
    if (ts.isIfStatement(s)) {
      const yes = this.statement(s.thenStatement, scope, exits);
      const no = s.elseStatement ? this.statement(s.elseStatement, scope, exits) : exits.next;
      return this.condition(s.expression, scope, yes, no, exits.throws);
    }
    if (ts.isBlock(s)) return this.statements(s.statements, scope, exits);
    if (ts.isThrowStatement(s)) return this.expression(s.expression, scope, this.node({ kind: 'throw', place: this.place(s) }, [exits.throws]), exits.throws);
    if (ts.isTryStatement(s)) return this.tryStatement(s, scope, exits);
    if (ts.isForOfStatement(s)) return this.forOf(s, scope, exits);
    if (ts.isForStatement(s)) return this.forLoop(s, scope, exits);
    if (ts.isWhileStatement(s)) return this.loop(s.expression, s.statement, undefined, scope, exits, s);
    if (ts.isDoStatement(s)) return this.doLoop(s, scope, exits);
    if (ts.isForInStatement(s)) return this.expression(s.expression, scope, this.loop(undefined, s.statement, undefined, scope, exits, s), exits.throws);
    if (ts.isSwitchStatement(s)) return this.switchStatement(s, scope, exits);
    if (ts.isBreakStatement(s)) return exits.breaks.get(s.label?.text ?? '') ?? exits.next;
    if (ts.isContinueStatement(s)) return exits.continues.get(s.label?.text ?? '') ?? exits.next;
    if (ts.isLabeledStatement(s)) {
      const breaks = new Map(exits.breaks).set(s.label.text, exits.next);
      return this.statement(s.statement, scope, { ...exits, breaks });
    }
    return exits.next;
  }

  private variables(list: Compiler.VariableDeclarationList, scope: Scope, next: number, throws: number): number {
    for (const d of [...list.declarations].reverse()) {
      if (!d.initializer) continue;
      const { assignments, steps } = indexOf(d.getSourceFile());
      if (ts.isIdentifier(d.name) && (assignments.has(d) || steps.has(d))) {
        next = this.node({ kind: 'assign', variable: variableKey(d, scope.frame), value: this.e.evaluate(d.initializer, scope.frame) }, [next]);
      }
      next = this.expression(d.initializer, scope, next, throws);
    }
    return next;
  }

  private tryStatement(s: Compiler.TryStatement, scope: Scope, exits: Exits): number {
    let outer = exits;
    if (s.finallyBlock) {
      const finallyBlock = s.finallyBlock;
      const copies = new Map<number, number>();
      const through = (target: number): number => {
        let entry = copies.get(target);
        if (entry === undefined) {
          entry = this.statements(finallyBlock.statements, scope, { ...exits, next: target });
          copies.set(target, entry);
        }
        return entry;
      };
      outer = {
        next: through(exits.next),
        returns: through(exits.returns),
        throws: through(exits.throws),
        breaks: new Map([...exits.breaks].map(([k, v]) => [k, through(v)])),
        continues: new Map([...exits.continues].map(([k, v]) => [k, through(v)])),
      };
    }
    if (!s.catchClause) return this.statements(s.tryBlock.statements, scope, outer);
    const clause = s.catchClause;
    const error = scope.frame.key(clause);
    const inCatch: Scope = { ...scope, catches: [...scope.catches, error] };
    const forgets = forgetsFailure(s, isLog);
    const left = this.node({ kind: 'caught', error }, [outer.next]);
    const returned = forgets && outer.returns !== outer.next ? this.node({ kind: 'caught', error }, [outer.returns]) : forgets ? left : outer.returns;
    const body = this.statements(clause.block.statements, inCatch, { ...outer, next: left, returns: returned });
    const entry = this.catchNode(clause, clause.block, error, scope, body, { forgets, silent: isSilent(clause.block) });
    return this.statements(s.tryBlock.statements, scope, { ...outer, throws: entry });
  }

  catchNode(clause: Node, end: Node, error: string, scope: Scope, next: number, { by = 'clause', forgets = false, handsOn = false, silent = false }: { by?: 'clause' | 'settled' | 'callback'; forgets?: boolean; handsOn?: boolean; silent?: boolean } = {}): number {
    return this.node({ kind: 'catch', by, place: this.place(clause), end: this.place(end), task: scope.task, error, frame: scope.frame.id, function: scope.frame.fn ? nameOf(scope.frame.fn) : '', ...(scope.perItem && { perItem: true }), ...(forgets && { forgets: true }), ...(handsOn && { handsOn: true }), ...(silent && { silent: true }) }, [next]);
  }

  /** Loops that receive messages, and loops without an end, are one turn per message. */
  private isPollLoop(loop: Node, condition: Expression | undefined): boolean {
    if (!condition || condition.kind === ts.SyntaxKind.TrueKeyword || (ts.isNumericLiteral(condition) && condition.text === '1')) return !ts.isForInStatement(loop);
    return this.options.registration.handler === 'enclosing' && this.holdsReceive(loop);
  }

  /** The nodes of receive calls that registered the handler; set by the caller. */
  receives: ReadonlySet<Node> = new Set();

  private holdsReceive(loop: Node): boolean {
    for (const r of this.receives) for (let n: Node | undefined = r; n; n = n.parent) if (n === loop) return true;
    return false;
  }

  /** What a receive call gave, whatever it is a list of. */
  private isReceived(list: Value): boolean {
    return list.kind === 'library' && list.call !== undefined && [...this.receives].some((r) => list.call?.startsWith(`${nodeId(r)}@`));
  }

  private inLoop(exits: Exits, next: number, continueTo: number, label: string | undefined): Exits {
    const breaks = new Map(exits.breaks).set('', exits.next);
    const continues = new Map(exits.continues).set('', continueTo);
    if (label !== undefined) continues.set(label, continueTo);
    return { ...exits, next, breaks, continues };
  }

  private labelOf(loop: Node): string | undefined {
    return ts.isLabeledStatement(loop.parent) ? loop.parent.label.text : undefined;
  }

  private loop(condition: Expression | undefined, body: Compiler.Statement, step: Expression | undefined, scope: Scope, exits: Exits, loop: Node): number {
    if (this.isPollLoop(loop, condition)) {
      const inside = this.statement(body, scope, this.inLoop(exits, exits.next, exits.next, this.labelOf(loop)));
      return condition ? this.condition(condition, scope, inside, exits.next, exits.throws) : inside;
    }
    const head = this.node({ kind: 'nothing' }, []);
    const again = step ? this.expression(step, scope, head, exits.throws) : head;
    const inside = this.statement(body, scope, this.inLoop(exits, again, again, this.labelOf(loop)));
    const start = condition ? this.condition(condition, scope, inside, exits.next, exits.throws) : this.choice([inside, exits.next]);
    this.nodes[head]?.next.push(start);
    return head;
  }

  private doLoop(s: Compiler.DoStatement, scope: Scope, exits: Exits): number {
    if (this.isPollLoop(s, s.expression)) return this.statement(s.statement, scope, this.inLoop(exits, exits.next, exits.next, this.labelOf(s)));
    const head = this.node({ kind: 'nothing' }, []);
    const test = this.condition(s.expression, scope, head, exits.next, exits.throws);
    this.nodes[head]?.next.push(this.statement(s.statement, scope, this.inLoop(exits, test, test, this.labelOf(s))));
    return head;
  }

  private forLoop(s: Compiler.ForStatement, scope: Scope, exits: Exits): number {
    const loop = this.loop(s.condition, s.statement, s.incrementor, scope, exits, s);
    if (!s.initializer) return loop;
    return ts.isVariableDeclarationList(s.initializer) ? this.variables(s.initializer, scope, loop, exits.throws) : this.expression(s.initializer, scope, loop, exits.throws);
  }

  private forOf(s: Compiler.ForOfStatement, scope: Scope, exits: Exits): number {
    const list = this.e.evaluate(s.expression, scope.frame);
    const batch = isBatch(list) || this.isReceived(list);
    let entry: number;
    if (list.kind === 'list' && list.single) {
      entry = this.statement(s.statement, scope, this.inLoop(exits, exits.next, exits.next, this.labelOf(s)));
    } else if (batch || this.holdsReceive(s)) {
      entry = this.node({ kind: 'message', place: this.place(s) }, [this.statement(s.statement, scope, this.inLoop(exits, exits.next, exits.next, this.labelOf(s)))]);
    } else {
      const head = this.node({ kind: 'nothing' }, []);
      const inside = this.statement(s.statement, isFound(list) ? { ...scope, perItem: true } : scope, this.inLoop(exits, head, head, this.labelOf(s)));
      this.nodes[head]?.next.push(inside, exits.next);
      entry = head;
    }
    return this.expression(s.expression, scope, entry, exits.throws);
  }

  choice(next: number[]): number {
    return next.length === 1 ? (next[0] as number) : this.node({ kind: 'nothing' }, next);
  }

  private switchStatement(s: Compiler.SwitchStatement, scope: Scope, exits: Exits): number {
    const inside: Exits = { ...exits, breaks: new Map(exits.breaks).set('', exits.next) };
    const { clauses } = s.caseBlock;
    const bodies: number[] = [];
    let next = exits.next;
    for (let i = clauses.length - 1; i >= 0; i--) {
      const clause = clauses[i];
      if (!clause) continue;
      next = this.statements(clause.statements, scope, { ...inside, next });
      bodies[i] = next;
    }
    const byDefault = clauses.findIndex((c) => ts.isDefaultClause(c));
    let test = byDefault >= 0 ? (bodies[byDefault] ?? exits.next) : exits.next;
    const subject = this.e.evaluate(s.expression, scope.frame);
    for (let i = clauses.length - 1; i >= 0; i--) {
      const clause = clauses[i];
      if (!clause || ts.isDefaultClause(clause)) continue;
      const condition: Value = { kind: 'derived', operator: '===', parts: [subject, this.e.evaluate(clause.expression, scope.frame)], node: clause.expression };
      test = this.branch(condition, clause.expression, scope, bodies[i] ?? exits.next, test);
    }
    return this.expression(s.expression, scope, test, exits.throws);
  }

  branch(condition: Value, node: Node, scope: Scope, yes: number, no: number): number {
    if (yes === no) return yes;
    return this.node({ kind: 'branch', condition, text: node.getText(), place: this.place(node), frame: scope.frame.id, catches: scope.catches }, [yes, no]);
  }

  /** A condition: short circuits become branches of their own. */
  condition(expression: Expression, scope: Scope, yes: number, no: number, throws: number): number {
    const node = unwrap(expression);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return this.condition(node.operand, scope, no, yes, throws);
    if (ts.isBinaryExpression(node)) {
      const kind = node.operatorToken.kind;
      if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return this.condition(node.left, scope, this.condition(node.right, scope, yes, no, throws), no, throws);
      if (kind === ts.SyntaxKind.BarBarToken) return this.condition(node.left, scope, yes, this.condition(node.right, scope, yes, no, throws), throws);
    }
    return this.expression(node, scope, this.branch(this.e.evaluate(node, scope.frame), node, scope, yes, no), throws);
  }

  expressions(list: readonly (Expression | undefined)[], scope: Scope, next: number, throws: number): number {
    for (let i = list.length - 1; i >= 0; i--) {
      const e = list[i];
      if (e) next = this.expression(e, scope, next, throws);
    }
    return next;
  }

  /** The events of an expression, in the order of evaluation. */
  expression(expression: Expression, scope: Scope, next: number, throws: number): number {
    if (this.truncated) return next;
    const node = unwrap(expression);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) return lowerCall(this, node, scope, next, throws);
    if (ts.isTaggedTemplateExpression(node)) return lowerTagged(this, node, scope, next, throws);
    if (ts.isAwaitExpression(node)) return this.expression(node.expression, scope, next, throws);
    if (ts.isConditionalExpression(node)) {
      const yes = this.expression(node.whenTrue, scope, next, throws);
      const no = this.expression(node.whenFalse, scope, next, throws);
      return yes === no ? this.expression(node.condition, scope, yes, throws) : this.condition(node.condition, scope, yes, no, throws);
    }
    if (ts.isBinaryExpression(node)) return this.binary(node, scope, next, throws);
    if (ts.isPropertyAccessExpression(node)) return this.expression(node.expression, scope, next, throws);
    if (ts.isElementAccessExpression(node)) return this.expressions([node.expression, node.argumentExpression], scope, next, throws);
    if (ts.isObjectLiteralExpression(node)) {
      const inner = node.properties.map((p) => (ts.isPropertyAssignment(p) ? p.initializer : ts.isSpreadAssignment(p) ? p.expression : undefined));
      return this.expressions(inner.filter((x) => x !== undefined && !isFunctionNode(unwrap(x))), scope, next, throws);
    }
    if (ts.isArrayLiteralExpression(node)) return this.expressions(node.elements, scope, next, throws);
    if (ts.isSpreadElement(node)) return this.expression(node.expression, scope, next, throws);
    if (ts.isTemplateExpression(node)) return this.expressions(node.templateSpans.map((s) => s.expression), scope, next, throws);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return this.step(node, scope, next, throws);
    if (ts.isTypeOfExpression(node) || ts.isVoidExpression(node) || ts.isDeleteExpression(node)) return this.expression(node.expression, scope, next, throws);
    if (ts.isYieldExpression(node)) {
      if (!node.expression) return next;
      const given = canSettle(this.e, this.e.evaluate(node.expression, scope.frame)) ? this.node({ kind: 'escape' }, [next]) : next;
      return this.expression(node.expression, scope, given, throws);
    }
    return next;
  }

  private binary(node: Compiler.BinaryExpression, scope: Scope, next: number, throws: number): number {
    const kind = node.operatorToken.kind;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) {
      const right = this.expression(node.right, scope, next, throws);
      if (right === next) return this.expression(node.left, scope, next, throws);
      const left = this.e.evaluate(node.left, scope.frame);
      const condition: Value = kind === ts.SyntaxKind.QuestionQuestionToken ? { kind: 'derived', operator: '!=', parts: [left, { kind: 'constant', value: null }], node } : left;
      const [yes, no] = kind === ts.SyntaxKind.AmpersandAmpersandToken ? [right, next] : [next, right];
      return this.expression(node.left, scope, this.branch(condition, node.left, scope, yes, no), throws);
    }
    if (kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment) return this.assignment(node, scope, next, throws);
    return this.expressions([node.left, node.right], scope, next, throws);
  }

  private assignment(node: Compiler.BinaryExpression, scope: Scope, next: number, throws: number): number {
    const plain = node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    const d = ts.isIdentifier(node.left) ? lookup(node.left.text, node.left) : undefined;
    const home = d && enclosingFunction(d);
    if (!(home && this.entered.has(home)) && canSettle(this.e, this.e.evaluate(node.right, scope.frame))) next = this.node({ kind: 'escape' }, [next]);
    if (ts.isIdentifier(node.left)) {
      const value = d && this.e.evaluate(node.right, scope.frame);
      if (value) next = this.assign(d, plain ? value : { kind: 'derived', operator: node.operatorToken.getText(), parts: [value], node }, scope, next);
    } else {
      next = this.mutation(node.left, !plain || refersTo(node.right, node.left), scope, next);
    }
    return this.expression(node.right, scope, next, throws);
  }

  private assign(d: Declaration, value: Value, scope: Scope, next: number): number {
    return this.node({ kind: 'assign', variable: variableKey(d, this.frameOf(d, scope.frame)), value }, [next]);
  }

  private frameOf(d: Node, frame: Frame): Frame {
    for (let n: Node | undefined = d.parent; n; n = n.parent) if (isFunctionNode(n)) return frame.frameOf(n) ?? frame;
    return this.e.fileFrame(d.getSourceFile());
  }

  /** `row.count++`. */
  private step(node: Compiler.PrefixUnaryExpression | Compiler.PostfixUnaryExpression, scope: Scope, next: number, throws: number): number {
    const operand: Expression = node.operand;
    if (isStep(node)) {
      if (!ts.isIdentifier(operand)) return this.mutation(operand, true, scope, next);
      const d = lookup(operand.text, operand);
      return d ? this.assign(d, stepped(node), scope, next) : next;
    }
    return this.expression(operand, scope, next, throws);
  }

  /** A field of something that was read is changed: what `save` writes back later. */
  mutation(target: Expression, relative: boolean, scope: Scope, next: number): number {
    let object: Expression = target;
    let field = '';
    while (ts.isPropertyAccessExpression(object) || ts.isElementAccessExpression(object)) {
      field = ts.isPropertyAccessExpression(object) ? object.name.text : field;
      object = object.expression;
    }
    for (const v of options(this.e.evaluate(object, scope.frame))) {
      if (v.kind === 'library' && v.call !== undefined && !v.stability) return this.node({ kind: 'mutate', of: v.call, place: this.place(target), relative, field }, [next]);
    }
    return next;
  }

  /** Runs a function of the program in place. */
  inline(fn: Func, call: Node, scope: Scope, args: readonly Thunk[], next: number, throws: number, given: { task: Task | undefined; resultTask: Task | undefined; scope?: Partial<Scope>; label?: string }): number {
    if (isGenerator(fn.node) && !isAsync(fn.node)) return next;
    const frame = given.label === undefined ? this.e.enter(fn, call, scope.frame, args) : scope.frame.enter(call, fn.node, fn.frame, fn.bound ? [...fn.bound, ...args] : args, fn.self, given.label);
    if (!frame || this.truncated) return next;
    this.entered.add(fn.node);
    const inner: Scope = { ...scope, rejects: undefined, ...given.scope, frame, task: given.task, resultTask: given.resultTask, ...(isTelemetry(fn.node) && { telemetry: true }) };
    const before = this.lead;
    if (scope.frame.source === this.home) this.lead = this.place(call);
    if (this.lead && frame.source !== this.home && !this.leads.has(fn.node)) this.leads.set(fn.node, this.lead);
    const first = this.nodes.length;
    const entry = this.body(fn.node, inner, next, throws);
    this.lead = before;
    if (this.truncated || entry === next) return entry;
    const failure = this.silence.drop(this.nodes, entry, first, next);
    if (failure === undefined) return entry;
    return failure && !isLog(call) ? this.node(failure.event, [next], failure.thrown) : next;
  }
}

export function isBatch(value: Value): boolean {
  if (value.kind === 'library') return value.shape.batch === true || (value.shape.message === true && value.shape.element !== undefined);
  if (value.kind === 'list') return value.batch === true || value.elements.some((v) => v.kind === 'library' && v.shape.message === true);
  if (value.kind === 'union') return value.options.some(isBatch);
  return false;
}

/** `row.n = row.n + 1`: the new value is made from the old one. */
function refersTo(value: Expression, target: Expression): boolean {
  const text = target.getText();
  let found = false;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isBinaryExpression(n) || ts.isArrayLiteralExpression(n) || ts.isCallExpression(n) || ts.isTemplateExpression(n)) {
      found = n.getText().includes(text) && n.getText() !== text && !/^(Number|String|parseInt|Boolean)\(/.test(n.getText());
      if (found && ts.isBinaryExpression(n) && /^(\?\?|\|\||&&|===?|!==?)$/.test(n.operatorToken.getText())) found = false;
      return;
    }
    ts.forEachChild(n, visit);
  };
  visit(value);
  return found;
}

