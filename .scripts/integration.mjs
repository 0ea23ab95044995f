// Installs the packed plugin into the projects of fixtures/integration and lints each with its own linter: what its comments
// (`// finding: rule`) say must be found, and nothing else. `npm run test:integration -- eslint-9` runs those whose name
// holds the word.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ensureBuilt } from './lib/build.mjs';
import { root } from './lib/run.mjs';

const fixtures = join(root, 'fixtures', 'integration');
const wanted = process.argv.slice(2);

ensureBuilt();
const home = mkdtempSync(join(tmpdir(), 'integration-'));
try {
  const tarball = pack();
  const names = readdirSync(fixtures).filter((name) => wanted.length === 0 || wanted.some((w) => name.includes(w)));
  const failed = names.filter((name) => !check(name, tarball));
  console.log(`${names.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 || names.length === 0 ? 1 : 0;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function pack() {
  // The build is there already; `prepack` would make it again.
  const packed = JSON.parse(npm(root, ['pack', '--ignore-scripts', '--json', '--pack-destination', home]).stdout);
  return join(home, packed[0].filename);
}

function check(name, tarball) {
  const folder = join(home, name);
  cpSync(join(fixtures, name), folder, { recursive: true });
  const expected = expectations(folder);
  const installed = npm(folder, ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-dev', tarball]);
  if (installed.status !== 0) return failed(name, `npm install failed:\n${installed.stderr}`);
  const { stdout, stderr } = npm(folder, ['run', '--silent', 'lint']);
  const found = findings(folder, stdout);
  if (!found) return failed(name, `the linter did not run:\n${`${stderr}${stdout}`.slice(0, 2000)}`);
  const missing = expected.filter((e) => !found.includes(e));
  const surplus = found.filter((f) => !expected.includes(f));
  if (missing.length + surplus.length > 0 || expected.length === 0) {
    return failed(name, [...missing.map((m) => `missing: ${m}`), ...surplus.map((s) => `not expected: ${s}`)].join('\n'));
  }
  console.log(`ok      ${name}: ${found.join(', ')}`);
  return true;
}

function failed(name, why) {
  console.log(`failed  ${name}\n${why.trim().replace(/^/gm, '        ')}`);
  return false;
}

function expectations(folder) {
  return sources(folder).flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const rule = /^\s*\/\/ (?:finding|leads-to): (\S+)/.exec(line)?.[1];
      return rule ? [`${file}:${i + 2} ${rule}`] : [];
    });
  }).sort();
}

function sources(folder) {
  return readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.startsWith('eslint.config'));
}

/** The report of ESLint or oxlint as `file:line rule`; undefined if it is no report. */
function findings(folder, output) {
  try {
    const report = JSON.parse(output);
    const all = Array.isArray(report)
      ? report.flatMap((file) => file.messages.map((m) => ({ file: basename(file.filePath), line: m.line, rule: m.ruleId ?? m.message })))
      : report.diagnostics.map((d) => ({ file: basename(d.filename), line: d.labels[0]?.span.line, rule: (d.code ?? d.message).replace('(', '/').replace(')', '') }));
    return all.map(({ file, line, rule }) => `${file}:${line} ${rule.replace('idempotent-consumers/', '')}`).sort();
  } catch {
    return undefined;
  }
}

function npm(cwd, args) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1e8, shell: process.platform === 'win32' });
}
