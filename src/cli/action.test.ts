import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { project } from '../../fixtures/command-runner.js';
import { version } from '../version.js';

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: { run: string; env: Record<string, string> }[] };
}

const folder = fileURLToPath(new URL('../../', import.meta.url));
const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action;

/** Runs the action's step as GitHub does, with an `npx` that writes down what it is given. */
function run(inputs: Record<string, string>, installed: boolean): string[][] {
  const root = project({ 'bin/npx': `#!/usr/bin/env bash\nprintf '%s\\0' "$@" >> "$CALLS"; echo >> "$CALLS"\n[ "$1" != --no-install ] || ${String(installed)}\n`, calls: '', 'a.ts': '' });
  chmodSync(join(root, 'bin/npx'), 0o755);
  const [step] = action.runs.steps;
  const value = (text: string): string => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? 'no such input').replace('${{ github.action_path }}', folder);
  const env = { ...process.env, ...Object.fromEntries(Object.entries(step?.env ?? {}).map(([k, v]) => [k, value(v)])), PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH ?? ''}`, CALLS: join(root, 'calls'), GITHUB_STEP_SUMMARY: '/summary file' };
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step?.run ?? 'false'], { cwd: root, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(join(root, 'calls'), 'utf8').trimEnd().split('\n').map((line) => line.split('\0').slice(0, -1));
}

describe('the GitHub action', () => {
  it('runs the command that the project has installed', () => {
    expect(run({}, true)).toEqual([
      ['--no-install', 'idempotent-consumers', '--version'],
      ['--no-install', 'idempotent-consumers', '--format', 'github', '--format', 'markdown=/summary file'],
    ]);
  });

  it('takes it from npm otherwise, in its own version', () => {
    expect(run({ summary: 'false' }, false)[1]).toEqual(['--yes', '--package', `eslint-plugin-idempotent-consumers@${version}`, 'idempotent-consumers', '--format', 'github']);
    expect(run({ version: '9.9.9' }, false)[1]).toContain('eslint-plugin-idempotent-consumers@9.9.9');
  });

  it('hands its inputs on as they are, without a shell having a say', () => {
    expect(run({ arguments: 'src\n--preset strict $(touch x) * "a', sarif: 'my report.sarif', summary: 'false' }, true)[1]?.slice(2)).toEqual(['src', '--preset', 'strict', '$(touch', 'x)', '*', '"a', '--format', 'github', '--format', 'sarif=my report.sarif']);
    for (const step of action.runs.steps) expect(step.run).not.toContain('${{');
  });
});
