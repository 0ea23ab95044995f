import type { BuiltHandler } from '../../flow/handler.js';
import { isAck, reachable } from '../../flow/query.js';
import type { Evaluator } from '../../origin/evaluate.js';
import { ts, type Compiler, type FunctionNode, type Node } from '../../syntax/compiler.js';
import { lookup } from '../../syntax/scope.js';
import { exitsOf, isList, outcomeOf, statementOf, triesAround } from '../code.js';
import { Obstacle } from './obstacle.js';

/** The statements of a handler that go into the transaction, and what follows them. */
export interface Region {
  /** Undefined: the handler is an arrow function that is one expression. */
  list: Compiler.Block | undefined;
  first: Node;
  last: Node;
  statements: readonly Node[];
  /** The acknowledgement behind them, in the same list. */
  ack: Compiler.ExpressionStatement | undefined;
  /** The call in it. */
  ackCall: Compiler.CallExpression | undefined;
}

/** From the first to the last statement that works on the database, and whatever needs what they give. */
export function regionOf(e: Evaluator, h: BuiltHandler, work: readonly Node[]): Region {
  const fn = h.fn.node;
  const { body } = fn;
  if (!body) throw new Obstacle(fn, 'the handler has no body in sight.');
  const acks = reachable(h.model.graph).filter(isAck).filter((n) => n.event.by !== 'return').map((n) => n.event.place);
  const ackNodes = nodesOf(e, fn, acks);
  if (!ts.isBlock(body)) {
    if (ackNodes[0]) throw new Obstacle(ackNodes[0], 'the handler is one expression, and acknowledges in it. Write it as a function with statements, the acknowledgement last.');
    return { list: undefined, first: body, last: body, statements: [body], ack: undefined, ackCall: undefined };
  }
  const list = innermost(body, work);
  const indices = list.statements.flatMap((s, i) => (work.some((w) => within(w, s)) ? [i] : []));
  const from = indices[0] ?? 0;
  let to = indices.at(-1) ?? 0;
  for (let grown = true; grown; ) {
    grown = false;
    for (let i = list.statements.length - 1; i > to; i--) {
      if (usesOf(list.statements.slice(from, to + 1), list.statements[i] as Node)) {
        to = i;
        grown = true;
      }
    }
  }
  const statements = list.statements.slice(from, to + 1);
  const rest = list.statements.slice(to + 1);
  const inside = ackNodes.find((a) => statements.some((s) => within(a, s)));
  if (inside) throw new Obstacle(inside, 'the message is acknowledged between the statements of the transaction. Acknowledge behind the last of them; `fix` moves it there in most cases.');
  const early = ackNodes.find((a) => a.pos < (statements[0] as Node).pos && isList(statementOf(a)?.parent ?? a) && within(statements[0] as Node, statementOf(a)?.parent as Node) && !leaves(a));
  if (early) throw new Obstacle(early, 'the message is acknowledged before the work. Acknowledge behind the last statement; `fix` moves it there in most cases.');
  const ackCall = ackNodes.find((a): a is Compiler.CallExpression => ts.isCallExpression(a) && rest.some((s) => statementOf(a) === s));
  const ack = ackCall && statementOf(ackCall);
  checkExits(h, statements, rest, ack);
  return { list, first: statements[0] as Node, last: statements.at(-1) as Node, statements, ack, ackCall };
}

function nodesOf(e: Evaluator, fn: FunctionNode, places: readonly { file: string; start: number; end: number }[]): Node[] {
  const file = e.sources.files.relative(fn.getSourceFile().fileName);
  const found: Node[] = [];
  const visit = (n: Node): void => {
    if (ts.isCallExpression(n) && places.some((p) => p.file === file && p.start === n.getStart() && p.end === n.end)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;
}

/** The statement right behind it leaves the function: a way out of its own. */
function leaves(ack: Node): boolean {
  const s = statementOf(ack);
  if (!s || !isList(s.parent)) return false;
  const next = s.parent.statements[s.parent.statements.indexOf(s) + 1];
  return next !== undefined && (ts.isReturnStatement(next) || ts.isThrowStatement(next));
}

/** The innermost block that holds all the work and is run once: the body, or the block of a `try` in it. */
function innermost(body: Compiler.Block, work: readonly Node[]): Compiler.Block {
  const holding = body.statements.filter((s) => work.some((w) => within(w, s)));
  const [only] = holding;
  if (holding.length === 1 && only && ts.isTryStatement(only) && work.every((w) => within(w, only.tryBlock))) return innermost(only.tryBlock, work);
  return body;
}

export function within(n: Node, outer: Node): boolean {
  return n.getSourceFile() === outer.getSourceFile() && n.pos >= outer.pos && n.end <= outer.end;
}

/** A name that these statements declare is used by another one. */
function usesOf(statements: readonly Node[], other: Node): boolean {
  let found = false;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isIdentifier(n) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.name === n)) {
      const d = lookup(n.text, n);
      if (d && statements.some((s) => within(d, s))) found = true;
    }
    ts.forEachChild(n, visit);
  };
  visit(other);
  return found;
}

/** Ways out of the region: inside the transaction's function they would only leave that. */
function checkExits(h: BuiltHandler, statements: readonly Node[], rest: readonly Node[], ack: Node | undefined): void {
  const exits = exitsOf(statements);
  if (!exits) throw new Obstacle(statements[0] as Node, 'a label leads out of the statements. Write the loop as a function of its own.');
  for (const exit of exits) {
    if (!ts.isReturnStatement(exit)) throw new Obstacle(exit, 'it leaves a loop around the work: the handler takes several messages, or works in turns. Move the work for one message to a function of its own, and register that.');
    if (exit.expression && (h.model.http || h.model.partialBatch || h.registered.registration.refuses || /^bull(mq)?$|^bee-queue$/.test(h.model.client))) {
      throw new Obstacle(exit, 'what the handler returns means something to its client. Put it into a variable before the work, and return it behind.');
    }
    if (h.model.acknowledgement === 'explicit') throw new Obstacle(exit, 'it leaves the work, and the message unsettled. Throw an error there, or go on to the acknowledgement (`if (…) { … }` in place of `return`).');
    if (rest.some((s) => s !== ack)) throw new Obstacle(exit, 'it leaves the work past the statements behind it. Use `if (…) { … }` in place of `return`, so that there is one way to the end.');
  }
}

/** Failures of a statement that somebody catches on the way and drops: PostgreSQL has given the transaction up by then. */
export function checkCatches(work: Node, until: Node): void {
  for (let n: Node | undefined = work; n && n !== until; n = n.parent) {
    if (ts.isCatchClause(n)) throw new Obstacle(work, 'it runs after a failure, when PostgreSQL has given the transaction up. Let the error pass, and record the failure behind the handler.');
  }
  for (const t of triesAround(work, until)) {
    if (t.catchClause && outcomeOf(t.catchClause.block) !== 'throws') throw new Obstacle(t.catchClause, 'it catches the failure of a statement and goes on, but PostgreSQL has given the transaction up by then. Throw the error again, or put the `try` around the whole work.');
  }
}

/** The nodes of a function, those of callbacks included, that a test holds for. */
export function nodesIn(fn: Node, is: (n: Node) => boolean): Node[] {
  const found: Node[] = [];
  const visit = (n: Node): void => {
    if (is(n)) found.push(n);
    ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn, visit);
  return found;
}

