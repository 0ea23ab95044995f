import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { Evaluator } from '../origin/evaluate.js';
import type { SourceFile } from '../syntax/compiler.js';
import { readDynamoTables } from './dynamodb.js';
import { drizzleWords, readDrizzle } from './drizzle.js';
import { embeddedSql, embeddedWords } from './embedded-sql.js';
import { entityWords, readEntities } from './entities.js';
import { liquibaseWord, readLiquibase } from './liquibase.js';
import { migrationWords, readMigrations } from './migrations.js';
import { mongooseWords, readMongoose } from './mongoose.js';
import { objectionWords, readObjection } from './objection.js';
import { readPrisma } from './prisma.js';
import { readSequelize, sequelizeWords } from './sequelize.js';
import { readSqlTexts, type SqlText } from './sql-files.js';
import { plainName, type TableKeys } from './table.js';

/** Schemas that are code: the words of which a file with one holds some, and what it says. */
const CODE: readonly { words: readonly string[]; read: (source: SourceFile, e: Evaluator) => TableKeys[] }[] = [
  { words: drizzleWords, read: readDrizzle },
  { words: entityWords, read: readEntities },
  { words: sequelizeWords, read: readSequelize },
  { words: mongooseWords, read: readMongoose },
  { words: objectionWords, read: readObjection },
  { words: migrationWords, read: readMigrations },
];

const TEXTS = /\.(prisma|sql|xml|ya?ml|json)$/;

/** Tables of tests and examples are not those that the handlers write to. */
const ELSEWHERE = /(^|\/)(tests?|__tests__|specs?|e2e|examples?|mocks?|__mocks__)\/|\.(test|spec)\.[cm]?[jt]sx?$/;

export interface SchemaSources {
  infrastructure?: Infrastructure;
  /** These files are the whole program, whatever stands beside them. */
  alone?: readonly string[] | undefined;
}

/** What the schemas of a program say of its tables. Nothing is read before the first question. */
export class Schemas {
  private byName: Map<string, TableKeys[]> | undefined;

  constructor(
    private readonly e: Evaluator,
    private readonly from: SchemaSources = {},
  ) {}

  /** All that is declared under this name. Where several schemas describe one table, or two tables share a name, all of it counts. */
  declared(name: string): readonly TableKeys[] {
    this.byName ??= byNames(this.read());
    const direct = this.byName.get(plainName(name)) ?? [];
    // The model names its table, and the migrations know that name alone.
    const also = direct.flatMap((t) => t.names).flatMap((n) => this.byName?.get(plainName(n)) ?? []);
    return [...new Set([...direct, ...also])];
  }

  private read(): TableKeys[] {
    const { files, parser } = this.e.sources;
    const texts: SqlText[] = [];
    const found: TableKeys[] = [];
    for (const file of this.from.alone ? [] : files.beside()) {
      if (!TEXTS.test(file) || ELSEWHERE.test(files.relative(file))) continue;
      const text = files.text(file);
      if (text === undefined) continue;
      if (file.endsWith('.prisma')) found.push(...readPrisma(text));
      else if (file.endsWith('.sql')) texts.push({ file, text });
      else if (text.includes(liquibaseWord)) found.push(...readLiquibase(file, text));
    }
    for (const file of this.from.alone ?? files.list()) {
      if (ELSEWHERE.test(files.relative(file))) continue;
      const text = files.text(file) ?? '';
      const readers = CODE.filter((c) => holds(text, c.words));
      const embeds = holds(text, embeddedWords);
      const source = readers.length > 0 || embeds ? parser.parse(file) : undefined;
      if (!source) continue;
      try {
        for (const { read } of readers) found.push(...read(source, this.e));
        if (embeds) texts.push({ file, text: embeddedSql(source, this.e) });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.e.reset();
        files.problem(file, 'its tables were not read: its code is nested too deeply.');
      }
    }
    return [...found, ...readSqlTexts(texts), ...(this.from.infrastructure ? readDynamoTables(this.from.infrastructure) : [])];
  }
}

function holds(text: string, words: readonly string[]): boolean {
  return words.some((w) => text.includes(w));
}

function byNames(tables: readonly TableKeys[]): Map<string, TableKeys[]> {
  const found = new Map<string, TableKeys[]>();
  for (const t of tables) {
    for (const name of new Set(t.names.map(plainName))) found.set(name, [...(found.get(name) ?? []), t]);
  }
  return found;
}

const known = new WeakMap<Evaluator, Schemas>();

/** The schemas of one program, read once. */
export function schemasOf(e: Evaluator, from?: SchemaSources): Schemas {
  let found = known.get(e);
  if (!found) known.set(e, (found = new Schemas(e, from)));
  return found;
}
