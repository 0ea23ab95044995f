import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ts, type Compiler } from './compiler.js';
import { isSource, type Files } from './files.js';

const BUILTIN = new Set(builtinModules);

/** What an import specifier leads to: a file of the project, or a library known by its specifier. */
export type Resolution = { file: string } | { library: string };

interface PackageJson {
  name?: string;
  main?: string;
  module?: string;
  types?: string;
  source?: string;
  exports?: unknown;
  imports?: Record<string, unknown>;
  workspaces?: string[] | { packages?: string[] };
  _moduleAliases?: Record<string, string>;
}

/** Finds the file behind an import: relative paths, tsconfig `paths`, workspace packages, package imports, module aliases. */
export class Resolver {
  private readonly cache = new Map<string, Resolution>();
  private readonly options = new Map<string, { options: Compiler.CompilerOptions; folder: string } | undefined>();
  private readonly packages = new Map<string, PackageJson | undefined>();
  private workspace: Map<string, string> | undefined;

  constructor(private readonly files: Files) {}

  resolve(specifier: string, from: string): Resolution {
    const key = `${dirname(from)}\0${specifier}`;
    let found = this.cache.get(key);
    if (!found) {
      found = this.find(specifier, from);
      this.cache.set(key, found);
    }
    return found;
  }

  private find(specifier: string, from: string): Resolution {
    if (specifier.startsWith('node:') || BUILTIN.has(specifier)) return { library: specifier.replace(/^node:/, '') };
    if (specifier.startsWith('.') || specifier.startsWith('/')) {
      const file = this.asFile(resolve(dirname(from), specifier));
      return file ? { file } : { library: specifier };
    }
    const mapped = this.byPaths(specifier, from) ?? this.byPackageImports(specifier, from) ?? this.byWorkspace(specifier);
    return mapped ? { file: mapped } : { library: specifier };
  }

  /** The source file for a path without, or with a compiled, extension; an index file for a folder. */
  private asFile(path: string): string | undefined {
    if (isSource(path) && this.files.isFile(path)) return path;
    const bare = path.replace(/\.[cm]?jsx?$/, '');
    for (const base of bare === path ? [path] : [bare, path]) {
      for (const ext of ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']) if (this.files.isFile(base + ext)) return base + ext;
    }
    if (this.files.isFolder(path)) {
      const own = this.packageJson(path);
      for (const entry of own ? [own.source, own.types, own.module, own.main] : []) {
        const file = entry === undefined ? undefined : this.sourceOf(resolve(path, entry));
        if (file) return file;
      }
      return this.asFile(join(path, 'index'));
    }
    return undefined;
  }

  /** A build output (`dist/index.js`) stands for the source it was made from. */
  private sourceOf(path: string): string | undefined {
    const candidates = [path];
    for (const out of ['dist', 'lib', 'build', 'out']) {
      if (path.includes(`/${out}/`)) candidates.push(path.replace(`/${out}/`, '/src/'), path.replace(`/${out}/`, '/'));
    }
    for (const c of candidates) {
      const file = this.asFile(c.replace(/\.d\.([cm]?)ts$/, '.$1ts').replace(/\/$/, ''));
      if (file) return file;
    }
    return undefined;
  }

  private byPaths(specifier: string, from: string): string | undefined {
    const config = this.optionsFor(dirname(from));
    if (!config) return undefined;
    const base = config.options.baseUrl ?? config.folder;
    const paths = config.options.paths ?? {};
    let best: { prefix: string; rest: string; targets: string[] } | undefined;
    for (const [pattern, targets] of Object.entries(paths)) {
      const star = pattern.indexOf('*');
      const prefix = star < 0 ? pattern : pattern.slice(0, star);
      const suffix = star < 0 ? '' : pattern.slice(star + 1);
      const fits = star < 0 ? specifier === pattern : specifier.startsWith(prefix) && specifier.endsWith(suffix) && specifier.length >= prefix.length + suffix.length;
      if (fits && (!best || prefix.length > best.prefix.length)) {
        best = { prefix, rest: star < 0 ? '' : specifier.slice(prefix.length, specifier.length - suffix.length), targets: texts(targets) };
      }
    }
    for (const target of best?.targets ?? []) {
      const file = this.sourceOf(resolve(base, target.replace('*', best?.rest ?? '')));
      if (file) return file;
    }
    return config.options.baseUrl ? this.asFile(resolve(config.options.baseUrl, specifier)) : undefined;
  }

  /** `#lib/x` of package.json `imports`, and the aliases of module-alias. */
  private byPackageImports(specifier: string, from: string): string | undefined {
    for (let folder = dirname(from); ; folder = dirname(folder)) {
      const own = this.packageJson(folder);
      if (own) {
        for (const [alias, target] of Object.entries(own._moduleAliases ?? {})) {
          if (specifier === alias || specifier.startsWith(`${alias}/`)) return this.asFile(join(folder, target, specifier.slice(alias.length)));
        }
        const target = specifier.startsWith('#') ? matchExports(own.imports, specifier) : undefined;
        if (target) return this.sourceOf(resolve(folder, target));
      }
      if (folder === dirname(folder)) return undefined;
    }
  }

  private byWorkspace(specifier: string): string | undefined {
    this.workspace ??= this.workspacePackages();
    const name = packageName(specifier);
    const folder = this.workspace.get(name);
    if (folder === undefined) return undefined;
    const rest = specifier.slice(name.length);
    const own = this.packageJson(folder);
    const target = own && matchExports(own.exports, rest === '' ? '.' : `.${rest}`);
    const fromExports = target ? this.sourceOf(resolve(folder, target)) : undefined;
    if (fromExports) return fromExports;
    if (rest === '') return this.asFile(folder) ?? this.asFile(join(folder, 'src'));
    return this.asFile(join(folder, rest)) ?? this.asFile(join(folder, 'src', rest));
  }

  private workspacePackages(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (folder: string, depth: number): void => {
      const name = this.packageJson(folder)?.name;
      if (name && !found.has(name)) found.set(name, folder);
      if (depth === 0) return;
      let entries;
      try {
        entries = readdirSync(folder, { withFileTypes: true });
      } catch {
        return;
      }
      for (const e of entries) if (e.isDirectory() && e.name !== 'node_modules' && !e.name.startsWith('.')) visit(join(folder, e.name), depth - 1);
    };
    const top = workspaceRoot(this.files.root);
    // Files from all over the disk belong to no workspace.
    if (top !== dirname(top)) visit(top, 4);
    return found;
  }

  /** The folder in which a program is started: that of the nearest package.json. */
  home(file: string): string {
    for (let folder = dirname(file); folder !== dirname(folder) && folder !== this.files.root; folder = dirname(folder)) if (this.packageJson(folder)) return folder;
    return this.files.root;
  }

  private packageJson(folder: string): PackageJson | undefined {
    if (!this.packages.has(folder)) {
      const file = join(folder, 'package.json');
      this.packages.set(folder, readJson(file, (reason) => this.files.problem(file, `could not be read as JSON: ${reason}. Imports by the name of this package may not be followed.`)));
    }
    return this.packages.get(folder);
  }

  private optionsFor(folder: string): { options: Compiler.CompilerOptions; folder: string } | undefined {
    if (this.options.has(folder)) return this.options.get(folder);
    const parent = dirname(folder);
    const found = this.readConfig(folder) ?? (folder === parent ? undefined : this.optionsFor(parent));
    this.options.set(folder, found);
    return found;
  }

  private readConfig(folder: string): { options: Compiler.CompilerOptions; folder: string } | undefined {
    const file = ['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json'].map((n) => join(folder, n)).find((f) => existsSync(f));
    if (!file) return undefined;
    const { config, error } = ts.readConfigFile(file, (f) => readFileSync(f, 'utf8')) as { config?: unknown; error?: Compiler.Diagnostic };
    if (error || config === undefined) {
      this.files.problem(file, `could not be read as JSON: ${error ? ts.flattenDiagnosticMessageText(error.messageText, ' ') : 'it is empty'} Path aliases are not known.`);
      return undefined;
    }
    // An empty file list: only the options are wanted, not a walk over the project.
    const host = { ...ts.sys, readDirectory: () => [] };
    const parsed = ts.parseJsonConfigFileContent(config, host, folder, undefined, file);
    const broken = parsed.errors.find((e) => e.code !== 18002 && e.code !== 18003);
    if (broken) this.files.problem(file, `${ts.flattenDiagnosticMessageText(broken.messageText, ' ')} Path aliases may be missing.`);
    return { options: parsed.options, folder };
  }
}

/** The compiler hands on what a tsconfig says, whatever its type. */
function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((t) => typeof t === 'string') : [];
}

