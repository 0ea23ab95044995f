// Lints fixtures/demo through ESLint with the built plugin, as a user's project would,
// and prints every finding with what its suggestions would change.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint } from 'eslint';
import pc from 'picocolors';
import tseslint from 'typescript-eslint';
import { ensureBuilt } from './lib/build.mjs';
import { lineDiff } from './lib/diff.mjs';
import { root } from './lib/run.mjs';

const demo = join(root, 'fixtures', 'demo');

if (!existsSync(demo)) {
  console.error('fixtures/demo is missing: there is nothing to show.');
  process.exit(2);
}
ensureBuilt();

const { default: plugin } = await import(pathToFileURL(join(root, 'dist/src/index.js')).href);
const eslint = new ESLint({
  cwd: demo,
  overrideConfigFile: true,
  overrideConfig: [
    { files: ['**/*.{js,mjs,cjs}'] },
    { files: ['**/*.{ts,mts,cts}'], languageOptions: { parser: tseslint.parser } },
    plugin.configs.recommended,
  ].flat(),
});

const results = await eslint.lintFiles(['.']);
const messages = results.flatMap((result) => result.messages);
const suggestions = messages.flatMap((message) => message.suggestions ?? []);

for (const result of results) {
  const source = result.source ?? readFileSync(result.filePath, 'utf8');
  for (const message of result.messages) print(result.filePath, source, message);
}

const broken = messages.filter((message) => message.fatal);
const files = results.filter((result) => result.messages.length > 0).length;
console.log(
  `${count(messages.length, 'finding')} with ${count(suggestions.length, 'suggestion')}, ` +
    `in ${files} of ${count(results.length, 'file')} (fixtures/demo).`,
);
if (broken.length > 0 || messages.length === 0) {
  console.error('The demo is broken: it must show findings, and every file of it must parse.');
  process.exitCode = 1;
}

function print(file, source, message) {
  const place = `${relative(root, file)}:${message.line}:${message.column}`;
  console.log(`${pc.underline(place)}  ${pc.yellow(message.ruleId ?? 'error')}`);
  console.log(`  ${message.message}\n`);
  printSource(source, message);
  for (const suggestion of message.suggestions ?? []) {
    console.log(`  ${pc.green('Suggestion:')} ${suggestion.desc}`);
    printChange(source, suggestion.fix);
  }
  console.log();
}

/** The line of the finding with the one above it, and a mark under the reported range. */
function printSource(source, { line, column, endLine, endColumn }) {
  const lines = source.split(/\r?\n/);
  const text = lines[line - 1] ?? '';
  const end = endLine === line && endColumn ? endColumn : text.length + 1;
  const width = String(line).length;
  for (let number = Math.max(1, line - 1); number <= line; number += 1) {
    console.log(pc.dim(`  ${String(number).padStart(width)} │ `) + lines[number - 1]);
  }
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
  console.log(pc.dim(`  ${' '.repeat(width)} │ `) + indent + pc.red('^'.repeat(Math.max(1, end - column))) + '\n');
}

function printChange(source, { range: [start, end], text }) {
  const changed = source.slice(0, start) + text + source.slice(end);
  for (const { sign, line } of lineDiff(source.split(/\r?\n/), changed.split(/\r?\n/))) {
    const shown = `    ${sign} ${line}`;
    if (sign === ' ') console.log(pc.dim(shown));
    else console.log(sign === '-' ? pc.red(shown) : pc.green(shown));
  }
  console.log();
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
