import { statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The folder that a report's paths are relative to: the current one, or, if something outside of it is to be analysed,
 * the innermost folder that holds all the given paths.
 */
export function rootFor(cwd: string, given: readonly string[]): { root: string; paths: string[] } {
  const paths = given.map((p) => resolve(cwd, p));
  if (paths.every((p) => isInside(p, cwd))) return { root: cwd, paths };
  return { root: paths.map(folderOf).reduce(common), paths };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

function folderOf(path: string): string {
  return isFolder(path) ? path : dirname(path);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function common(a: string, b: string): string {
  let folder = a;
  while (!isInside(b, folder)) folder = dirname(folder);
  return folder;
}
