import type { Evaluator } from '../../origin/evaluate.js';
import { argument } from '../../origin/library.js';
import { ts, unwrap, type Compiler, type Expression, type Node, type SourceFile } from '../../syntax/compiler.js';
import { lookup } from '../../syntax/scope.js';
import type { Changes } from './changes.js';
import { declarationOf, type Instance } from './connection.js';
import { Obstacle } from './obstacle.js';
import { freeName, styleOf } from './style.js';

const INBOX = '@idempotent-consumers/inbox';

/** The `pool` for `createInbox`, as a file of the program can write it: that of the connection which the handler uses. */
export function poolFor(e: Evaluator, library: string, instance: Instance, connection: string, source: SourceFile, changes: Changes): string {
  switch (library) {
    case 'pg':
      return connection;
    case 'knex':
      requirePostgres(e, instance, '0.client');
      changes.import(source, INBOX, 'poolOfKnex');
      return `poolOfKnex(${connection})`;
    case 'typeorm':
      requirePostgres(e, instance, '0.type');
      changes.import(source, INBOX, 'poolOfTypeOrm');
      return `poolOfTypeOrm(${connection})`;
    case 'drizzle-orm':
      return ofDrizzle(instance, connection);
    case 'kysely':
      return given(e, instance, source, changes, dialectPool, 'Kysely');
    default:
      return given(e, instance, source, changes, adapterPool, 'Prisma');
  }
}

/** The inbox's tables are in PostgreSQL; what a library was told that it talks to stands where it was made. */
function requirePostgres(e: Evaluator, { value, node }: Instance, option: string): void {
  const told = value?.args && argument(e, value.args, option);
  if (told?.kind !== 'constant' || typeof told.value !== 'string' || /^(pg|postgres)/.test(told.value)) return;
  throw new Obstacle(node, `it is a connection to ${told.value}, and the inbox works in PostgreSQL alone. Record the message in a table of your own, in the transaction of the work: a row with the id as its primary key, whose insert fails or is ignored for a repeat.`);
}

function ofDrizzle(instance: Instance, connection: string): string {
  const home = instance.declaration?.getSourceFile() ?? instance.node.getSourceFile();
  if (!/from ['"]drizzle-orm\/node-postgres['"]|require\(['"]drizzle-orm\/node-postgres['"]\)/.test(home.text)) {
    throw new Obstacle(instance.node, 'the inbox needs a pool of pg, and this database is not of drizzle-orm/node-postgres. Join the transaction by hand, as docs/inbox.md shows under "Your own transaction".');
  }
  return `${connection}.$client`;
}

/** The pool that was given to the library, under a name that the file can use; one that has no name gets one. */
function given(e: Evaluator, instance: Instance, source: SourceFile, changes: Changes, find: (made: Expression) => { node: Expression; property?: Compiler.PropertyAssignment; connectionString?: boolean } | undefined, library: string): string {
  const made = instance.declaration && ts.isVariableDeclaration(instance.declaration) ? instance.declaration.initializer : undefined;
  const found = made && find(made);
  if (!instance.declaration || !found) throw new Obstacle(instance.declaration ?? instance.node, `the inbox needs the Pool of pg behind ${library}, and it is not in sight. Make it in a variable (\`const pool = new Pool(…)\`) and give it to ${library}.`);
  const { node, property, connectionString } = found;
  if (ts.isIdentifier(node) && connectionString !== true) return changes.use(declarationOf(e, node), node, source, node.text);
  const home = instance.declaration.getSourceFile();
  const statement = instance.declaration.parent.parent;
  if (!ts.isVariableStatement(statement) || statement.parent !== home) throw new Obstacle(node, `the Pool has no name by which the inbox could use it. Make it in a variable of the module, and give it to ${library}.`);
  const style = styleOf(home);
  const name = freeName('pool', home);
  const isElsewhere = home !== source;
  if (isElsewhere && !style.isModule) throw new Obstacle(node, `the Pool has no name by which the inbox could use it. Make it in a variable of the module, export it, and give it to ${library}.`);
  const value = connectionString === true ? `new Pool({ connectionString: ${node.getText()} })` : node.getText();
  if (connectionString === true) changes.import(home, 'pg', 'Pool');
  changes.insert(home, statement.getStart(), `${isElsewhere ? 'export ' : ''}const ${name} = ${value}${style.end}${style.newline}`);
  if (connectionString !== true) {
    if (property && property.name.getText() === name) changes.replace(home, property.getStart(), property.end, name);
    else changes.replace(home, node.getStart(), node.end, name);
  }
  if (isElsewhere) changes.importFromHome(source, home, name);
  return name;
}

/** `pool` of `new Kysely({ dialect: new PostgresDialect({ pool }) })`. */
function dialectPool(made: Expression): { node: Expression; property?: Compiler.PropertyAssignment } | undefined {
  const dialect = behind(propertyOf(newOf(made, 'Kysely'), 'dialect')?.value);
  return propertyOfNode(propertyOf(newOf(dialect, 'PostgresDialect'), 'pool'));
}

/** The pool, or the connection string, of `new PrismaClient({ adapter: new PrismaPg(…) })`. */
function adapterPool(made: Expression): { node: Expression; connectionString?: boolean } | undefined {
  const adapter = behind(propertyOf(newOf(made, 'PrismaClient'), 'adapter')?.value);
  if (!adapter || !ts.isNewExpression(adapter) || !/PrismaPg$/.test(adapter.expression.getText())) return undefined;
  const [config] = adapter.arguments ?? [];
  if (!config) return undefined;
  const string = propertyOf(config, 'connectionString');
  if (string) return { node: string.value, connectionString: true };
  return ts.isObjectLiteralExpression(config) ? undefined : { node: config };
}

function propertyOfNode(found: { value: Expression; property: Node } | undefined): { node: Expression; property?: Compiler.PropertyAssignment } | undefined {
  if (!found) return undefined;
  return { node: found.value, ...(ts.isPropertyAssignment(found.property) && { property: found.property }) };
}

/** The first argument of `new Name(…)`. */
function newOf(node: Expression | undefined, name: string): Expression | undefined {
  const made = node && unwrap(node);
  return made && ts.isNewExpression(made) && made.expression.getText().split('.').at(-1) === name ? made.arguments?.[0] : undefined;
}

/** What a name of a constant stands for. */
function behind(node: Expression | undefined): Expression | undefined {
  if (!node || !ts.isIdentifier(node)) return node;
  const d = lookup(node.text, node);
  return d && ts.isVariableDeclaration(d) ? d.initializer : undefined;
}

function propertyOf(node: Expression | undefined, name: string): { value: Expression; property: Node } | undefined {
  const object = behind(node);
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((p) => p.name?.getText() === name);
  if (property && ts.isShorthandPropertyAssignment(property)) return { value: property.name, property };
  return property && ts.isPropertyAssignment(property) ? { value: property.initializer, property } : undefined;
}
