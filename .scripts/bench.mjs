// How much time do our rules take of a lint run? Both figures come from one run of ESLint (`stats`), so that a slow or busy
// machine changes neither of them alone. `npm run bench -- --files 1000 --handlers 20 --rounds 3`
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { ensureBuilt } from './lib/build.mjs';
import { root } from './lib/run.mjs';
import { consumer, plain } from './lib/bench-sources.mjs';

const LIMIT = 0.01;

const { values } = parseArgs({
  options: { files: { type: 'string', default: '1000' }, handlers: { type: 'string', default: '20' }, rounds: { type: 'string', default: '3' }, one: { type: 'string' } },
});

if (values.one) await lintOnce(values.one);
else bench(Number(values.files), Number(values.handlers), Number(values.rounds));

function bench(files, handlers, rounds) {
  ensureBuilt();
  const without = measure('without handlers', files, 0, rounds);
  measure(`with ${handlers} handlers`, files, handlers, rounds);
  console.log(`Limit without handlers: ${percent(LIMIT)}`);
  if (without > LIMIT) {
    console.error('The plugin takes more than that.');
    process.exitCode = 1;
  }
}

/** The median share over the rounds; each round is a process of its own, as each run of ESLint is. */
function measure(title, files, handlers, rounds) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  const lines = generate(folder, files, handlers);
  const runs = [];
  for (let i = 0; i < rounds; i += 1) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [process.argv[1], '--one', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    runs.push(JSON.parse(stdout));
  }
  rmSync(folder, { recursive: true, force: true });
  runs.sort((a, b) => a.ours / a.total - b.ours / b.total);
  const { ours, total, parse, loading, findings } = runs[Math.floor(runs.length / 2)];
  console.log(
    `${files} files ${title}, ${lines} lines: our rules ${ms(ours)} of ${ms(total)} (parse ${ms(parse)}), ${percent(ours / total)} ` +
      `[${percent(runs[0].ours / runs[0].total)} to ${percent(runs.at(-1).ours / runs.at(-1).total)}], ${findings} findings; ` +
      `loading the plugin, once: ${ms(loading)}`,
  );
  return ours / total;
}

function generate(folder, files, handlers) {
  let lines = 0;
  const write = (name, text) => {
    lines += text.split('\n').length;
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('package.json', '{ "name": "bench", "type": "module" }\n');
  for (let i = 0; i < files - handlers; i += 1) write(`src/area-${i % 25}/${i}.ts`, plain(i));
  for (let i = 0; i < handlers; i += 1) write(`src/consumers/${i}.ts`, consumer(i));
  return lines;
}

/** One run, with what it took as JSON. */
async function lintOnce(cwd) {
  const { ESLint } = await import('eslint');
  const { default: tseslint } = await import('typescript-eslint');
  const started = performance.now();
  const { default: plugin } = await import(pathToFileURL(join(root, 'dist/src/index.js')).href);
  const loading = performance.now() - started;
  const eslint = new ESLint({
    cwd,
    stats: true,
    overrideConfigFile: true,
    overrideConfig: [...tseslint.configs.recommended, plugin.configs.recommended],
  });
  const results = await eslint.lintFiles(['src']);
  let ours = 0;
  let rest = 0;
  let parse = 0;
  for (const pass of results.flatMap((r) => r.stats.times.passes)) {
    parse += pass.parse.total;
    rest += pass.total - sum(Object.entries(pass.rules ?? {}).filter(([name]) => isOurs(name)));
    ours += sum(Object.entries(pass.rules ?? {}).filter(([name]) => isOurs(name)));
  }
  const findings = results.flatMap((r) => r.messages).filter((m) => isOurs(m.ruleId ?? '')).length;
  console.log(JSON.stringify({ ours, total: ours + rest, parse, loading, findings }));
}

function sum(rules) {
  return rules.reduce((total, [, { total: time }]) => total + time, 0);
}

function isOurs(name) {
  return name.startsWith('idempotent-consumers/');
}

function ms(time) {
  return `${time.toFixed(0)} ms`;
}

function percent(share) {
  return `${(share * 100).toFixed(2)} %`;
}
