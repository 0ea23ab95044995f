// What does the command cost? Each figure is a ratio to P, the time that TypeScript takes to parse every source file, and
// all of them come from one run, so that a slow or busy machine changes none of them alone.
//   npm run bench:command                          generated monorepos
//   npm run bench:command -- --root ../service     any checkout
//   npm run bench:command -- --tsc                 with both compilers beside it
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { monorepo } from './lib/bench-monorepo.mjs';
import { root } from './lib/run.mjs';

const { values } = parseArgs({
  options: { root: { type: 'string' }, files: { type: 'string', default: '10000' }, handlers: { type: 'string', default: '200' }, rounds: { type: 'string', default: '3' }, tsc: { type: 'boolean', default: false } },
});

const command = join(root, 'dist/src/cli/main.js');
const yardstick = join(root, '.scripts/lib/bench-yardstick.mjs');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
const rounds = Number(values.rounds);
const compilers = new Map();
/** Loaded in front of a command: tells its peak memory, in KiB, when it ends. */
const PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;
ensureBuilt();
try {
  if (values.root) measure(values.root, resolve(values.root), { cold: 1.5, tsc: values.tsc });
  else generated(Number(values.files), Number(values.handlers));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function generated(files, handlers) {
  const at = (name) => join(scratch, name);
  monorepo(at('large'), { files, handlers });
  monorepo(at('quarter'), { files: files / 4, handlers });
  monorepo(at('gated'), { files: files / 4, handlers, gated: true });
  const large = measure(`${files} files, ${handlers} handlers`, at('large'), { cold: 0.7, tsc: values.tsc });
  const quarter = measure(`${files / 4} files, ${handlers} handlers`, at('quarter'), { cold: 0.7 });
  tell('four times the files, the same handlers: added time / added floor', (large.cold - quarter.cold) / (large.floor - quarter.floor), 1.3);
  measure(`${files / 4} files, each names a client`, at('gated'), { cold: 1.5 });
}

/** Times of one folder, each the least of the rounds: what the machine does beside it only ever adds. */
function measure(title, folder, limits) {
  console.log(`\n${title}`);
  const cache = join(scratch, 'cache.json');
  const runs = { floor: [], parse: [], cold: [], warm: [], changed: [], ...(limits.tsc && { tsc6: [], tsc7: [] }) };
  let memory = 0;
  let report;
  for (let i = 0; i < rounds; i += 1) {
    runs.floor.push(time([yardstick, 'floor', folder]).ms);
    runs.parse.push(time([yardstick, 'parse', folder]).ms);
    rmSync(cache, { force: true });
    const cold = analyse(folder, cache);
    report = cold.report;
    memory = Math.max(memory, cold.memory);
    runs.cold.push(cold.ms);
    runs.warm.push(analyse(folder, cache).ms);
    runs.changed.push(withChange(folder, report, () => analyse(folder, cache).ms));
    if (limits.tsc) for (const version of ['6', '7']) runs[`tsc${version}`].push(time([compiler(version), '--noEmit', '-p', folder]).ms);
  }
  const least = Object.fromEntries(Object.entries(runs).map(([name, all]) => [name, Math.min(...all)]));
  const p = least.parse;
  console.log(`  ${report.summary.files} files, ${report.summary.handlers} handlers, ${report.summary.findings} findings; P = ${p.toFixed(0)} ms`);
  tell('floor (read and look)', least.floor / p);
  tell('cold', least.cold / p, limits.cold);
  tell('warm, nothing changed', least.warm / p, 0.2);
  tell('warm, one file changed', least.changed / p, 0.3);
  if (limits.tsc) for (const version of ['6', '7']) tell(`tsc ${version} --noEmit`, least[`tsc${version}`] / p);
  console.log(`  ${'peak memory, cold'.padEnd(60)} ${memory.toFixed(0)} MB  (limit 250 MB)`);
  return least;
}

/** Changes a file that a handler stands in, as somebody at work would, and takes it back. */
function withChange(folder, report, run) {
  const [first] = report.handlers;
  if (!first) return run();
  const file = join(folder, first.file);
  const before = readFileSync(file, 'utf8');
  appendFileSync(file, '\nexport const changed = 1;\n');
  try {
    return run();
  } finally {
    writeFileSync(file, before);
  }
}

function analyse(folder, cache) {
  const { ms, stdout, stderr } = time(['--import', PEAK, command, folder, '--format', 'json', '--cache-location', cache]);
  return { ms, report: JSON.parse(stdout), memory: Number(/peak (\d+)/.exec(stderr)?.[1] ?? 0) / 1024 };
}

function time(args) {
  const started = performance.now();
  const { stdout, stderr, status, error } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e9 });
  if (error) throw error;
  // A compiler that finds errors has looked at everything all the same.
  if (status > 2) throw new Error(stderr);
  return { ms: performance.now() - started, stdout, stderr };
}

function compiler(version) {
  let found = compilers.get(version);
  if (!found) {
    const folder = join(scratch, `tsc${version}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', `typescript@${version}`], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`TypeScript ${version} could not be installed: ${stderr}`);
    compilers.set(version, (found = join(folder, 'node_modules/typescript/bin/tsc')));
  }
  return found;
}

function tell(what, ratio, limit) {
  const over = limit !== undefined && ratio > limit;
  console.log(`  ${what.padEnd(60)} ${ratio.toFixed(2)}${limit === undefined ? '' : `  (limit ${limit})${over ? '  over' : ''}`}`);
  if (over) process.exitCode = 1;
}
