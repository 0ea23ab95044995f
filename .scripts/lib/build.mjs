import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

const output = join(root, 'dist');
const stamp = join(output, '.built');
const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src', 'rules', 'runtime'];
const skipped = new Set(['node_modules', 'dist', 'coverage']);

/** Removes `dist`, compiles the plugin and then every workspace that has a build of its own. */
export function build() {
  const started = new Date();
  rmSync(output, { recursive: true, force: true });
  run('tsc', ['-p', 'tsconfig.build.json']);
  run('npm', ['run', 'build', '--workspaces', '--if-present', '--silent']);
  writeFileSync(stamp, '');
  // Dated to the start, so that a file saved during the build makes it stale.
  utimesSync(stamp, started, started);
}

/** Builds unless `dist` is there and newer than everything that it is made from. */
export function ensureBuilt() {
  if (isStale()) build();
}

function isStale() {
  if (!existsSync(stamp) || !existsSync(join(output, 'src/index.js'))) return true;
  const builtAt = statSync(stamp).mtimeMs;
  return inputs.some((input) => isNewer(join(root, input), builtAt));
}

/** A folder counts too: its time changes when a file in it is added, renamed or deleted. */
function isNewer(path, time) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) return stats.mtimeMs > time;
  const names = readdirSync(path).filter((name) => !skipped.has(name));
  // The runtime's own build creates `runtime/dist`, which touches `runtime` itself.
  const own = path !== join(root, 'runtime') && stats.mtimeMs > time;
  return own || names.some((name) => isNewer(join(path, name), time));
}
