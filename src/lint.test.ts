import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeEach, expect, test } from 'vitest';
import plugin from './index.js';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'lint-')));
let cwd = home;
let count = 0;

beforeEach(() => {
  cwd = join(home, String((count += 1)));
  write('package.json', '{}');
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const CONSUMER = `
  import { Kafka } from 'kafkajs';
  import { addPoints } from './points.js';

  const consumer = new Kafka({ brokers: [] }).consumer({ groupId: 'points' });

  await consumer.run({
    eachMessage: async ({ message }) => {
      await addPoints(JSON.parse(message.value.toString()));
    },
  });
`;

const POINTS = `
  import { Pool } from 'pg';

  const pool = new Pool();

  export async function addPoints({ member, points }) {
    await pool.query('UPDATE members SET points = points + $1 WHERE id = $2', [points, member]);
  }
`;

test('a project without handlers never loads the compiler', async () => {
  write('sum.mjs', 'export const sum = (a, b) => a + b;');
  write('greet.mjs', 'export const greet = (name) => `Hello ${name}`;');
  expect(await lint()).toEqual([]);
  expect(compilerIsLoaded()).toBe(false);

  cwd = join(cwd, 'with-handlers');
  write('consumer.mjs', CONSUMER);
  await lint();
  expect(compilerIsLoaded()).toBe(true);
});

test('a finding is shown where it is, and at the call that leads there', async () => {
  write('consumer.js', CONSUMER);
  write('points.js', POINTS);
  expect(await lint()).toEqual([
    'consumer.js:9:13 no-delta-write → points.js:7',
    'points.js:7:11 no-delta-write',
  ]);
});

test('the text of the editor counts, for the file and for what it leads to', async () => {
  write('consumer.js', CONSUMER);
  write('points.js', POINTS);
  const eslint = create();
  expect(await lint(eslint)).toHaveLength(2);
  expect(await lintText(eslint, 'points.js', POINTS.replace('points + $1', '$1'))).toEqual([]);
  expect(await lintText(eslint, 'consumer.js', CONSUMER.replace('await addPoints', 'void'))).toEqual([]);
  expect(await lint(eslint)).toHaveLength(2);
});

test('a file that was saved is read again, and so is all else that has changed', async () => {
  write('consumer.js', CONSUMER);
  write('points.js', POINTS);
  const eslint = create();
  expect(await lint(eslint)).toHaveLength(2);
  write('points.js', POINTS.replace('points + $1', '$1'));
  utimesSync(join(cwd, 'points.js'), new Date(), new Date(Date.now() + 5000));
  expect(await lintText(eslint, 'points.js', POINTS.replace('points + $1', '$1'))).toEqual([]);
  expect(await lint(eslint)).toEqual([]);
});

test('a text that is no file is a program of its own', async () => {
  write('points.js', 'export const points = 1;');
  const text = CONSUMER.replace('await addPoints(JSON.parse(message.value.toString()));', 'await pool.query("UPDATE members SET points = points + 1");').replace("import { addPoints } from './points.js';", "import { Pool } from 'pg'; const pool = new Pool();");
  expect(await lintText(create(), 'new.js', text)).toEqual(['new.js:9:13 no-delta-write']);
});

test.each([['not on disk yet', 'new/folder/route.js'], ['a block of code in a Markdown file', 'README.md/0_0.js']])('a text in a folder that is none on disk is a program of its own: %s', async (_, file) => {
  write('README.md', '# Points');
  const text = "import { Worker } from 'bullmq';\nimport { Pool } from 'pg';\nconst pool = new Pool();\nnew Worker('carts', async (job) => {\n  pool.query('DELETE FROM carts WHERE id = $1', [job.data.id]);\n});\n";
  expect(await lintText(create(), file, text)).toEqual([`${file.replace(/.*\//, '')}:5:3 ack-after-commit`]);
});

test('an ignored file is judged alone', async () => {
  write('.gitignore', 'generated');
  write('generated/consumer.js', CONSUMER.replace('./points.js', '../points.js'));
  write('points.js', POINTS);
  expect(await lint()).toEqual(['consumer.js:9:13 no-delta-write → points.js:7']);
});

test('settings that do not fit are an error that names the key', async () => {
  write('consumer.js', CONSUMER);
  await expect(lint(create({ settings: { 'idempotent-consumers': { handler: 1 } } }))).rejects.toThrow(/settings\['idempotent-consumers'\].*handler/s);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  writeFileSync(join(cwd, file), text);
}

function create(extra: object = {}, preset: 'recommended' | 'strict' = 'recommended'): ESLint {
  return new ESLint({ cwd, overrideConfigFile: true, overrideConfig: [plugin.configs[preset], extra] });
}

async function lint(eslint = create()): Promise<string[]> {
  return shown(await eslint.lintFiles(['.']));
}

async function lintText(eslint: ESLint, filePath: string, text: string): Promise<string[]> {
  return shown(await eslint.lintText(text, { filePath: join(cwd, filePath) }));
}

/** Where each message stands, and where it leads to. */
function shown(results: ESLint.LintResult[]): string[] {
  return results.flatMap((r) =>
    r.messages.map((m) => {
      const leadsTo = /^This leads to (\S+): /.exec(m.message)?.[1];
      return `${basename(r.filePath)}:${m.line}:${m.column} ${m.ruleId?.replace('idempotent-consumers/', '') ?? m.message}${leadsTo ? ` → ${leadsTo}` : ''}`;
    }),
  );
}

function compilerIsLoaded(): boolean {
  return Object.keys(createRequire(import.meta.url).cache).some((file) => /node_modules[\\/](@ts-morph|ts-morph)[\\/]/.test(file));
}
