import type { Library } from './schema.js';

/** The specifier of a library whose names are declared by some file of the project. */
export const ANY_FILE = 'file:*';

/** The specifier of a library whose names are declared by this file of the project. */
export function fileSpecifier(path: string): string {
  return `file:${path.replaceAll('\\', '/').replace(/^\.\//, '')}`;
}

/** The file that declares a library's names, absolute or relative to the root; undefined for any file. */
export function fileOf(library: Library): string | undefined {
  const [specifier = ANY_FILE] = library.packages;
  return specifier === ANY_FILE ? undefined : specifier.slice('file:'.length);
}
