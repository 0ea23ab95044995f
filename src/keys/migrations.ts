import type { Evaluator } from '../origin/evaluate.js';
import { ts, unwrap, type Compiler, type Expression, type FunctionNode, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { keysOfColumns, keysOfIndexes } from './columns.js';
import { callsIn, fields, functionOf, isDown, isFields, list, names, plain, stepsOf, text, type Step } from './read.js';
import { tableKeys, type TableKeys } from './table.js';

export const migrationWords = ['createTable', 'alterTable', 'addConstraint', 'addIndex', 'createIndex', 'createUniqueConstraint', 'addColumn'];

/** Migrations written as calls: of Knex, node-pg-migrate, Sequelize, Kysely and TypeORM. */
export function readMigrations(source: SourceFile, e: Evaluator): TableKeys[] {
  const { calls } = indexOf(source);
  const named = (...methods: string[]): Compiler.CallExpression[] => methods.flatMap((m) => calls.get(m) ?? []).filter((c): c is Compiler.CallExpression => ts.isCallExpression(c) && !isDown(c));
  return [
    ...named('createTable', 'createTableIfNotExists').flatMap((c) => created(c, e)),
    ...named('alterTable', 'table').flatMap((c) => altered(c, e)),
    ...named('addConstraint', 'createConstraint', 'addIndex', 'createIndex', 'createUniqueConstraint', 'addColumn').flatMap((c) => constrained(c, e)),
  ];
}

function created(call: Compiler.CallExpression, e: Evaluator): TableKeys[] {
  const [first, second, third] = call.arguments;
  const name = tableName(first, e);
  const callback = functionOf(e, second);
  if (name !== undefined && callback) return [tableKeys([name], keysOfBlueprint(callback, e))];
  if (name !== undefined && second) {
    const columns = plain(e, second);
    if (!isFields(columns)) return [];
    const own = keysOfColumns(columns);
    const options = fields(plain(e, third));
    return [tableKeys([name], { ...own, uniqueKeys: [...own.uniqueKeys, ...keysOfOptions(options)] })];
  }
  if (name !== undefined) return [tableKeys([name], keysOfKysely(call, e))];
  const made = first && unwrap(first);
  return made && ts.isNewExpression(made) ? typeormTable(fields(plain(e, made.arguments?.[0]))) : [];
}

function tableName(node: Expression | undefined, e: Evaluator): string | undefined {
  const value = plain(e, node);
  return text(value) ?? text(fields(value).tableName) ?? (isFields(value) && value.columns === undefined ? text(value.name) : undefined);
}

/** `{ constraints: { unique: [['a', 'b']], primaryKey: ['a'] } }` of node-pg-migrate, `{ uniqueKeys: { once: { fields } } }` of Sequelize. */
function keysOfOptions(options: ReturnType<typeof fields>): string[][] {
  const { constraints, uniqueKeys } = options;
  const unique = fields(constraints).unique;
  const several = list(unique).some(Array.isArray) ? list(unique).map(names) : [names(unique)];
  return [...several, names(fields(constraints).primaryKey), ...Object.values(fields(uniqueKeys)).map((u) => names(fields(u).fields))].filter((k) => k.length > 0);
}

// --- Knex: createTable('orders', (t) => { t.increments(); t.uuid('event_id').unique(); t.unique(['a', 'b']); })

function keysOfBlueprint(callback: FunctionNode, e: Evaluator): Pick<TableKeys, 'uniqueKeys' | 'made'> {
  const parameter = callback.parameters[0]?.name.getText();
  const uniqueKeys: string[][] = [];
  const made: string[] = [];
  if (!callback.body) return { uniqueKeys, made };
  for (const call of callsIn(callback.body)) {
    if (ts.isPropertyAccessExpression(call.parent) || rootOf(call) !== parameter) continue;
    const steps = stepsOf(call);
    const [first, ...rest] = steps;
    if (!first) continue;
    const columns = names(plain(e, first.args[0]));
    if (first.name === 'unique' || first.name === 'primary') {
      uniqueKeys.push(columns);
      continue;
    }
    const counts = /^(increments|bigIncrements|smallIncrements|tinyIncrements|mediumIncrements)$/.test(first.name);
    const column = columns[0] ?? (counts ? 'id' : undefined);
    if (column === undefined) continue;
    if (counts || rest.some((s) => s.name === 'unique' || s.name === 'primary')) uniqueKeys.push([column]);
    if (counts || rest.some((s) => s.name === 'defaultTo' && /uuid|random|nextval/i.test(s.args[0]?.getText() ?? ''))) made.push(column);
  }
  return { uniqueKeys: uniqueKeys.filter((k) => k.length > 0), made };
}

/** The name that a chain of calls begins with. */
function rootOf(call: Compiler.CallExpression): string {
  let n: Expression = call;
  while (ts.isCallExpression(n) || ts.isPropertyAccessExpression(n)) n = unwrap(n.expression);
  return n.getText();
}

function altered(call: Compiler.CallExpression, e: Evaluator): TableKeys[] {
  const name = text(plain(e, call.arguments[0]));
  if (name === undefined) return [];
  const callback = functionOf(e, call.arguments[1]);
  const found = callback ? keysOfBlueprint(callback, e) : call.arguments.length === 1 ? keysOfKysely(call, e) : undefined;
  return found && found.uniqueKeys.length > 0 ? [tableKeys([name], { ...found, whole: false })] : [];
}

// --- Kysely: createTable('orders').addColumn('id', 'serial', (c) => c.primaryKey()).addUniqueConstraint('once', ['a'])

function keysOfKysely(call: Compiler.CallExpression, e: Evaluator): Pick<TableKeys, 'uniqueKeys' | 'made'> {
  const uniqueKeys: string[][] = [];
  const made: string[] = [];
  for (const step of stepsAfter(call)) {
    if (step.name === 'addColumn') {
      const [name, type, refine] = step.args;
      const column = text(plain(e, name));
      if (column === undefined) continue;
      const refined = refine?.getText() ?? '';
      if (/\.(primaryKey|unique)\(/.test(refined)) uniqueKeys.push([column]);
      if (/serial/i.test(type?.getText() ?? '') || /autoIncrement|generated\w*AsIdentity|defaultTo\([^)]*(uuid|random|nextval)/i.test(refined)) made.push(column);
    } else if (step.name === 'addUniqueConstraint' || step.name === 'addPrimaryKeyConstraint') {
      uniqueKeys.push(names(plain(e, step.args[1])));
    }
  }
  return { uniqueKeys, made };
}

/** The calls that follow in the chain. */
function stepsAfter(call: Compiler.CallExpression): Step[] {
  const found: Step[] = [];
  for (let n: Compiler.CallExpression = call; ts.isPropertyAccessExpression(n.parent) && ts.isCallExpression(n.parent.parent); n = n.parent.parent) {
    found.push({ name: n.parent.name.text, args: n.parent.parent.arguments });
  }
  return found;
}

// --- TypeORM: createTable(new Table({ name, columns, uniques, indices }))

function typeormTable(table: ReturnType<typeof fields>): TableKeys[] {
  const name = text(table.name);
  if (name === undefined) return [];
  const columns = list(table.columns).map(fields);
  const primary = columns.filter((c) => c.isPrimary === true).flatMap((c) => text(c.name) ?? []);
  return [
    tableKeys([name], {
      uniqueKeys: [
        ...(primary.length ? [primary] : []),
        ...columns.filter((c) => c.isUnique === true).map((c) => names(c.name)),
        ...list(table.uniques).map((u) => names(fields(u).columnNames)),
        ...list(table.indices).filter((i) => fields(i).isUnique === true).map((i) => names(fields(i).columnNames)),
      ],
      made: columns.filter((c) => c.isGenerated === true || /uuid|random|nextval/i.test(text(c.default) ?? '')).flatMap((c) => text(c.name) ?? []),
    }),
  ];
}

// --- Constraints and indexes of their own

function constrained(call: Compiler.CallExpression, e: Evaluator): TableKeys[] {
  const [first, second, third] = call.arguments;
  const name = tableName(first, e);
  if (name === undefined) return [];
  const partly = (uniqueKeys: string[][]): TableKeys[] => (uniqueKeys.some((k) => k.length) ? [tableKeys([name], { uniqueKeys, whole: false })] : []);
  const after = stepsAfter(call);
  const on = after.find((s) => s.name === 'on')?.args[0];
  if (on) {
    // Kysely: createIndex('once').unique().on('orders').columns(['a'])
    const table = text(plain(e, on));
    if (table === undefined || !after.some((s) => s.name === 'unique')) return [];
    return [tableKeys([table], { uniqueKeys: [after.filter((s) => /^columns?$/.test(s.name)).flatMap((s) => names(plain(e, s.args[0])))], whole: false })];
  }
  const [two, three] = [plain(e, second), plain(e, third)];
  const made = second && unwrap(second);
  if (made && ts.isNewExpression(made)) {
    const index = fields(plain(e, made.arguments?.[0]));
    return partly(index.isUnique === true || /Unique/.test(made.expression.getText()) ? [names(index.columnNames)] : []);
  }
  // addColumn('orders', 'event_id', { unique: true }), addColumns('orders', { event_id: { unique: true } })
  if (call.expression.getText().endsWith('addColumn')) return partly(typeof two === 'string' && fields(three).unique === true ? [[two]] : []);
  // addConstraint('orders', 'once', { unique: ['a'] }) of node-pg-migrate
  if (typeof two === 'string' && isFields(three) && (three.unique !== undefined || three.primaryKey !== undefined) && three.unique !== true) return partly(keysOfOptions({ constraints: three }));
  const columns = names(two);
  const options = fields(three);
  if (columns.length) return partly(options.unique === true || /unique|primary/i.test(text(options.type) ?? '') ? [columns] : []);
  return partly(isFields(two) ? [...keysOfIndexes([two]), ...(/primary/i.test(text(two.type) ?? '') ? [names(two.fields)] : [])] : []);
}
