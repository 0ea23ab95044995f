import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, unwrap, type Compiler, type Expression } from '../syntax/compiler.js';
import { methodOf, statementOf } from './code.js';
import { edit, nodeAt, type FixContext } from './context.js';

type Request = Extract<FixRequest, { kind: 'insert-by' }>;

const POSTGRES = /^(pg|pg-promise|postgres|slonik|@neondatabase\/serverless|@vercel\/postgres)$/;

/** The insert as one that leaves a row of the same message alone, in the way of its library. */
export function insertBy(request: Request, context: FixContext): Suggestion[] {
  const call = nodeAt(request.call, context, (n): n is Compiler.CallExpression | Compiler.TaggedTemplateExpression => ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n));
  if (!call) return [];
  const { library, column } = request;
  if (POSTGRES.test(library)) return onConflict(call, column, context);
  if (!ts.isCallExpression(call)) return [];
  if (library === 'knex' || library === 'objection') return ignore(call, column, context);
  if (library === 'mongodb' || library === 'mongoose') return setOnInsert(call, column, context);
  return library === '@google-cloud/firestore' ? underId(call, column, context) : [];
}

/** `INSERT … ON CONFLICT (order_id) DO NOTHING` */
function onConflict(call: Compiler.CallExpression | Compiler.TaggedTemplateExpression, column: string, context: FixContext): Suggestion[] {
  const statement = ts.isTaggedTemplateExpression(call) ? call.template : call.arguments[0] && unwrap(call.arguments[0]);
  if (!statement || !(ts.isStringLiteralLike(statement) || ts.isTemplateExpression(statement))) return [];
  const source = call.getSourceFile();
  const start = statement.getStart(source) + 1;
  const text = source.text.slice(start, statement.end - 1);
  if (/\bon\s+conflict\b/i.test(text) || !/^\s*insert\s+into\b/i.test(text)) return [];
  const at = /\s+returning\b/i.exec(text)?.index ?? text.replace(/[\s;]+$/, '').length;
  const clause = ` ON CONFLICT (${/^[a-z_][a-z0-9_]*$/.test(column) ? column : `"${column}"`}) DO NOTHING`;
  if (ts.isStringLiteral(statement) && clause.includes(source.text[start - 1] ?? '')) return [];
  return [{ title: `Leave the row alone if its \`${column}\` is there already (a unique key on it must exist)`, edits: [edit(source, start + at, start + at, clause, context)] }];
}

/** `.insert(…).onConflict('order_id').ignore()` */
function ignore(call: Compiler.CallExpression, column: string, context: FixContext): Suggestion[] {
  let insert: Expression = call;
  while (ts.isCallExpression(insert) && methodOf(insert) !== 'insert' && ts.isPropertyAccessExpression(insert.expression)) insert = insert.expression.expression;
  if (!ts.isCallExpression(insert) || methodOf(insert) !== 'insert') return [];
  return [{ title: `Leave the row alone if its \`${column}\` is there already (a unique key on it must exist)`, edits: [edit(call.getSourceFile(), insert.end, insert.end, `.onConflict('${column}').ignore()`, context)] }];
}

/** `insertOne({ orderId, total })` as `updateOne({ orderId }, { $setOnInsert: { total } }, { upsert: true })` */
function setOnInsert(call: Compiler.CallExpression, column: string, context: FixContext): Suggestion[] {
  const [row, options] = call.arguments;
  const method = methodOf(call);
  const given = options && unwrap(options);
  const property = row && propertyOf(row, column);
  if (!property || !ts.isPropertyAccessExpression(call.expression) || !statementOf(call) || (method !== 'insertOne' && method !== 'create')) return [];
  if (given && (method === 'create' || !ts.isObjectLiteralExpression(given))) return [];
  const source = call.getSourceFile();
  const rest = property.parent.properties.filter((p) => p !== property);
  if (rest.length === 0) return [];
  const edits: Edit[] = [
    edit(source, call.expression.name.getStart(source), call.expression.name.end, 'updateOne', context),
    edit(source, row.getStart(source), row.getStart(source), `{ ${property.getText(source)} }, { $setOnInsert: `, context),
    without(property, context),
    edit(source, row.end, row.end, ' }', context),
  ];
  if (given && ts.isObjectLiteralExpression(given)) edits.push(edit(source, given.getStart(source) + 1, given.getStart(source) + 1, ` upsert: true${given.properties.length ? ',' : ''}`, context));
  else edits.push(edit(source, row.end, row.end, ', { upsert: true }', context));
  return [{ title: `Insert only if no document has this \`${column}\``, edits: merged(edits) }];
}

/** `add({ eventId, … })` as `doc(eventId).set({ eventId, … })` */
function underId(call: Compiler.CallExpression, column: string, context: FixContext): Suggestion[] {
  const [row] = call.arguments;
  const property = row && propertyOf(row, column);
  if (!property || methodOf(call) !== 'add' || !statementOf(call) || !ts.isPropertyAccessExpression(call.expression)) return [];
  const source = call.getSourceFile();
  const value = ts.isPropertyAssignment(property) ? property.initializer.getText(source) : property.name.text;
  return [{ title: `Store the document under its \`${column}\``, edits: [edit(source, call.expression.name.getStart(source), call.expression.name.end, `doc(${value}).set`, context)] }];
}

type Property = (Compiler.PropertyAssignment | Compiler.ShorthandPropertyAssignment) & { parent: Compiler.ObjectLiteralExpression };

/** The property of a row that is written out in full. */
function propertyOf(row: Expression, column: string): Property | undefined {
  const object = unwrap(row);
  if (!ts.isObjectLiteralExpression(object) || object.properties.some((p) => ts.isSpreadAssignment(p))) return undefined;
  return object.properties.find((p): p is Property => (ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p)) && (ts.isIdentifier(p.name) || ts.isStringLiteralLike(p.name)) && p.name.text === column);
}

/** A property taken out, with the comma that belongs to it. */
function without(property: Property, context: FixContext): Edit {
  const source = property.getSourceFile();
  const { properties } = property.parent;
  const i = properties.indexOf(property);
  const next = properties[i + 1];
  const before = properties[i - 1];
  if (next) return edit(source, property.getStart(source), next.getStart(source), '', context);
  return edit(source, before ? before.end : property.getStart(source), property.end, '', context);
}

/** Edits at one place as one, in the order given. */
function merged(edits: readonly Edit[]): Edit[] {
  const found: Edit[] = [];
  for (const e of edits) {
    const same = found.find((f) => f.start === e.start && f.end === e.end && e.start === e.end);
    if (same) same.text += e.text;
    else found.push({ ...e });
  }
  return found;
}
