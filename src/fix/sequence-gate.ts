import type { FixRequest, Suggestion } from '../model/finding.js';
import { ts, unwrap, type Compiler, type Expression, type Node } from '../syntax/compiler.js';
import { methodOf } from './code.js';
import { edit, nodeAt, type FixContext } from './context.js';

type Request = Extract<FixRequest, { kind: 'sequence-gate' }>;

/** The condition that lets only a newer message write, in the way of the store. */
export function sequenceGate({ call: place, column }: Request, context: FixContext): Suggestion[] {
  const call = nodeAt(place, context, (n): n is Compiler.CallExpression | Compiler.TaggedTemplateExpression => ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n));
  if (!call) return [];
  const statement = ts.isTaggedTemplateExpression(call) ? call.template : call.arguments[0] && unwrap(call.arguments[0]);
  if (statement && (ts.isStringLiteralLike(statement) || ts.isTemplateExpression(statement))) return inSql(statement, column, context);
  return ts.isCallExpression(call) ? inFilter(call, column, context) : [];
}

function suggestion(column: string, at: Node, position: number, text: string, context: FixContext): Suggestion[] {
  return [{ title: `Write only if \`${column}\` is newer than what is stored`, edits: [edit(at.getSourceFile(), position, position, text, context)] }];
}

const VALUE = String.raw`(\$\d+|\$\{[^}]*\}|:\w+|@\w+)`;

/** `… WHERE id = $1 AND version < $3`, `ON CONFLICT … DO UPDATE SET … WHERE orders.version < EXCLUDED.version` */
function inSql(statement: Node, column: string, context: FixContext): Suggestion[] {
  const source = statement.getSourceFile();
  const start = statement.getStart(source) + 1;
  const text = source.text.slice(start, statement.end - 1);
  const end = start + (/\s+returning\b/i.exec(text)?.index ?? text.replace(/[\s;]+$/, '').length);
  if (/^\s*update\b/i.test(text)) {
    const where = /\bwhere\b([\s\S]*)$/i.exec(text)?.[1];
    const [, written, value] = new RegExp(String.raw`("${column}"|\b${column}\b)\s*=\s*${VALUE}`, 'i').exec(text) ?? [];
    if (where === undefined || written === undefined || value === undefined || /\bor\b/i.test(where)) return [];
    return suggestion(column, statement, end, ` AND ${written} < ${value}`, context);
  }
  const table = /^\s*insert\s+into\s+([\w."]+)/i.exec(text)?.[1];
  const sets = new RegExp(String.raw`("${column}"|\b${column}\b)\s*=\s*excluded\.\1`, 'i');
  const update = /\bdo\s+update\s+set\b([\s\S]*)$/i.exec(text)?.[1];
  const written = update && sets.exec(update)?.[1];
  if (table === undefined || !update || !written || /\bwhere\b/i.test(update)) return [];
  return suggestion(column, statement, end, ` WHERE ${table}.${written} < EXCLUDED.${written}`, context);
}

/** `updateMany({ where: { id, version: { lt: event.version } }, … })`, `updateOne({ _id, version: { $lt: event.version } }, …)`; a write that fails where nothing matches would be another program. */
function inFilter(call: Compiler.CallExpression, column: string, context: FixContext): Suggestion[] {
  const method = methodOf(call);
  const [first, second, options] = call.arguments.map((a) => unwrap(a));
  const where = first && propertyOf(first, 'where');
  if (method === 'updateMany' && where) return into(where, propertyOf(first, 'data'), column, 'lt', context);
  if ((method !== 'updateOne' && method !== 'updateMany') || !first || !second || options) return [];
  return into(first, propertyOf(second, '$set'), column, '$lt', context);
}

function into(filter: Expression, data: Expression | undefined, column: string, operator: string, context: FixContext): Suggestion[] {
  const value = data && propertyOf(data, column);
  if (!value || !ts.isObjectLiteralExpression(filter) || propertyOf(filter, column)) return [];
  const last = filter.properties.at(-1);
  return last ? suggestion(column, filter, last.end, `, ${column}: { ${operator}: ${value.getText()} }`, context) : [];
}

function propertyOf(object: Expression, name: string): Expression | undefined {
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  for (const p of object.properties) {
    if (p.name?.getText().replace(/['"]/g, '') !== name) continue;
    if (ts.isPropertyAssignment(p)) return unwrap(p.initializer);
    if (ts.isShorthandPropertyAssignment(p)) return p.name;
  }
  return undefined;
}
