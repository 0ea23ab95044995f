import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ts, type CallLike, type Compiler, type SourceFile } from '../syntax/compiler.js';
import type { Evaluator } from './evaluate.js';
import { UNKNOWN, constant, options, union, type ObjectValue, type PackageValue, type Thunk, type Value } from './value.js';

/** More texts than this are as good as none. */
const MAX_TEXTS = 250;

/** The texts that a value may be, where all of them are known. */
export function textsOf(value: Value): string[] | undefined {
  switch (value.kind) {
    case 'constant':
      return typeof value.value === 'string' ? [value.value] : undefined;
    case 'union':
      return together(options(value).map(textsOf));
    case 'text':
      return product(value.parts.map((p) => (typeof p === 'string' ? [p] : textsOf(p))), (parts) => parts.join(''));
    default:
      return undefined;
  }
}

function together(lists: (string[] | undefined)[]): string[] | undefined {
  const all = lists.flatMap((l) => l ?? []);
  return lists.some((l) => l === undefined) || all.length > MAX_TEXTS ? undefined : all;
}

function product(lists: (string[] | undefined)[], make: (parts: string[]) => string): string[] | undefined {
  let rows: string[][] = [[]];
  for (const list of lists) {
    if (!list || rows.length * list.length > MAX_TEXTS) return undefined;
    rows = rows.flatMap((row) => list.map((text) => [...row, text]));
  }
  return rows.map(make);
}

function ofTexts(texts: readonly string[] | undefined): Value | undefined {
  return texts && union(texts.map(constant));
}

/** `__dirname`, `__filename`: where a file stands is known. */
export function ownPath(name: string, source: SourceFile): Value | undefined {
  if (name === '__filename') return constant(source.fileName);
  return name === '__dirname' ? constant(dirname(source.fileName)) : undefined;
}

/** `import.meta.url`, `import.meta.dirname`. */
export function ownAddress(name: string, source: SourceFile): Value | undefined {
  if (name === 'url') return constant(pathToFileURL(source.fileName).href);
  return name === 'dirname' ? ownPath('__dirname', source) : name === 'filename' ? ownPath('__filename', source) : undefined;
}

/** What packages that work with paths and folders give, as far as the program's own files tell it. */
export function folderCall(e: Evaluator, callee: PackageValue, node: CallLike, args: readonly Thunk[]): Value | undefined {
  const method = callee.path.at(-1);
  switch (callee.specifier) {
    case 'path':
    case 'node:path':
      return method === undefined ? undefined : pathCall(e, method, node, args);
    case 'url':
    case 'node:url':
      return method === 'fileURLToPath' ? ofTexts(args[0] && textsOf(args[0]())?.flatMap((u) => (u.startsWith('file:') ? [fileURLToPath(u)] : []))) : undefined;
    case 'fs':
    case 'node:fs':
    case 'fs-extra':
    case 'fs/promises':
    case 'node:fs/promises':
      return method === 'readdirSync' || method === 'readdir' ? namesIn(e, node, args) : undefined;
    case 'require-all':
    case 'require-dir':
    case 'require-directory':
      return allOf(e, callee.specifier, node, args);
    default:
      return undefined;
  }
}

function pathCall(e: Evaluator, method: string, node: CallLike, args: readonly Thunk[]): Value | undefined {
  const texts = args.map((a) => textsOf(a()));
  const home = e.sources.resolver.home(node.getSourceFile().fileName);
  switch (method) {
    case 'join':
      return ofTexts(product(texts, (parts) => join(...parts)));
    case 'resolve':
      return ofTexts(product(texts, (parts) => resolve(home, ...parts)));
    case 'dirname':
      return ofTexts(texts[0]?.map((t) => dirname(t)));
    case 'extname':
      return ofTexts(texts[0]?.map((t) => extname(t)));
    case 'basename':
      return ofTexts(product(texts.slice(0, 2), ([path = '', end]) => basename(path, end)));
    default:
      return undefined;
  }
}

/** The folder that an argument names: relative to where the program is started. */
function folderOf(e: Evaluator, node: CallLike, folder: Value | undefined): string | undefined {
  const [only, ...more] = (folder && textsOf(folder)) ?? [];
  return only === undefined || more.length > 0 ? undefined : resolve(e.sources.resolver.home(node.getSourceFile().fileName), only);
}

function namesIn(e: Evaluator, node: CallLike, args: readonly Thunk[]): Value | undefined {
  const folder = folderOf(e, node, args[0]?.());
  const names = folder === undefined ? [] : e.sources.files.namesIn(folder);
  return names.length > 0 && names.length <= MAX_TEXTS ? { kind: 'list', elements: names.map(constant) } : undefined;
}

/** `requireAll({ dirname, resolve })`, `requireDir('./models')`, `requireDirectory(module, './routes')`: each module of a folder, by its name. */
function allOf(e: Evaluator, specifier: string, node: CallLike, args: readonly Thunk[]): Value | undefined {
  const source = node.getSourceFile();
  const beside = constant(dirname(source.fileName));
  const [first, second] = args.map((a) => a());
  const options = specifier === 'require-all' ? first : undefined;
  const given = specifier === 'require-directory' ? (second ?? beside) : options?.kind === 'object' ? e.objectMember(options, 'dirname') : (first ?? beside);
  // Only require-all takes a path as the program was started; the others as the file stands.
  const [path] = textsOf(given) ?? [];
  const folder = path === undefined || specifier === 'require-all' ? folderOf(e, node, given) : resolve(dirname(source.fileName), path);
  if (folder === undefined) return undefined;
  const made = options?.kind === 'object' ? madeBy(e, options, node) : (value: Value): Value => value;
  return modulesIn(e, folder, source, made, 0);
}

/** `resolve: (Model) => new Model()`: what becomes of each module. */
function madeBy(e: Evaluator, given: ObjectValue, node: CallLike): (value: Value) => Value {
  const resolves = e.objectMember(given, 'resolve');
  if (resolves.kind !== 'function') return (value) => value;
  return (value) => {
    const inner = resolves.frame.enter(node, resolves.node, resolves.frame, [() => value], undefined, `module:${value.kind === 'module' ? value.source.fileName : 'node' in value && value.node ? `${value.node.getSourceFile().fileName}:${value.node.pos}` : ''}`);
    return inner ? e.resultIn(resolves.node, inner) : UNKNOWN;
  };
}

function modulesIn(e: Evaluator, folder: string, from: SourceFile, made: (value: Value) => Value, depth: number): Value | undefined {
  const names = e.sources.files.namesIn(folder);
  if (names.length === 0 || names.length > MAX_TEXTS || depth > 4) return undefined;
  const entries = new Map<string, Thunk>();
  for (const name of names) {
    const path = join(folder, name);
    if (path === from.fileName) continue;
    if (e.sources.files.isFolder(path)) entries.set(name, () => modulesIn(e, path, from, made, depth + 1) ?? UNKNOWN);
    else entries.set(name.replace(/\.[^.]+$/, ''), () => made(e.required(path, from)));
  }
  return { kind: 'record', entries };
}

/** What `require` and `import()` of a path give that is put together: any of the files that it may name. */
export function requiredBy(e: Evaluator, specifier: Value, source: SourceFile): Value {
  const texts = textsOf(specifier);
  if (texts) return union(texts.map((t) => e.required(t, source)).filter((v) => texts.length === 1 || v.kind !== 'package'));
  return UNKNOWN;
}

/** `import.meta` */
export function isImportMeta(node: Compiler.Expression): boolean {
  return ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
}
