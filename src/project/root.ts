import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

const MARKS = ['package.json', '.git', 'tsconfig.json', 'jsconfig.json', 'eslint.config.js', 'eslint.config.mjs', 'eslint.config.cjs', 'eslint.config.ts', '.oxlintrc.json'];

/**
 * The folder whose files are one program with this file: the topmost one above it, up to the folder that the linter was
 * started in, that has the marks of a project. So the linter and the command, started in the same folder, see the same.
 */
export function rootOf(file: string, cwd: string): string {
  const inside = isInside(file, cwd);
  let top: string | undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (MARKS.some((m) => existsSync(join(folder, m)))) top = folder;
    if (inside ? folder === cwd : existsSync(join(folder, '.git')) || folder === dirname(folder)) break;
  }
  return top ?? (inside ? cwd : dirname(file));
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}
