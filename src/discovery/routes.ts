import type { Evaluator } from '../origin/evaluate.js';
import type { Func, Value } from '../origin/value.js';
import { ts, decoratorsOf, unwrap, type Compiler, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import { exportsOf } from '../syntax/exports.js';
import { indexOf } from '../syntax/scope.js';
import { handlersIn } from './registered.js';

/** A function that answers POST requests, with the words that name its route. */
export interface Route {
  at: Node;
  names: string;
  handler: Func;
}

/** The POST routes that one file declares: calls of a router, methods of a controller, exports of a route's file. */
export function routesOf(e: Evaluator, source: SourceFile): Route[] {
  return [...ofRouters(e, source), ...ofControllers(e, source), ...ofRouteFile(e, source)];
}

function ofRouters(e: Evaluator, source: SourceFile): Route[] {
  const found: Route[] = [];
  for (const node of indexOf(source).calls.get('post') ?? []) {
    const [path] = node.arguments ?? [];
    const last = node.arguments?.at(-1);
    if (!path || !last || last === path || !ts.isStringLiteralLike(path)) continue;
    for (const handler of handlersIn(e, e.evaluate(last, e.openFrame(node)))) found.push({ at: node, names: path.text, handler });
  }
  return found;
}

function ofControllers(e: Evaluator, source: SourceFile): Route[] {
  const frame = e.fileFrame(source);
  return indexOf(source).classes.flatMap((cls) => {
    const names = [cls.name?.text ?? '', ...decoratorsOf(cls).map((d) => d.getText())].join(' ');
    return cls.members.flatMap((m): Route[] => {
      const post = ts.isMethodDeclaration(m) && m.body ? decoratorsOf(m).find((d) => /^Post\b/.test(d.expression.getText())) : undefined;
      return post ? [{ at: m, names: `${names} ${post.getText()}`, handler: { kind: 'function', node: m as Compiler.MethodDeclaration, frame, self: e.injected(cls, frame) } }] : [];
    });
  });
}

/** `export async function POST(request)` of a framework that makes routes out of files. */
function ofRouteFile(e: Evaluator, source: SourceFile): Route[] {
  if (!/(^|\/)(route|\+server)\.[jt]sx?$/.test(source.fileName)) return [];
  const exported = exportsOf(source).named.get('POST');
  const made = exported?.kind === 'declaration' && ts.isVariableDeclaration(exported.node) ? exported.node.initializer : undefined;
  const value = (made && written(e, made)) ?? e.moduleExport(source, 'POST');
  return handlersIn(e, value).map((handler) => ({ at: handler.node, names: '', handler }));
}

/** `withError(async (request) => …)`: the function that is written out, whatever stands around it. */
function written(e: Evaluator, expression: Expression): Value | undefined {
  const node = unwrap(expression);
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return e.functionValue(node, e.openFrame(node));
  if (!ts.isCallExpression(node)) return undefined;
  for (const a of [...node.arguments].reverse()) {
    const found = written(e, a);
    if (found) return found;
  }
  return undefined;
}
