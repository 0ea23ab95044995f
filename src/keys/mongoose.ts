import type { Evaluator } from '../origin/evaluate.js';
import { ts, unwrap, type Compiler, type Expression, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { fields, isFields, lastNameOf, list, plain, text, written, type Fields } from './read.js';
import { plural, tableKeys, type TableKeys } from './table.js';

export const mongooseWords = ['mongoose', 'createIndex', 'ensureIndex', 'SchemaFactory'];

/** Models of Mongoose with the schema behind them, and unique indexes that the code asks MongoDB for. */
export function readMongoose(source: SourceFile, e: Evaluator): TableKeys[] {
  const { calls } = indexOf(source);
  const models = (calls.get('model') ?? []).flatMap((call) => {
    const name = text(plain(e, call.arguments?.[0]));
    const schema = call.arguments?.[1] && written(e, call.arguments[1]);
    if (name === undefined || !schema || !ts.isNewExpression(schema) || lastNameOfNew(schema) !== 'Schema') return [];
    const holder = ts.isVariableDeclaration(call.parent) ? call.parent.name.getText() : undefined;
    return [readSchema(schema, [name, holder, plural(name), text(plain(e, call.arguments[2]))], e)];
  });
  return [...models, ...classIndexes(source, e), ...indexesOfCollections(source, e)];
}

function lastNameOfNew(node: Compiler.NewExpression): string {
  return lastNameOf(node);
}

function readSchema(schema: Compiler.NewExpression, names: (string | undefined)[], e: Evaluator): TableKeys {
  const paths = fields(plain(e, schema.arguments?.[0]));
  const options = fields(plain(e, schema.arguments?.[1]));
  const own = paths._id !== undefined;
  return tableKeys([...names, text(options.collection)], {
    uniqueKeys: [['_id'], ...uniquePaths(paths), ...indexesOf(schema, e)],
    // An `_id` of one's own without a default must be given.
    made: own && fields(paths._id).default === undefined && fields(paths._id).auto !== true ? [] : ['_id'],
  });
}

function uniquePaths(paths: Fields, prefix = '', depth = 0): string[][] {
  return Object.entries(paths).flatMap(([name, path]) => {
    if (!isFields(path) || depth > 3) return [];
    if (path.unique === true || (isFields(path.index) && path.index.unique === true)) return [[`${prefix}${name}`]];
    return path.type === undefined ? uniquePaths(path, `${prefix}${name}.`, depth + 1) : [];
  });
}

/** `schema.index({ a: 1, b: 1 }, { unique: true })` on the variable that holds the schema. */
function indexesOf(schema: Expression, e: Evaluator): string[][] {
  const holder = ts.isVariableDeclaration(schema.parent) ? schema.parent.name.getText() : undefined;
  return holder === undefined ? [] : indexesOn(schema.getSourceFile(), holder, e);
}

function indexesOn(source: SourceFile, holder: string, e: Evaluator): string[][] {
  return (indexOf(source).calls.get('index') ?? []).flatMap((call) => {
    if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || unwrap(call.expression.expression).getText() !== holder) return [];
    const [columns, options] = call.arguments.map((a) => fields(plain(e, a)));
    return columns && options?.unique === true ? [Object.keys(columns)] : [];
  });
}

/** Nest: `const OrderSchema = SchemaFactory.createForClass(Order)`, then `OrderSchema.index(…)`. */
function classIndexes(source: SourceFile, e: Evaluator): TableKeys[] {
  return (indexOf(source).calls.get('createForClass') ?? []).flatMap((call) => {
    const [cls] = call.arguments ?? [];
    if (!cls || !ts.isIdentifier(cls) || !ts.isVariableDeclaration(call.parent)) return [];
    return [tableKeys([cls.text], { uniqueKeys: indexesOn(source, call.parent.name.getText(), e), whole: false })];
  });
}

/** `db.collection('orders').createIndex({ eventId: 1 }, { unique: true })` */
function indexesOfCollections(source: SourceFile, e: Evaluator): TableKeys[] {
  return ['createIndex', 'ensureIndex', 'createIndexes'].flatMap((method) =>
    (indexOf(source).calls.get(method) ?? []).flatMap((call) => {
      if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return [];
      const [first, second] = call.arguments.map((a) => plain(e, a));
      const specs = method === 'createIndexes' ? list(first).map(fields).map((s) => ({ columns: fields(s.key), unique: s.unique === true })) : [{ columns: fields(first), unique: fields(second).unique === true }];
      const uniqueKeys = specs.filter((s) => s.unique).map((s) => Object.keys(s.columns));
      const name = collectionName(call.expression.expression, e);
      return uniqueKeys.length && name !== undefined ? [tableKeys([name], { uniqueKeys, whole: false })] : [];
    }),
  );
}

function collectionName(receiver: Expression, e: Evaluator): string | undefined {
  const call = written(e, receiver);
  if (ts.isCallExpression(call) && lastNameOf(call) === 'collection') return text(plain(e, call.arguments[0]));
  return unwrap(receiver).getText().split('.').at(-1);
}
