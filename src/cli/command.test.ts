import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { call, compliant, json, project, violating, type Json } from '../../fixtures/command-runner.js';
import { version } from '../version.js';

describe('exit codes', () => {
  it('is 0 without findings', async () => {
    expect(await call(project({ 'a.ts': compliant }), [])).toEqual({ code: 0, out: '1 handler in 1 file (1 safe), no findings\n', err: '' });
  });

  it('is 1 with findings, and 0 up to --max-findings', async () => {
    const root = project({ 'a.ts': violating, 'b.ts': violating });
    expect((await call(root, [])).code).toBe(1);
    expect((await call(root, ['--max-findings', '1'])).code).toBe(1);
    expect((await call(root, ['--max-findings', '2'])).code).toBe(0);
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown option', ['--nonsense'], /^idempotent-consumers: unknown option '--nonsense'\n.*--help/s],
    ['an unknown format', ['--format', 'xml'], /argument 'xml' is invalid. Allowed choices are text, json, sarif, github, markdown, html/],
    ['two formats for one output', ['--format', 'json', '--format', 'text'], /only one format can be printed, and there are json and text\. .*--format json=FILE/],
    ['two reports for one file', ['--format', 'json=r', '--format', 'sarif=r'], /two reports would go to r\. Give each a file of its own/],
    ['a file that is not named', ['--format', 'json='], /Name the file: json=FILE/],
    ['a second file for a report', ['--format', 'json=r', '--output', 's'], /--output names a file, and so does each --format/],
    ['a file that cannot be written', ['--output', 'a.ts/report'], /a\.ts\/report could not be written: (ENOTDIR|EEXIST)\. Give a path/],
    ['a baseline that is not there', ['--baseline', 'b.json'], /--baseline b\.json: no such file\. Run with --update-baseline to make it/],
    ['an update of no baseline', ['--update-baseline'], /--update-baseline needs --baseline FILE/],
    ['a line that is none', ['--explain', 'a.ts'], /--explain a\.ts: give a file and a line, such as src\/orders\.ts:42/],
    ['a line without a handler', ['--explain', 'a.ts:3'], /--explain a\.ts:3: no handler holds or reaches this line\. --list shows/],
    ['a report of the list', ['--list', '--format', 'json'], /--list prints text\. For programs, --format json/],
    ['two questions', ['--list', '--explain', 'a.ts:8'], /--list and --explain cannot be given together/],
    ['an unknown preset', ['--preset', 'lax'], /Allowed choices are recommended, strict/],
    ['a number that is none', ['--max-findings', '-1'], /whole number, 0 or more/],
    ['a path that does not exist', ['src/nowhere.ts'], /src\/nowhere\.ts: no such file or folder\. Give a path that exists/],
    ['a config file that does not exist', ['--config', 'nowhere.json'], /--config nowhere\.json: no such file\. Give the path/],
    ['a config file of another kind', ['--config', 'a.txt'], /settings are a \.json, \.js, \.mjs, \.cjs, \.ts, \.mts or \.cts file/],
  ])('is 2 for %s, and says what to do', async (_, args, expected) => {
    const { code, out, err } = await call(project({ 'a.ts': violating, 'a.txt': '' }), args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(expected);
  });

  it('is 2 where there is nothing to analyse', async () => {
    const { code, err } = await call(project({ 'README.md': '' }), []);
    expect(code).toBe(2);
    expect(err).toMatch(/No TypeScript or JavaScript file was found in .*Give the files, or the folder that holds them\.\n$/);
  });
});

describe('what it prints', () => {
  it('explains itself', async () => {
    const { code, out } = await call(tmpdir(), ['--help']);
    expect(code).toBe(0);
    for (const option of ['--format', '--preset', '--config', '--max-findings', '--version', 'Exit codes']) expect(out).toContain(option);
  });

  it('explains every option in docs/command.md, and no other', async () => {
    const options = (text: string): string[] => [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+(?=[ =`,\n])/g))].sort();
    const page = readFileSync(fileURLToPath(new URL('../../docs/command.md', import.meta.url)), 'utf8');
    const table = page.slice(page.indexOf('## Options'), page.indexOf('| exit code'));
    expect(options((await call(tmpdir(), ['--help'])).out)).toEqual(options(table));
    // What the recipes use is there too.
    const uses = page.split('\n').filter((line) => line.includes('idempotent-consumers --'));
    for (const option of uses.flatMap((line) => options(line.slice(line.indexOf('idempotent-consumers ')).replace(/$/, ' ')))) expect(options(table)).toContain(option);
  });

  it('tells the version of the package', async () => {
    expect(await call(tmpdir(), ['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('reports as text for people', async () => {
    const { out } = await call(project({ 'src/a.ts': violating }), []);
    expect(out).toMatch(/^eachMessage \(kafkajs\) {2}src\/a\.ts:7\n\n {2}┌ .*\n {2}│ .*\n {2}└ .*\n\n {2}src\/a\.ts:8:11 {2}error {2}no-delta-write\n/);
    expect(out).toMatch(/\n1 handler in 1 file \(1 unsafe\), 1 finding \(1 no-delta-write\)\n$/);
  });

  it('writes several reports at once, and prints the one without a file', async () => {
    const root = project({ 'a.ts': violating });
    const { code, out } = await call(root, ['--format', 'json=out/report.json', '-f', 'sarif=report=1.sarif', '-f', 'github']);
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=a\.ts,line=8,/);
    expect(JSON.parse(readFileSync(join(root, 'out/report.json'), 'utf8'))).toMatchObject({ summary: { findings: 1 } });
    expect(JSON.parse(readFileSync(join(root, 'report=1.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0', runs: [{ results: [{ ruleId: 'no-delta-write' }] }] });
  });

  it('prints one line where all reports go to files', async () => {
    const root = project({ 'a.ts': violating });
    const line = '1 handler in 1 file (1 unsafe), 1 finding (1 no-delta-write)\n';
    expect(await call(root, ['--format', 'html', '--output', 'report.html'])).toEqual({ code: 1, out: line, err: '' });
    expect(readFileSync(join(root, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect((await call(root, ['--format', 'markdown=report.md'])).out).toBe(line);
    expect((await call(root, ['-o', 'report.txt'], { env: { FORCE_COLOR: '1' } })).out).toContain('1 handler in 1 file');
    expect(readFileSync(join(root, 'report.txt'), 'utf8')).toMatch(/^eachMessage \(kafkajs\)/);
  });

  it('names files for annotations from the folder of the repository', async () => {
    const root = project({ 'services/billing/a.ts': violating });
    const cwd = join(root, 'services/billing');
    expect((await call(cwd, ['--format', 'github'], { env: { GITHUB_WORKSPACE: root } })).out).toMatch(/^::error file=services\/billing\/a\.ts,/);
    expect((await call(cwd, ['--format', 'github'], { env: { GITHUB_WORKSPACE: '/elsewhere' } })).out).toMatch(/^::error file=a\.ts,/);
  });

  it('carries the pages of the rules in SARIF', async () => {
    const { out } = await call(project({ 'a.ts': compliant }), ['--format', 'sarif']);
    const { runs } = JSON.parse(out) as { runs: { tool: { driver: { rules: { id: string; help?: { markdown: string } }[] } } }[] };
    expect(runs[0]?.tool.driver.rules.find((r) => r.id === 'ack-after-commit')?.help?.markdown).toContain('## Correct');
  });

  it('shows progress and colours on a terminal only', async () => {
    const root = project({ 'a.ts': violating });
    const escape = String.fromCharCode(27);
    const terminal = await call(root, [], { tty: true });
    expect(terminal.err).toContain('Reading 1 of 1 files');
    expect(terminal.out).toContain(escape);
    expect((await call(root, [], { tty: true, env: { NO_COLOR: '1' } })).out).not.toContain(escape);
    expect(await call(root, [])).toMatchObject({ err: '' });
    expect((await call(root, [], { env: { CI: 'true' } })).out).not.toContain(escape);
    expect((await call(root, [], { env: { FORCE_COLOR: '1' } })).out).toContain(escape);
  });
});

describe('paths', () => {
  const files = { 'src/consumer.ts': violating.replace('await pool.query', 'await save').replace("import { Pool } from 'pg';\nconst pool = new Pool();", "import { save } from '../lib/save.js';"), 'lib/save.ts': "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function save(text: string, values: unknown[]) {\n  await pool.query('UPDATE accounts SET balance = balance + $1 WHERE id = $2', values);\n}\n" };

  it('are relative to the current folder', async () => {
    const { handlers } = await json(project(files), ['src']);
    expect(handlers).toMatchObject([{ file: 'src/consumer.ts', findings: [{ rule: 'no-delta-write', file: 'lib/save.ts' }] }]);
  });

  it('may lie elsewhere: then the folder that holds them is the root, and helpers outside of it are followed all the same', async () => {
    const root = project(files);
    expect(await json(tmpdir() === '/tmp' ? '/' + 'usr' : '/', [join(root, 'src/consumer.ts')])).toMatchObject({ code: 1, handlers: [{ file: 'consumer.ts', findings: [{ file: '../lib/save.ts' }] }] });
    expect(await json('/usr', [join(root, 'src'), join(root, 'lib/save.ts')])).toMatchObject({ summary: { files: 2 }, handlers: [{ file: 'src/consumer.ts', findings: [{ file: 'lib/save.ts' }] }] });
    expect((await call('/usr', [join(root, 'src/consumer.ts')])).out).toContain(`Paths are relative to ${join(root, 'src')}.`);
  });
});

describe('the config file', () => {
  const files = { 'bus.ts': 'export const bus = { on(topic: string, handler: unknown) {} };', 'src/a.ts': "import { Pool } from 'pg';\nimport { bus } from '../bus.js';\nconst pool = new Pool();\nbus.on('a', async (m: { n: number }) => { await pool.query('UPDATE a SET n = n + $1', [m.n]); });" };
  const settings = { handlers: [{ name: 'bus.on', handler: 1 }] };

  it('is found here or above, as JSON or as a module', async () => {
    expect((await json(project(files))).handlers).toEqual([]);
    expect((await json(project({ ...files, 'idempotent-consumers.config.json': JSON.stringify(settings) }))).code).toBe(1);
    expect((await json(join(project({ ...files, 'idempotent-consumers.config.mjs': `export default ${JSON.stringify(settings)};` }), 'src'))).code).toBe(1);
  });

  it('may be CommonJS, and TypeScript where Node.js loads that', async () => {
    expect((await json(project({ ...files, 'idempotent-consumers.config.cjs': `module.exports = ${JSON.stringify(settings)};` }))).code).toBe(1);
    const { code, err } = await call(project({ ...files, 'idempotent-consumers.config.ts': `export default ${JSON.stringify(settings)} as object;` }), []);
    if ('typescript' in process.features && process.features.typescript) expect({ code, err }).toEqual({ code: 1, err: '' });
    else expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/config\.ts is TypeScript, which Node\.js .* does not load.*Write it as \.json or \.mjs/) as string });
  });

  it('is refused where it exports nothing', async () => {
    const { code, err } = await call(project({ ...files, 'idempotent-consumers.config.mjs': 'export const settings = {};' }), []);
    expect(code).toBe(2);
    expect(err).toMatch(/config\.mjs exports nothing\. Write `export default/);
  });

  it('is the only file of the project that is run', async () => {
    const root = project({ 'a.ts': `${violating}\nthrow new Error('run');`, 'eslint.config.mjs': "throw new Error('run');", 'src/idempotent-consumers.config.mjs': "throw new Error('run');" });
    expect(await json(root)).toMatchObject({ code: 1, problems: [] });
  });

  it('names files relative to its own folder', async () => {
    const root = project({ ...files, 'idempotent-consumers.config.json': JSON.stringify({ handlers: [{ file: './bus.ts', name: 'bus.on', handler: 1 }], projections: ['src/a.ts'] }) });
    expect(await json(join(root, 'src'))).toMatchObject({ code: 0, handlers: [{ file: 'a.ts', findings: [] }], problems: [] });
  });

  it('may be named', async () => {
    const root = project({ ...files, 'conf/mine.json': JSON.stringify(settings), 'conf/mine.mjs': `export default ${JSON.stringify(settings)};` });
    expect((await json(root, ['--config', 'conf/mine.json'])).code).toBe(1);
    expect((await json(root, ['--config', 'conf/mine.mjs'])).code).toBe(1);
  });

  it.each<[string, string, RegExp]>([
    ['a key that is unknown', '{ "handlerz": [] }', /^idempotent-consumers: idempotent-consumers\.config\.json: unknown key "handlerz" with the value \[\]\. Known keys: handlers/],
    ['text that is no JSON', '{ handlers: [] }', /idempotent-consumers\.config\.json could not be read: .*JSON.* Correct /],
  ])('is refused with %s', async (_, text, expected) => {
    const { code, err } = await call(project({ ...files, 'idempotent-consumers.config.json': text }), []);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });

  it('hears of names that are not there', async () => {
    const named = (file: string): Record<string, string> => ({ ...files, 'idempotent-consumers.config.json': JSON.stringify({ handlers: [{ file, name: 'bus.off' }] }) });
    expect((await json(project(named('bus.ts')))).problems).toEqual([{ file: 'bus.ts', message: 'the settings name bus.off in this file, which does not declare it.' }]);
    expect((await json(project(named('gone.ts')))).problems).toMatchObject([{ file: 'gone.ts', message: expect.stringContaining('no such file') }]);
  });
});

describe('bad input', () => {
  it('analyses what can be read of a file with syntax errors', async () => {
    const { handlers, problems } = await json(project({ 'a.ts': `${violating}\nconst broken = {;\n` }));
    expect(handlers).toMatchObject([{ findings: [{ rule: 'no-delta-write' }] }]);
    expect(problems).toMatchObject([{ file: 'a.ts', message: expect.stringMatching(/^line 12: .*analysed as far as it could be read/) }]);
  });

  it('names a binary file', async () => {
    expect((await json(project({ 'a.ts': compliant, 'movie.ts': Buffer.from([0x47, 0, 1, 2, 0, 255]) }))).problems).toMatchObject([{ file: 'movie.ts', message: expect.stringContaining('binary') }]);
  });

  it('reads UTF-16 and a byte order mark', async () => {
    const root = project({ 'a.ts': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(violating, 'utf16le')]), 'b.ts': `\uFEFF${violating}` });
    expect(await json(root)).toMatchObject({ summary: { findings: 2 }, problems: [] });
  });

  it('takes an empty file for what it is', async () => {
    expect(await json(project({ 'empty.ts': '' }))).toMatchObject({ code: 0, summary: { files: 1 }, problems: [] });
  });

  it('names a bundle of 5 MB', async () => {
    const root = project({ 'app.js': violating + 'x();'.repeat(1_300_000) });
    expect((await json(root)).problems).toMatchObject([{ file: 'app.js', message: expect.stringMatching(/^not analysed: 5\.2 MB .*bundle/) }]);
  });

  it('names code that is nested too deeply, and analyses the rest', async () => {
    const root = project({ 'a.ts': violating, 'deep.ts': `import 'kafkajs';\nexport const n = ${'('.repeat(60_000)}1${')'.repeat(60_000)};`, 'sum.ts': `import 'kafkajs';\nexport const n = ${'1 + '.repeat(60_000)}1;` });
    const { handlers, problems } = await json(root);
    expect(handlers).toHaveLength(1);
    expect(problems).toMatchObject([{ file: 'deep.ts', message: expect.stringContaining('nested too deeply') }, { file: 'sum.ts', message: expect.stringContaining('nested too deeply') }]);
  });

  it('follows import cycles once', async () => {
    const root = project({
      'a.ts': `${violating.replace('await pool.query', 'await save')}\nimport { save } from './b.js';\nexport { pool };`,
      'b.ts': "import { pool } from './a.js';\nexport * from './c.js';\nexport async function save(text: string, values: unknown[]): Promise<void> { await pool.query(text, values); await again(text, values); }\nimport { again } from './c.js';",
      'c.ts': "import { save } from './b.js';\nexport * from './b.js';\nexport async function again(text: string, values: unknown[]): Promise<void> { if (values.length) await save(text, values); }",
    });
    expect(await json(root)).toMatchObject({ handlers: [{ findings: [{ rule: 'no-delta-write' }] }], problems: [] });
  });

  it.each<[string, Record<string, string>, RegExp | undefined]>([
    ['missing', {}, undefined],
    ['broken', { 'tsconfig.json': '{ "compilerOptions": ' }, /could not be read as JSON.*Path aliases are not known/],
    ['empty', { 'tsconfig.json': '' }, undefined],
    ['built on one that is missing', { 'tsconfig.json': '{ "extends": "./base.json" }' }, /base\.json.*Path aliases may be missing/],
    ['built on itself', { 'tsconfig.json': '{ "extends": "./tsconfig.json" }' }, /[Cc]ircularity/],
    ['of the wrong types', { 'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": "src/*", "#/*": [1] } } }' }, undefined],
  ])('goes on where the tsconfig is %s', async (_, config, expected) => {
    const { handlers, problems } = await json(project({ ...config, 'a.ts': `import '@/other';\nimport '#/x';\n${violating}` }));
    expect(handlers).toMatchObject([{ findings: [{ rule: 'no-delta-write' }] }]);
    if (expected) expect(problems).toMatchObject([{ file: 'tsconfig.json', message: expect.stringMatching(expected) }]);
  });

  it('names a broken package.json', async () => {
    const { handlers, problems } = await json(project({ 'package.json': '{ "name": ', 'a.ts': `import '#lib/x';\n${violating}` }));
    expect(handlers).toHaveLength(1);
    expect(problems).toMatchObject([{ file: 'package.json', message: expect.stringContaining('could not be read as JSON') }]);
  });

  it('names a link that leads nowhere, and refuses one that was asked for', async () => {
    const root = project({ 'a.ts': compliant });
    symlinkSync('gone.ts', join(root, 'link.ts'));
    expect((await json(root)).problems).toEqual([{ file: 'link.ts', message: 'not analysed: a symbolic link that leads nowhere.' }]);
    expect(await call(root, ['link.ts'])).toMatchObject({ code: 2, err: expect.stringContaining('link.ts: a symbolic link that leads nowhere.') as string });
  });

  it('names links to folders outside, follows those to files, and counts a file once', async () => {
    const other = project({ 'b.ts': violating });
    const root = project({ 'src/a.ts': violating });
    symlinkSync(other, join(root, 'other'));
    symlinkSync(join(other, 'b.ts'), join(root, 'b.ts'));
    symlinkSync('src', join(root, 'again'));
    symlinkSync('.', join(root, 'src/loop'));
    expect(await json(root)).toMatchObject({ summary: { files: 2, findings: 2 }, problems: [{ file: 'other', message: expect.stringContaining('a symbolic link to a folder outside') }] });
  });

  it('looks into a folder with the name of a file', async () => {
    expect(await json(project({ 'x.ts/a.ts': violating, 'b.ts': `import './x';\n${compliant}` }))).toMatchObject({ handlers: [{ file: 'b.ts' }, { file: 'x.ts/a.ts' }], problems: [] });
  });

  it('names a file that is no source, and analyses the others', async () => {
    const root = project({ 'a.ts': compliant, 'notes.md': 'kafkajs' });
    expect((await json(root, ['a.ts', 'notes.md'])).problems).toMatchObject([{ file: 'notes.md', message: expect.stringContaining('no source file') }]);
    expect(await call(root, ['notes.md'])).toMatchObject({ code: 2, err: expect.stringContaining('notes.md: not analysed: no source file') as string });
  });

  it('leaves out what .gitignore names, unless it is asked for', async () => {
    const root = project({ '.gitignore': 'generated/\n*.gen.ts\n', 'a.ts': violating, 'generated/b.ts': violating, 'c.gen.ts': violating });
    const files = async (...args: string[]): Promise<string[]> => (await json(root, args)).handlers.map((h) => h.file);
    expect(await files()).toEqual(['a.ts']);
    expect(await files('generated')).toEqual(['generated/b.ts']);
    expect(await files('c.gen.ts')).toEqual(['c.gen.ts']);
  });

  it('leaves out build output beside a package.json, and nothing of the same name below', async () => {
    const root = project({ 'package.json': '{}', 'dist/a.js': violating, 'src/build/a.ts': violating, 'node_modules/x/a.js': violating });
    expect((await json(root)).handlers.map((h) => h.file)).toEqual(['src/build/a.ts']);
  });
});

const built = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

describe.skipIf(!existsSync(built))('the built command', () => {
  it('writes a large report to a pipe in full', () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`consumer-with-a-rather-long-name-${i}.ts`, violating]));
    const root = project(files);
    let out = '';
    try {
      execFileSync(process.execPath, [built, '--format', 'json'], { cwd: root, stdio: 'pipe', maxBuffer: 1e9 });
    } catch (error) {
      out = String((error as { stdout: Buffer }).stdout);
      expect(error).toMatchObject({ status: 1 });
    }
    expect(out.length).toBeGreaterThan(200_000);
    expect((JSON.parse(out) as Json).summary.findings).toBe(200);
  });

  it('does not mind a reader that goes away', async () => {
    const root = project(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${i}.ts`, violating])));
    const err = await new Promise<string>((done) => {
      const child = execFile(process.execPath, [built, '--format', 'json'], { cwd: root }, (_, __, stderr) => done(stderr));
      child.stdout?.destroy();
    });
    expect(err).toBe('');
  });
});
