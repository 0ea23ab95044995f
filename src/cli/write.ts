import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../syntax/files.js';

/** Writes a file that the user named; folders on the way to it are made. */
export function write(cwd: string, file: string, text: string): void {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new UserError(`${file} could not be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}. Give a path that can.`);
  }
}

/** Writes a changed file of the program; `command` is what the user runs again if it cannot be. */
export function writeBack(root: string, file: string, text: string, command: string): void {
  try {
    writeFileSync(join(root, file), text);
  } catch (error) {
    throw new UserError(`${file} could not be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}. Make it writable, and run ${command} again.`);
  }
}
