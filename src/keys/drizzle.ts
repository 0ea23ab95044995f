import type { Evaluator } from '../origin/evaluate.js';
import { ts, unwrap, type Compiler, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { callsIn, fields, functionOf, lastNameOf, plain, stepsOf, Code } from './read.js';
import { tableKeys, type TableKeys } from './table.js';

export const drizzleWords = ['drizzle-orm', 'pgTable', 'mysqlTable', 'sqliteTable'];

/** `pgTable('orders', { id: serial('id').primaryKey() }, (t) => [unique().on(t.orderId)])` and its kin in the other dialects. */
export function readDrizzle(source: SourceFile, e: Evaluator): TableKeys[] {
  return [...indexOf(source).calls.values()].flat().flatMap((call) => (ts.isCallExpression(call) && isTable(call) ? [readTable(call, e)] : []));
}

function isTable(call: Compiler.CallExpression): boolean {
  const [name, columns] = call.arguments;
  return name !== undefined && columns !== undefined && ts.isStringLiteralLike(name) && /table/i.test(lastNameOf(call)) && !ts.isStringLiteralLike(columns) && ts.isVariableDeclaration(call.parent);
}

function readTable(call: Compiler.CallExpression, e: Evaluator): TableKeys {
  const [name, columns, extras] = call.arguments;
  const uniqueKeys: string[][] = [];
  const made: string[] = [];
  const aliases: [string, string][] = [];
  for (const [property, value] of Object.entries(columnsOf(columns, e))) {
    const steps = value instanceof Code && value.node ? stepsOf(value.node) : [];
    const called = (pattern: RegExp): boolean => steps.some((s) => pattern.test(s.name));
    if (called(/^(primaryKey|unique)$/)) uniqueKeys.push([property]);
    if (called(/^(serial|bigserial|smallserial|autoincrement|defaultRandom|\$default|\$defaultFn|generated\w*AsIdentity)$/)) made.push(property);
    const fallback = steps.find((s) => s.name === 'default')?.args[0]?.getText() ?? '';
    if (/uuid|random|nextval/i.test(fallback)) made.push(property);
    const column = steps[0]?.args[0];
    if (column && ts.isStringLiteralLike(column)) aliases.push([property, column.text]);
  }
  if (extras) uniqueKeys.push(...keysIn(extras, e));
  const own = call.parent;
  return tableKeys([ts.isStringLiteralLike(name as Expression) ? (name as Compiler.StringLiteral).text : undefined, ts.isVariableDeclaration(own) ? own.name.getText() : undefined], { uniqueKeys, made, aliases });
}

/** An object, or a function that gives one. */
function columnsOf(node: Expression | undefined, e: Evaluator) {
  const fn = functionOf(e, node);
  const body = fn?.body && !ts.isBlock(fn.body) ? unwrap(fn.body) : undefined;
  return fields(plain(e, body ?? node));
}

/** `primaryKey({ columns: [t.a, t.b] })`, `unique('n').on(t.a)`, and helpers that give them. */
function keysIn(root: Node, e: Evaluator, depth = 0): string[][] {
  const found: string[][] = [];
  for (const call of callsIn(root)) {
    const steps = stepsOf(call);
    const first = steps[0]?.name ?? '';
    if (first === 'primaryKey' && steps.length === 1) found.push(properties(call));
    else if ((first === 'unique' || first === 'uniqueIndex') && steps.at(-1)?.name.startsWith('on')) found.push(steps.at(-1)?.args.flatMap((a) => properties(a)) ?? []);
    else if (depth < 2 && ts.isIdentifier(call.expression)) {
      const helper = functionOf(e, call.expression);
      if (helper?.body) found.push(...keysIn(helper.body, e, depth + 1));
    }
  }
  return found.filter((k) => k.length > 0);
}

/** `t.orderId`, wherever in the node. */
function properties(root: Node): string[] {
  const found: string[] = [];
  const visit = (n: Node): void => {
    if (ts.isPropertyAccessExpression(n) && ts.isIdentifier(n.expression)) found.push(n.name.text);
    else ts.forEachChild(n, visit);
  };
  ts.forEachChild(root, visit);
  if (ts.isPropertyAccessExpression(root) && ts.isIdentifier(root.expression)) found.push(root.name.text);
  return [...new Set(found)];
}
