import type { Edit } from '../model/finding.js';
import { ts, isAsync, isGenerator, type Compiler, type FunctionNode, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import { some } from './code.js';
import { edit, isHandler, type FixContext } from './context.js';

/** Parameters by which a caller is told of the end: whoever has them does not look at a promise. */
const CALLBACKS = /^(done|callback|cb|next|res|reply|response|resolve|reject)$/;

/**
 * What lets `await` stand in a function: nothing if it is async; `async` in front of the handler, or of a local
 * function all of whose callers wait for it or can be made to. Undefined where that would change what others rely on.
 */
export function madeAsync(fn: FunctionNode, context: FixContext, depth = 0): Edit[] | undefined {
  if (isAsync(fn)) return [];
  if (isGenerator(fn) || ts.isConstructorDeclaration(fn) || ts.isAccessor(fn) || !fn.body) return undefined;
  if (fn.parameters.some((p) => ts.isIdentifier(p.name) && CALLBACKS.test(p.name.text))) return undefined;
  const own = [keyword(fn, context), ...(fn.type ? [promised(fn.type, context)] : [])];
  if (own.some((e) => e === 'no')) return undefined;
  const edits = own.filter((e) => e !== 'no' && e !== 'as it is') as Edit[];
  if (isHandler(fn, context) || isCallbackOfPromise(fn)) return edits;
  const callers = depth < 3 ? awaitedByAll(fn, context, depth) : undefined;
  return callers && [...edits, ...callers];
}

function keyword(fn: FunctionNode, context: FixContext): Edit {
  const source = fn.getSourceFile();
  const at = ts.isArrowFunction(fn) ? fn.getStart(source) : ts.isMethodDeclaration(fn) ? fn.name.getStart(source) : (fn.getChildren(source).find((c) => c.kind === ts.SyntaxKind.FunctionKeyword) ?? fn).getStart(source);
  return edit(source, at, at, 'async ', context);
}

/** The return type that an async function needs. */
function promised(type: Compiler.TypeNode, context: FixContext): Edit | 'no' | 'as it is' {
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise') return 'as it is';
  if (type.kind !== ts.SyntaxKind.VoidKeyword) return 'no';
  const source = type.getSourceFile();
  return edit(source, type.getStart(source), type.end, 'Promise<void>', context);
}

/** `.then(() => …)`: the chain waits for what its callbacks return. */
export function isCallbackOfPromise(fn: FunctionNode): boolean {
  const call = fn.parent;
  return ts.isCallExpression(call) && call.expression !== fn && ts.isPropertyAccessExpression(call.expression) && /^(then|catch|finally)$/.test(call.expression.name.text);
}

/** Every use of a local function is a call that is awaited or returned, or becomes so by these edits. */
function awaitedByAll(fn: FunctionNode, context: FixContext, depth: number): Edit[] | undefined {
  const source = fn.getSourceFile();
  const declaration = ts.isFunctionDeclaration(fn) ? fn : ts.isVariableDeclaration(fn.parent) && fn.parent.initializer === fn ? fn.parent : undefined;
  const name = declaration?.name;
  if (!declaration || !name || !ts.isIdentifier(name) || isExposed(declaration)) return undefined;
  if (ts.isVariableDeclaration(declaration) && declaration.type) return undefined;
  const edits: Edit[] = [];
  const fits = !some(
    source,
    (n) => {
      if (!ts.isIdentifier(n) || n.text !== name.text || n === name || lookup(n.text, n) !== declaration) return false;
      const call = n.parent;
      if (ts.isPropertyAccessExpression(call) && call.name === n) return false;
      if (!ts.isCallExpression(call) || call.expression !== n) return true;
      const { parent } = call;
      if (ts.isAwaitExpression(parent) || ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === call)) return false;
      const caller = enclosing(call);
      const more = ts.isExpressionStatement(parent) && caller ? madeAsync(caller, context, depth + 1) : undefined;
      if (!more) return true;
      edits.push(...more, edit(source, call.getStart(source), call.getStart(source), 'await ', context));
      return false;
    },
    false,
  );
  return fits ? unique(edits) : undefined;
}

function enclosing(node: Node): FunctionNode | undefined {
  for (let n: Node | undefined = node.parent; n; n = n.parent) {
    if (ts.isFunctionDeclaration(n) || ts.isFunctionExpression(n) || ts.isArrowFunction(n) || ts.isMethodDeclaration(n) || ts.isConstructorDeclaration(n) || ts.isGetAccessor(n) || ts.isSetAccessor(n)) return n;
    if (ts.isClassLike(n)) return undefined;
  }
  return undefined;
}

function isExposed(d: Compiler.FunctionDeclaration | Compiler.VariableDeclaration): boolean {
  const s = ts.isVariableDeclaration(d) ? d.parent.parent : d;
  return ts.canHaveModifiers(s) && (ts.getModifiers(s)?.length ?? 0) > 0;
}

export function unique(edits: readonly Edit[]): Edit[] {
  const seen = new Set<string>();
  return edits.filter((e) => {
    const key = `${e.start}:${e.end}:${e.text}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
