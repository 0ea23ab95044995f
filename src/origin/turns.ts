import { ts, enclosingFunction, isFunctionNode, type Compiler, type FunctionNode, type Node } from '../syntax/compiler.js';
import type { Evaluator } from './evaluate.js';
import { Frame } from './frame.js';
import type { Value } from './value.js';

/**
 * The frames in which a node runs: one for each turn of the loop around it, where the elements of its list are known. So
 * `handlers[name] = require(`./${name}`)` in a loop over names is told apart by name.
 */
export function turnsOf(e: Evaluator, node: Node): Frame[] {
  for (let n: Node | undefined = node.parent; n; n = n.parent) {
    if (ts.isForOfStatement(n)) {
      const turns = ofStatement(e, n);
      if (turns) return turns;
    }
    if (isFunctionNode(n)) return ofCallback(e, n) ?? [e.openFrame(node)];
  }
  return [e.openFrame(node)];
}

/** `for (const file of files) …` */
function ofStatement(e: Evaluator, loop: Compiler.ForOfStatement): Frame[] | undefined {
  if (!ts.isVariableDeclarationList(loop.initializer)) return undefined;
  const around = e.openFrame(loop);
  return elementsOf(e.evaluate(loop.expression, around))?.map((element) => Frame.turn(around, loop, element));
}

/** `files.forEach((file) => …)` and its kin: the callback is given one element after the other. */
function ofCallback(e: Evaluator, fn: FunctionNode): Frame[] | undefined {
  const call = fn.parent;
  if (!ts.isCallExpression(call) || !call.arguments.includes(fn as Compiler.ArrowFunction) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
  const position = POSITION[call.expression.name.text];
  if (position === undefined) return undefined;
  const outer = enclosingFunction(fn) ? e.openFrame(fn) : e.fileFrame(fn.getSourceFile());
  const before = call.arguments.slice(1, 1 + position).map((a) => () => e.evaluate(a, outer));
  return elementsOf(e.evaluate(call.expression.expression, outer))?.map((element) => new Frame(fn.getSourceFile(), outer, fn, [...before, () => element], undefined, undefined, undefined));
}

/** Which of the callback's parameters is the element. */
const POSITION: Readonly<Record<string, number>> = { forEach: 0, map: 0, each: 0, reduce: 1 };

function elementsOf(list: Value): Value[] | undefined {
  return list.kind === 'list' && list.elements.length > 0 && !list.batch ? list.elements : undefined;
}
