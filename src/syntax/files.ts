import { existsSync, lstatSync, readFileSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { Ignore } from 'ignore';

const EXTENSIONS = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']);
/** Files that are no sources but say what the program runs on: templates of its infrastructure, schemas, migrations. */
const BESIDE = new Set(['.yml', '.yaml', '.json', '.sql', '.prisma', '.xml']);
const NEVER = new Set(['node_modules', '.git', '.next', '.turbo', '.cache', '.yarn', 'bower_components', '.serverless', '.aws-sam', 'cdk.out']);
/** Made from the sources, or by others, where they stand beside a package.json; deeper down (`src/build`) they are sources. */
const OUTPUT = new Set(['dist', 'build', 'out', 'coverage', 'vendor']);
/** A larger file is a bundle: nobody writes it by hand and nobody could act on a finding in it. */
export const MAX_BYTES = 1_500_000;

/** An error that the user can act on: its message is shown without a stack trace. */
export class UserError extends Error {}

export interface FileProblem {
  file: string;
  message: string;
}

/** Reads the files of one project. Texts that an editor holds override those on disk. */
export class Files {
  readonly root: string;
  readonly problems: FileProblem[] = [];
  private readonly texts = new Map<string, string | undefined>();
  private readonly readAt = new Map<string, number>();
  private listed: string[] | undefined;
  private others: string[] | undefined;
  private readonly overrides = new Map<string, string>();

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** Lets a text stand for that on disk, as an editor holds it; undefined takes that back. */
  override(file: string, text: string | undefined): void {
    if (text === undefined) this.overrides.delete(file);
    else this.overrides.set(file, text);
  }

  /** The file on disk may no longer be the one that was read. */
  isStale(file: string): boolean {
    const stat = statSync(file, { throwIfNoEntry: false });
    return !stat || Math.max(stat.mtimeMs, stat.ctimeMs) >= (this.readAt.get(file) ?? 0);
  }

  /** Reads again what has changed on disk, the list of files too; tells whether anything has changed. */
  refresh(): boolean {
    const before = this.listed;
    const othersBefore = this.others;
    let changed = false;
    for (const [file, text] of [...this.texts]) {
      if (!this.isStale(file)) continue;
      this.texts.delete(file);
      if (this.text(file) !== text) changed = true;
    }
    this.listed = undefined;
    this.others = undefined;
    if (before && this.list().join('\0') !== before.join('\0')) changed = true;
    if (othersBefore && this.beside().join('\0') !== othersBefore.join('\0')) changed = true;
    return changed;
  }

  exists(file: string): boolean {
    return this.overrides.has(file) || existsSync(file);
  }

  isFile(file: string): boolean {
    return this.overrides.has(file) || isFileOnDisk(file);
  }

  isFolder(path: string): boolean {
    const stat = statOf(path);
    return typeof stat === 'object' && stat.isDirectory();
  }

  /** The text, or undefined (with an entry in `problems`) where it cannot be read or is no source text. */
  text(file: string): string | undefined {
    const override = this.overrides.get(file);
    if (override !== undefined) return override;
    if (this.texts.has(file)) return this.texts.get(file);
    const text = this.read(file);
    this.texts.set(file, text);
    return text;
  }

  relative(file: string): string {
    return relative(this.root, file).split(sep).join('/');
  }

  problem(file: string, message: string): void {
    const known = { file: this.relative(file), message };
    if (!this.problems.some((p) => p.file === known.file && p.message === message)) this.problems.push(known);
  }

  private read(file: string): string | undefined {
    this.readAt.set(file, Date.now());
    try {
      // No look at the size first: it would cost half as much again as reading, for each file of the program.
      const text = readFileSync(file, 'utf8');
      if (text.length > MAX_BYTES) {
        if (isSource(file)) this.problem(file, `not analysed: ${(text.length / 1e6).toFixed(1)} MB is more than ${MAX_BYTES / 1e6} MB, most likely a bundle. If handlers are in it, analyse the sources that it was made from.`);
        return undefined;
      }
      // Editors on Windows write UTF-16, with a mark in front that is no UTF-8.
      const wide = text.startsWith('\uFFFD\uFFFD') ? utf16(file) : undefined;
      if (wide !== undefined) return wide;
      if (text.includes('\0')) {
        this.problem(file, 'not analysed: a binary file with the name of a source file.');
        return undefined;
      }
      return text.startsWith('\uFEFF') ? text.slice(1) : text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      this.problem(file, `could not be read: ${code}.`);
      return undefined;
    }
  }

  /** Source files below the given paths, sorted; `.gitignore` files are honoured, declaration files left out. */
  list(paths?: readonly string[]): string[] {
    if (paths) return this.walkAll(paths).sources;
    if (!this.listed) ({ sources: this.listed, others: this.others } = this.walkRoot());
    return this.listed;
  }

  /** What stands in a folder of the program, as far as it is, or holds, a source file; by name, sorted. */
  namesIn(folder: string): string[] {
    const start = folder.endsWith(sep) ? folder : folder + sep;
    return [...new Set(this.list().filter((file) => file.startsWith(start)).map((file) => file.slice(start.length).split(sep)[0] as string))];
  }

  /** Templates, schemas and migrations below the root, sorted. */
  beside(): string[] {
    if (!this.others) ({ sources: this.listed, others: this.others } = this.walkRoot());
    return this.others;
  }

  /** A text may have a folder that is none on disk: not saved yet, or a block of code in a Markdown file. */
  private walkRoot(): { sources: string[]; others: string[] } {
    const stat = statOf(this.root);
    const isOnDisk = stat !== undefined && stat !== 'ENOTDIR' && (typeof stat === 'string' || stat.isDirectory());
    return isOnDisk || this.overrides.size === 0 ? this.walkAll([this.root]) : { sources: [...this.overrides.keys()], others: [] };
  }

  private walkAll(paths: readonly string[]): { sources: string[]; others: string[] } {
    const found: Found = { sources: new Set(), others: new Set() };
    for (const path of paths) {
      const full = resolve(this.root, path);
      if (this.overrides.has(full)) {
        found.sources.add(full);
        continue;
      }
      this.start(full, path, found);
    }
    return { sources: [...found.sources].sort(), others: [...found.others].sort() };
  }

  /** A path that was asked for by name is analysed even if a .gitignore above would leave it out. */
  private start(full: string, path: string, found: Found): void {
    const stat = statOf(full);
    if (stat === undefined) throw new UserError(isLink(full) ? `${path}: a symbolic link that leads nowhere. Mend it, or give another path.` : `${path}: no such file or folder. Give a path that exists, relative to ${this.root}.`);
    if (typeof stat === 'string') throw new UserError(`${path}: could not be read (${stat}). Allow reading it, or give another path.`);
    if (stat.isDirectory()) this.walk(full, gitignoresAbove(full, this.root).filter((above) => !isIgnored(`${full}/`, [above])), found);
    else if (!stat.isFile() || !isNamedAsSource(full)) this.problem(full, `not analysed: no source file (${[...EXTENSIONS].join(', ')}).`);
    else found.sources.add(full);
  }

  private walk(folder: string, ignores: readonly Scoped[], found: Found): void {
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      this.problem(folder, `could not be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
      return;
    }
    const own = readIgnore(folder);
    const isPackage = entries.some((e) => e.name === 'package.json');
    const scoped = own ? [...ignores, own] : ignores;
    for (const entry of entries) {
      const full = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (NEVER.has(entry.name) || (isPackage && OUTPUT.has(entry.name)) || isIgnored(`${full}/`, scoped)) continue;
        this.walk(full, scoped, found);
      } else if (!isIgnored(full, scoped)) {
        if (entry.isSymbolicLink()) this.link(full, found);
        else if (BESIDE.has(extname(entry.name))) found.others.add(full);
        else if (!isSource(entry.name)) continue;
        else if (entry.isFile()) found.sources.add(full);
        else this.problem(full, 'not analysed: no regular file.');
      }
    }
  }

  /** What a link inside of the root leads to is met on its own way; links out of it are followed for files only. */
  private link(full: string, found: Found): void {
    const stat = statOf(full);
    if (stat === undefined || typeof stat === 'string') {
      if (isSource(full)) this.problem(full, 'not analysed: a symbolic link that leads nowhere.');
      return;
    }
    const target = realpathSync(full);
    if (!relative(realpathSync(this.root), target).startsWith('..')) return;
    if (stat.isDirectory()) this.problem(full, `not followed: a symbolic link to a folder outside of the root (${target}). Give that folder as a path of its own to analyse it.`);
    else if (stat.isFile() && isSource(full)) found.sources.add(full);
  }
}

function utf16(file: string): string | undefined {
  const bytes = readFileSync(file);
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.subarray(2).toString('utf16le') : undefined;
}

/** What is at a path; the error's code where that cannot be told. */
/** Whatever the path is below: a block of code in a Markdown file is said to be. */
export function isFileOnDisk(path: string): boolean {
  const stat = statOf(path);
  return typeof stat === 'object' && stat.isFile();
}

function statOf(path: string): Stats | string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function isNamedAsSource(name: string): boolean {
  return EXTENSIONS.has(extname(name));
}

export function isSource(name: string): boolean {
  return EXTENSIONS.has(extname(name)) && !/\.d\.[cm]?ts$/.test(name) && !/\.min\.js$/.test(name);
}

/** A test, or what stands in for something in tests. */
export function isTestFile(file: string): boolean {
  return /[._](test|spec)\.[cm]?[jt]sx?$|(^|\/)(__tests__|__mocks__|tests?|e2e)\//.test(file);
}

interface Found {
  sources: Set<string>;
  others: Set<string>;
}

interface Scoped {
  folder: string;
  rules: Ignore;
}

function readIgnore(folder: string): Scoped | undefined {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) return undefined;
  try {
    const ignore = createRequire(import.meta.url)('ignore') as () => Ignore;
    return { folder, rules: ignore().add(readFileSync(file, 'utf8')) };
  } catch {
    return undefined;
  }
}

/** The .gitignore files above a folder: up to the top of its git repository, or else up to the root. */
function gitignoresAbove(folder: string, root: string): Scoped[] {
  const found: Scoped[] = [];
  let f = folder;
  while (!existsSync(join(f, '.git')) && f !== dirname(f)) {
    f = dirname(f);
    const own = readIgnore(f);
    if (own) found.unshift(own);
  }
  return existsSync(join(f, '.git')) ? found : found.filter((own) => own.folder.startsWith(root));
}

function isIgnored(path: string, scoped: readonly Scoped[]): boolean {
  return scoped.some(({ folder, rules }) => {
    const inside = relative(folder, path).split(sep).join('/') + (path.endsWith('/') ? '/' : '');
    return inside !== '' && !inside.startsWith('..') && rules.ignores(inside);
  });
}
