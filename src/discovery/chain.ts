import type { Remark } from '../model/explanation.js';
import { options, type Value } from '../origin/value.js';
import { ts, nameOf, type Node } from '../syntax/compiler.js';
import type { CallSite, ProgramIndex } from './program-index.js';
import type { Registered } from './registered.js';

/** The registration, and the calls through which a wrapper was given one of these functions. */
export function chainTo(index: ProgramIndex, registered: Registered, functions: ReadonlySet<Node>): Remark[] {
  const { parser } = index.e.sources;
  const remark = (node: Node, name: string, says: string): Remark => ({ place: parser.place(node), name, says });
  const parameters = options(registered.handler).filter((v): v is Parameter => v.kind === 'parameter');
  const sites = parameters.map((p) => sitesGiving(index, p, functions)).find((s) => s.length > 0) ?? [];
  return [remark(registered.at, heading(registered.at), how(registered)), ...sites.map((s) => remark(s.node, heading(s.node), 'gives it the function'))];
}

type Parameter = Extract<Value, { kind: 'parameter' }>;

function how({ library, ...r }: Registered): string {
  if (r.receive) return `receives messages of ${library.name}; the function around it is the handler`;
  if (r.bound) return `is bound to a ${r.bound.trigger} by function.json`;
  if (r.typed) return `handles an event of ${library.name}, by the type or the fields of its parameter`;
  if (ts.isCallExpression(r.at) || ts.isNewExpression(r.at)) return `registers the handler with ${library.name}`;
  return `is a handler of ${library.name}, by its decorator, base class or type`;
}

/** The calls, innermost first, by which the parameter got the function. */
function sitesGiving(index: ProgramIndex, p: Parameter, functions: ReadonlySet<Node>, depth = 0): CallSite[] {
  if (depth > 4) return [];
  for (const site of index.callSites(p.fn)) {
    const argument = site.node.arguments?.[p.index];
    if (!argument) continue;
    const frame = index.e.openFrame(site.node);
    let value = index.e.evaluate(argument, frame);
    for (const name of p.path) value = name === '*' ? index.e.element(value) : index.e.member(value, name, frame);
    for (const v of options(value)) {
      if (v.kind === 'function' && functions.has(v.node)) return [site];
      const further = v.kind === 'parameter' ? sitesGiving(index, v, functions, depth + 1) : [];
      if (further.length > 0) return [site, ...further];
    }
  }
  return [];
}

function heading(node: Node): string {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return node.expression.getText().replace(/\s+/g, ' ').slice(-60);
  if (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return nameOf(node);
  return ts.isVariableDeclaration(node) ? node.name.getText() : '';
}
