import type { Evaluator } from '../origin/evaluate.js';
import { ts, enclosingClass, unwrap, type Compiler, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { keysOfColumns, keysOfIndexes } from './columns.js';
import { fields, plain, text } from './read.js';
import { plural, tableKeys, type TableKeys } from './table.js';

export const sequelizeWords = ['sequelize', 'Sequelize', 'DataTypes'];

/** `sequelize.define('order', { … }, { indexes })` and `Order.init({ … }, { modelName })`. */
export function readSequelize(source: SourceFile, e: Evaluator): TableKeys[] {
  const { calls } = indexOf(source);
  return [...(calls.get('define') ?? []), ...(calls.get('init') ?? [])].flatMap((call) => {
    if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return [];
    const isDefine = call.expression.name.text === 'define';
    const [columns, options] = (isDefine ? call.arguments.slice(1) : call.arguments).map((a) => fields(plain(e, a)));
    const name = isDefine ? text(plain(e, call.arguments[0])) : className(call.expression);
    if (!columns || name === undefined || Object.keys(columns).length === 0) return [];
    const own = keysOfColumns(columns);
    // Without a primary key of its own a model gets an `id` that counts.
    const implicit = Object.values(columns).some((c) => fields(c).primaryKey === true) ? [] : ['id'];
    const holder = ts.isVariableDeclaration(call.parent) ? call.parent.name.getText() : undefined;
    return [
      tableKeys([name, holder, text(options?.modelName), text(options?.tableName), plural(name)], {
        uniqueKeys: [...own.uniqueKeys, ...implicit.map((id) => [id]), ...keysOfIndexes(options?.indexes)],
        made: [...own.made, ...implicit],
        aliases: own.aliases,
      }),
    ];
  });
}

/** `Order.init(…)`, `super.init(…)` and `this.init(…)` in a static method. */
function className(callee: Compiler.PropertyAccessExpression): string | undefined {
  const on = unwrap(callee.expression);
  if (ts.isIdentifier(on)) return on.text;
  return enclosingClass(callee)?.name?.text;
}
