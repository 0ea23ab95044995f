import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { root, run } from './run.mjs';

const output = join(root, 'dist');
const stamp = join(output, '.built');
const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src', 'rules', 'runtime'];
const entries = ['src/index.js', 'src/parser.js', 'src/cli/main.js'];
const skipped = new Set(['node_modules', 'dist', 'coverage']);

/** Removes `dist`, compiles the plugin and then every workspace that has a build of its own. */
export function build() {
  const started = new Date();
  rmSync(output, { recursive: true, force: true });
  run('tsc', ['-p', 'tsconfig.build.json']);
  bundle();
  run('npm', ['run', 'build', '--workspaces', '--if-present', '--silent']);
  writeFileSync(stamp, '');
  // Dated to the start, so that a file saved during the build makes it stale.
  utimesSync(stamp, started, started);
}

/**
 * What is published is a few files: to find and read some four hundred modules takes three times as long as to run them, at
 * the start of each lint. The modules stay beside for the scripts here.
 */
function bundle() {
  buildSync({
    entryPoints: entries.map((entry) => join(output, entry)),
    outdir: output,
    outbase: output,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
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
