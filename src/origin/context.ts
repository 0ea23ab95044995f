import type { ShapeRef } from '../catalog/schema.js';
import { ts, type Compiler, type Expression, type FunctionNode, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import type { Evaluator } from './evaluate.js';
import type { Frame } from './frame.js';
import { shapeValue } from './library.js';
import { options, type LibraryValue, type Value } from './value.js';

/** Array methods whose callback gets an element first. */
const EACH = new Set(['forEach', 'map', 'filter', 'flatMap', 'some', 'every', 'find', 'findIndex', 'each']);

/**
 * The value of a parameter that nobody gave an argument for, from what its function is handed to: a library's callback
 * (`connect(url, (error, connection) => …)`, `setup: (channel) => …`), or an array's method.
 */
export function contextualParameter(e: Evaluator, fn: FunctionNode, index: number, home: Frame): Value | undefined {
  const use = usedBy(fn);
  if (!use || !home.lexical) return undefined;
  const frame = home.caller && home.lexical.fn === undefined ? home.lexical : home.lexical;
  const callee = use.call.expression;
  if (use.path === '' && ts.isPropertyAccessExpression(callee) && EACH.has(callee.name.text) && index === 0 && use.index === 0) {
    const element = e.element(e.evaluate(callee.expression, frame));
    if (element.kind !== 'unknown') return element;
  }
  // connect(url).then((connection) => …): what the promise gives.
  if (use.path === '' && use.index === 0 && index === 0 && ts.isPropertyAccessExpression(callee) && callee.name.text === 'then') {
    const given = e.evaluate(callee.expression, frame);
    if (given.kind !== 'unknown') return given;
  }
  for (const value of options(e.evaluate(callee, frame))) {
    if (value.kind !== 'library') continue;
    const found = ofLibrary(e, value, use, index, frame, fn);
    if (found) return found;
  }
  return undefined;
}

interface Use {
  call: Compiler.CallExpression | Compiler.NewExpression;
  index: number;
  /** Where in an options object the function stands; empty where it is the argument itself. */
  path: string;
}

function usedBy(fn: FunctionNode): Use | undefined {
  const direct = usedAt(fn);
  if (direct) return direct;
  const name = ts.isVariableDeclaration(fn.parent) && ts.isIdentifier(fn.parent.name) ? fn.parent.name.text : ts.isFunctionDeclaration(fn) ? fn.name?.text : undefined;
  if (name === undefined) return undefined;
  // const setup = (channel) => …; connection.createChannel({ setup })
  const declared = lookup(name, fn);
  let found: Use | undefined;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isIdentifier(n) && n.text === name && !ts.isVariableDeclaration(n.parent) && !ts.isFunctionDeclaration(n.parent) && lookup(name, n) === declared) {
      if (ts.isShorthandPropertyAssignment(n.parent)) found = usedAt(n.parent, [name]);
      else if (!ts.isCallExpression(n.parent) || n.parent.expression !== n) found = usedAt(n);
    }
    ts.forEachChild(n, visit);
  };
  visit(fn.getSourceFile());
  return found;
}

function usedAt(start: Node, named: readonly string[] = []): Use | undefined {
  const names: string[] = [...named];
  let n: Node = start;
  for (let p = n.parent; p; n = p, p = p.parent) {
    if (ts.isPropertyAssignment(p)) names.unshift(p.name.getText().replace(/['"]/g, ''));
    else if (ts.isCallExpression(p) || ts.isNewExpression(p)) {
      const index = p.arguments?.indexOf(n as Expression) ?? -1;
      return index < 0 ? undefined : { call: p, index, path: names.join('.') };
    } else if (ts.isObjectLiteralExpression(p)) {
      if (ts.isMethodDeclaration(n)) names.unshift(n.name.getText());
    } else if (!ts.isParenthesizedExpression(p) && !ts.isAsExpression(p) && !ts.isSatisfiesExpression(p)) return undefined;
  }
  return undefined;
}

function ofLibrary(e: Evaluator, value: LibraryValue, use: Use, index: number, frame: Frame, fn: FunctionNode): Value | undefined {
  const call = ts.isNewExpression(use.call) ? value.shape.construct : value.shape.call;
  if (!call) return undefined;
  const at = use.path === '' ? String(use.index) : `${use.index}.${use.path}`;
  const isLast = use.index === (use.call.arguments?.length ?? 0) - 1 && use.path === '';
  const key = frame.key(use.call);
  const fits = (path: string): boolean => path === at || (path === 'last' && isLast);
  const give = (params: readonly ShapeRef[] | undefined, root: string): Value | undefined => {
    const ref = params?.[index];
    const bound = ref === undefined ? undefined : e.catalog.bind(ref, value.library);
    const p = fn.parameters[index];
    return bound && shapeValue(bound, { root: `${root}:${index}`, name: p && ts.isIdentifier(p.name) ? p.name.text : 'argument', call: key });
  };
  for (const r of call.runs ?? []) if (fits(r.function)) return give(r.params, key);
  if (call.transaction?.callback !== undefined && fits(call.transaction.callback)) return give(call.transaction.params, `tx:${key}`);
  for (const r of call.registers === undefined ? [] : Array.isArray(call.registers) ? call.registers : [call.registers]) {
    if (typeof r.handler === 'string' ? fits(r.handler) : r.handler.some(fits)) {
      const found = give(r.params, key);
      if (found) return found;
    }
  }
  if (call.nodeCallback && isLast) {
    if (index === 0) return { kind: 'error', from: use.call, frame, path: [] };
    const result = e.evaluate(use.call, frame);
    return result.kind === 'unknown' ? undefined : result;
  }
  return undefined;
}