/** `@scope/name` or `name` of a specifier. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The folder that declares the workspace which `root` is part of, or `root` itself. */
function workspaceRoot(root: string): string {
  let folder = existsSync(root) ? realpathSync(root) : root;
  for (let up = dirname(folder); up !== dirname(up); up = dirname(up)) {
    const json = readJson(join(up, 'package.json'));
    if (json?.workspaces || existsSync(join(up, 'pnpm-workspace.yaml'))) folder = up;
    if (existsSync(join(up, '.git'))) break;
  }
  return folder;
}

function readJson(file: string, onBroken?: (reason: string) => void): PackageJson | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
  try {
    const json = JSON.parse(text) as unknown;
    return typeof json === 'object' && json !== null ? (json as PackageJson) : undefined;
  } catch (error) {
    onBroken?.((error as Error).message.split('\n')[0] ?? '');
    return undefined;
  }
}

const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'default', 'require'];

/** The target of a package's `exports` or `imports` map for a subpath. */
function matchExports(map: unknown, subpath: string): string | undefined {
  if (typeof map === 'string') return subpath === '.' ? map : undefined;
  if (map === null || typeof map !== 'object') return undefined;
  const entries = map as Record<string, unknown>;
  if (!Object.keys(entries).some((k) => k.startsWith('.') || k.startsWith('#'))) return subpath === '.' ? pickCondition(entries) : undefined;
  const direct = entries[subpath];
  if (direct !== undefined) return pickCondition(direct);
  for (const [pattern, target] of Object.entries(entries)) {
    const [prefix, suffix] = pattern.split('*');
    if (suffix === undefined || prefix === undefined || !subpath.startsWith(prefix) || !subpath.endsWith(suffix)) continue;
    return pickCondition(target)?.replaceAll('*', subpath.slice(prefix.length, subpath.length - suffix.length));
  }
  return undefined;
}

function pickCondition(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return target.map(pickCondition).find((t) => t !== undefined);
  if (target === null || typeof target !== 'object') return undefined;
  for (const condition of CONDITIONS) {
    const found = pickCondition((target as Record<string, unknown>)[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}
