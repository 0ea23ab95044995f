import type { Evaluator } from '../origin/evaluate.js';
import { ts, decoratorsOf, type ClassNode, type Compiler, type SourceFile } from '../syntax/compiler.js';
import { indexOf } from '../syntax/scope.js';
import { Code, fields, isFields, list, names, plain, text, type Fields, type Plain } from './read.js';
import { plural, tableKeys, type TableKeys } from './table.js';

export const entityWords = ['@Entity', '@ChildEntity', '@Table', '@Schema', 'EntitySchema'];

interface Decorator {
  name: string;
  args: Plain[];
}

interface Found {
  uniqueKeys: string[][];
  made: string[];
  aliases: [string, string][];
}

/** Classes that TypeORM, MikroORM, sequelize-typescript and Nest's Mongoose take for tables, by their decorators. */
export function readEntities(source: SourceFile, e: Evaluator): TableKeys[] {
  const classes = indexOf(source).classes.filter((c) => c.name !== undefined && decorators(c, e).some((d) => /^(Entity|ChildEntity|Table|Schema)$/.test(d.name)));
  return [...classes.map((c) => readClass(c, e)), ...entitySchemas(source, e)];
}

function readClass(cls: ClassNode, e: Evaluator): TableKeys {
  const own = decorators(cls, e);
  const found: Found = { uniqueKeys: [], made: [], aliases: [] };
  for (const c of lineage(cls, e)) readMembers(c, e, found);
  for (const d of lineage(cls, e).flatMap((c) => decorators(c, e))) found.uniqueKeys.push(...keysOfClass(d));
  const isDocument = own.some((d) => d.name === 'Schema');
  if (isDocument && !found.uniqueKeys.some((k) => k.join() === '_id')) {
    found.uniqueKeys.push(['_id']);
    found.made.push('_id');
  }
  const name = cls.name?.text ?? '';
  const given = own.flatMap((d) => d.args).map((a) => text(a) ?? text(fields(a).tableName) ?? text(fields(a).name) ?? text(fields(a).collection));
  return tableKeys([name, ...given, plural(name), name.replace(/Entity$/, '')], found);
}

/** The class and the program's classes that it extends. */
function lineage(cls: ClassNode, e: Evaluator): ClassNode[] {
  const found = [cls];
  for (let c: ClassNode | undefined = cls; c && found.length < 6; ) {
    const base = e.baseClass(c, e.openFrame(c));
    c = base?.kind === 'class' && !found.includes(base.node) ? base.node : undefined;
    if (c) found.push(c);
  }
  return found;
}

function decorators(node: ClassNode | Compiler.ClassElement, e: Evaluator): Decorator[] {
  return decoratorsOf(node).map((d) => {
    const call = ts.isCallExpression(d.expression) ? d.expression : undefined;
    const name = (call?.expression ?? d.expression).getText().split('.').at(-1) ?? '';
    return { name, args: (call?.arguments ?? []).map((a) => plain(e, a)) };
  });
}

function readMembers(cls: ClassNode, e: Evaluator, found: Found): void {
  for (const m of cls.members) {
    if (!ts.isPropertyDeclaration(m) || !ts.isIdentifier(m.name)) continue;
    const own = decorators(m, e);
    const property = m.name.text;
    const said = Object.assign({}, ...own.flatMap((d) => d.args).filter(isFields)) as Fields;
    const has = (pattern: RegExp): boolean => own.some((d) => pattern.test(d.name));
    const isPrimary = has(/^(PrimaryColumn|PrimaryGeneratedColumn|PrimaryKey|ObjectIdColumn|SerializedPrimaryKey)$/) || said.primary === true || said.primaryKey === true;
    if (isPrimary || said.unique === true || has(/^Unique$/) || own.some((d) => d.name === 'Index' && fields(d.args[0]).unique === true)) found.uniqueKeys.push([property]);
    if (has(/^OneToOne$/) && (has(/^JoinColumn$/) || said.owner === true)) found.uniqueKeys.push([property]);
    if (isPrimary || has(/^(PrimaryGeneratedColumn|Generated|AutoIncrement|ObjectIdColumn)$/) || isMade(said) || isFresh(m.initializer) || own.some((d) => d.name === 'Default' && isFresh(d.args[0] instanceof Code ? d.args[0].node : undefined))) found.made.push(property);
    const column = own.filter((d) => /Column|^Property$|^PrimaryKey$/.test(d.name)).flatMap((d) => d.args).map((a) => text(fields(a).name) ?? text(fields(a).fieldName) ?? text(fields(a).field))[0];
    const joins = has(/^(ManyToOne|OneToOne)$/);
    if (column !== undefined) found.aliases.push([property, column]);
    else if (joins) found.aliases.push([property, text(said.joinColumn) ?? `${property}Id`]);
  }
}

function isMade(options: Fields): boolean {
  if (options.generated !== undefined && options.generated !== false) return true;
  if (options.autoIncrement === true || options.autoincrement === true || options.onCreate !== undefined) return true;
  return [options.default, options.defaultRaw, options.defaultValue].some((d) => /uuid|random|nextval|nanoid|cuid|objectid/i.test(d instanceof Code ? d.text : (text(d) ?? '')));
}

function isFresh(node: Compiler.Node | undefined): boolean {
  return node !== undefined && /uuid|\bv[147]\(|nanoid|cuid|ulid|ObjectId\(|randomBytes/i.test(node.getText());
}

/** `@Unique(['a', 'b'])`, `@Unique('name', ['a'])`, `@Unique({ properties: […] })`, `@Index(['a'], { unique: true })`, `@Table({ indexes: […] })` */
function keysOfClass({ name, args }: Decorator): string[][] {
  const options = fields(args.find(isFields));
  if (name === 'Unique' || (name === 'Index' && options.unique === true)) {
    const columns = [...names(args.find(Array.isArray)), ...names(options.properties)];
    return columns.length ? [columns] : [];
  }
  if (name === 'Table') return list(options.indexes).filter((i) => fields(i).unique === true || fields(i).type === 'UNIQUE').map((i) => names(fields(i).fields));
  if (name === 'Entity') return list(options.uniques).map((u) => names(fields(u).properties));
  return [];
}

/** `new EntitySchema({ name, columns: { id: { primary: true } }, uniques: [{ columns: […] }] })` */
function entitySchemas(source: SourceFile, e: Evaluator): TableKeys[] {
  return (indexOf(source).calls.get('EntitySchema') ?? []).flatMap((call) => {
    const said = fields(plain(e, call.arguments?.[0]));
    const name = text(said.name);
    if (name === undefined) return [];
    const columns = Object.entries(fields(said.columns ?? said.properties)).map(([property, c]) => [property, fields(c)] as const);
    return [
      tableKeys([name, text(said.tableName)], {
        uniqueKeys: [
          ...columns.filter(([, c]) => c.primary === true || c.unique === true).map(([p]) => [p]),
          ...list(said.uniques).map((u) => names(fields(u).columns ?? fields(u).properties)),
          ...list(said.indices).filter((i) => fields(i).unique === true).map((i) => names(fields(i).columns)),
        ],
        made: columns.filter(([, c]) => c.primary === true || isMade(c)).map(([p]) => p),
        aliases: columns.flatMap(([p, c]): [string, string][] => (typeof c.name === 'string' ? [[p, c.name]] : [])),
      }),
    ];
  });
}
