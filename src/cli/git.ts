import { execFile } from 'node:child_process';
import { posix } from 'node:path';
import { UserError } from '../syntax/files.js';

/**
 * The files that differ from where this branch left `ref`, with those that git does not know yet; relative to `folder`.
 * The only process that is ever started: git, with fixed arguments and no shell.
 */
export async function changedSince(folder: string, ref: string): Promise<Set<string>> {
  const prefix = (await git(folder, ['rev-parse', '--show-prefix'], (said) => `--changed-since asks git, which does not work in ${folder}: ${said}. Run it inside the repository, or without --changed-since.`)).replace(/\n$/, '');
  const unknown = `--changed-since ${ref}: git knows no such commit, branch or tag. Fetch it first; in GitHub Actions, set fetch-depth: 0 for actions/checkout.`;
  // A name that looks like an option would be one.
  if (ref.startsWith('-')) throw new UserError(unknown);
  const commit = (await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], () => unknown)).trim();
  const base = (await git(folder, ['merge-base', commit, 'HEAD'], () => `--changed-since ${ref}: git finds no common ancestor with the current commit. Fetch the history; in GitHub Actions, set fetch-depth: 0 for actions/checkout.`)).trim();
  const changed = await git(folder, ['diff', '--name-only', '-z', '--no-ext-diff', '--no-renames', base, '--'], failed);
  const added = await git(folder, ['ls-files', '--others', '--exclude-standard', '--full-name', '-z'], failed);
  return new Set(`${changed}${added}`.split('\0').filter((f) => f !== '').map((f) => posix.relative(prefix, f)));
}

function failed(said: string): string {
  return `--changed-since: git could not list the changed files: ${said}.`;
}

function git(cwd: string, args: readonly string[], explain: (said: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('git', ['-c', 'core.fsmonitor=false', ...args], { cwd, maxBuffer: 1e8, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' } }, (error, stdout, stderr) => {
      if (!error) return void resolve(stdout);
      const said = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'git is not installed' : (stderr.trim().split('\n')[0] ?? '').replace(/\.$/, '');
      reject(new UserError(explain(said)));
    });
  });
}
