import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

/** Runs a command in the root folder with its output shown; returns its exit code. */
export function attempt(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
    shell: process.platform === 'win32',
  });
  if (result.error) {
    console.error(`Cannot run ${command}: ${result.error.message}`);
    return 127;
  }
  return result.status ?? 1;
}

/** Runs a command; ends this process with the same exit code if it fails. */
export function run(command, args) {
  const code = attempt(command, args);
  if (code !== 0) process.exit(code);
}

/** Those of the given paths that exist in the root folder. */
export function existing(paths) {
  return paths.filter((name) => existsSync(join(root, name)));
}
