/** The fixtures that are run, and what it takes to run one: its sources as JavaScript, in a folder with its data. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { programsIn, type Program } from '../fixtures/programs.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** `scenario.json` beside a fixture. Its tables stand in `schema.sql`, where the analyzer reads them too. */
export interface ScenarioData {
  message: { id?: string; body: unknown; headers?: Record<string, string>; destination?: string };
  /** Later messages of the same entity. */
  newer?: ScenarioData['message'][];
  /** Where in the body of a call, or of a sent message, its receiver finds the id by which it knows a repeat: `publish to orders` → `eventId`. */
  receiverKnows?: Record<string, string>;
  /** The file that is started, if the folder has several. */
  entry?: string;
}

export function fixturesOf(client: string): Program[] {
  return programsIn('proof').filter(({ name }) => name.startsWith(`${client}/`));
}

export function scenarioOf(fixture: Program): ScenarioData {
  return JSON.parse(readFileSync(join(fixture.folder, 'scenario.json'), 'utf8')) as ScenarioData;
}

/** Compiles the fixture to a folder below `dist`, from where the packages of the repository resolve. Gives the folder. */
export function compiled(fixture: Program): string {
  const folder = join(root, 'dist/proof', fixture.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const texts = fixture.files.map((file) => ({ file, text: readFileSync(join(fixture.folder, file), 'utf8') }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  for (const { file, text } of texts) {
    const at = join(folder, script(file));
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, ts.transpileModule(text, { compilerOptions, fileName: file.replace(/\.m([jt]s)$/, '.$1') }).outputText);
  }
  const data = scenarioOf(fixture);
  const entry = script(data.entry ?? only(fixture));
  const all = texts.map(({ text }) => text).join('\n');
  const inbox = all.includes("'@idempotent-consumers/inbox'") ? join(root, 'runtime/sql/inbox.sql') : undefined;
  const redis = /['"]ioredis['"]/.test(all);
  const lambda = /\bexport (?:const|async function) handler\b|\bexports\.handler\b/.test(all);
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify({ ...data, entry, inbox, redis, lambda }));
  const schema = join(fixture.folder, 'schema.sql');
  if (existsSync(schema)) copyFileSync(schema, join(folder, 'schema.sql'));
  else writeFileSync(join(folder, 'schema.sql'), '');
  return folder;
}

/** To CommonJS, in which the harness can put its fakes without a loader: a thread starts in half the time. */
const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  allowJs: true,
  experimentalDecorators: true,
};

const script = (file: string): string => file.replace(/\.[cm]?[jt]s$/, '.js');

function only({ name, files }: Program): string {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`${name} has ${files.length} source files: name the one that is started as "entry" in its scenario.json.`);
  return file;
}
