import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, call, json, project, violating } from '../../fixtures/command-runner.js';

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], { cwd, stdio: 'pipe' });
}

function repository(files: Record<string, string>): string {
  const root = project(files);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  return root;
}

const consumer = violating.replace(/await pool\.query.*\n/, 'await save(message);\n').replace(/import \{ Pool.*\n.*\n/, "import { save } from '../lib/save.js';\n");
const files = {
  'src/a.ts': consumer,
  'src/b.ts': violating,
  'lib/save.ts': "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function save(m: { value: unknown }): Promise<void> {\n  await pool.query('UPDATE accounts SET balance = balance + $1', [m.value]);\n}\n",
  'lib/other.ts': 'export const x = 1;\n',
};
const since = (ref: string): string[] => ['--changed-since', ref];
const places = async (cwd: string, ...args: string[]): Promise<string[]> => (await json(cwd, args)).handlers.flatMap((h) => h.findings.map((f) => f.file));

describe('--changed-since', () => {
  it('reports nothing where nothing changed, and tells how much there is', async () => {
    expect(await json(repository(files), since('HEAD'))).toMatchObject({ code: 0, summary: { findings: 0, unchanged: 2 } });
    expect((await call(repository(files), since('HEAD'))).out).toBe('2 handlers in 4 files (2 unsafe), no findings, 2 in unchanged code\n');
  });

  it.each([
    ['the place', 'lib/save.ts', ['lib/save.ts']],
    ['the handler', 'src/a.ts', ['lib/save.ts']],
    ['another file', 'lib/other.ts', []],
  ])('reports findings where %s changed', async (_, file, expected) => {
    const root = repository(files);
    add(root, { [file]: `// changed\n${files[file as keyof typeof files]}` });
    expect(await places(root, ...since('HEAD'))).toEqual(expected);
    git(root, 'commit', '-qam', 'second');
    expect(await places(root, ...since('HEAD~1'))).toEqual(expected);
    expect(await places(root, ...since('HEAD'))).toEqual([]);
  });

  it('takes new files that git does not know yet, with whatever is in their names', async () => {
    const root = repository(files);
    add(root, { 'src/new "file"\n.ts': violating, '.gitignore': 'ignored.ts', 'ignored.ts': violating });
    expect(await places(root, ...since('main'))).toEqual(['src/new "file"\n.ts']);
  });

  it('compares with where the branch began, not with what came to the other one since', async () => {
    const root = repository(files);
    git(root, 'checkout', '-qb', 'feature');
    add(root, { 'src/b.ts': `// mine\n${violating}` });
    git(root, 'commit', '-qam', 'mine');
    git(root, 'checkout', '-q', 'main');
    add(root, { 'lib/save.ts': `// theirs\n${files['lib/save.ts']}` });
    git(root, 'commit', '-qam', 'theirs');
    git(root, 'checkout', '-q', 'feature');
    expect(await places(root, ...since('main'))).toEqual(['src/b.ts']);
  });

  it('sees changes outside of the folder that it runs in', async () => {
    const root = repository(files);
    add(root, { 'lib/save.ts': `// changed\n${files['lib/save.ts']}` });
    expect(await places(join(root, 'src'), ...since('HEAD'))).toEqual(['../lib/save.ts']);
  });

  it('compares the whole program with the baseline', async () => {
    const root = repository(files);
    await call(root, ['--baseline', 'b.json', '--update-baseline']);
    add(root, { 'src/b.ts': `// changed\n${violating}` });
    expect(await call(root, ['--baseline', 'b.json', ...since('HEAD')])).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['an unknown ref', 'nowhere', /--changed-since nowhere: git knows no such commit, branch or tag\. Fetch it first; .*fetch-depth: 0/],
    ['an option of git', '--output=x', /git knows no such commit/],
    ['a ref that is no commit', 'HEAD:src/a.ts', /git knows no such commit/],
  ])('refuses %s', async (_, ref, expected) => {
    const { code, out, err } = await call(repository(files), [`--changed-since=${ref}`]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(expected);
  });

  it('refuses a history without a common ancestor', async () => {
    const root = repository(files);
    git(root, 'checkout', '-q', '--orphan', 'other');
    git(root, 'commit', '-qm', 'other');
    expect((await call(root, since('main'))).err).toMatch(/git finds no common ancestor with the current commit\. Fetch the history/);
  });

  it('refuses a folder outside of any repository', async () => {
    const root = repository(files);
    rmSync(join(root, '.git'), { recursive: true });
    expect(await call(root, since('HEAD'))).toMatchObject({ code: 2, err: expect.stringMatching(/--changed-since asks git, which does not work in .*not a git repository.*Run it inside the repository/s) as string });
  });
});
