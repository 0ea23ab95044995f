/** The assertion needs no runner of its own: under node:test it fails and passes as under vitest. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

it('works under node:test', { timeout: 120_000 }, async () => {
  const file = fileURLToPath(new URL('scenarios/delta.node-test.mjs', import.meta.url));
  const env = { ...process.env, DATABASE_URL: inject('databaseUrl'), NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', file], { env }, (_error, stdout) => resolve(stdout));
  });
  expect(output).toMatch(/not ok 1 - an addition\n/);
  expect(output).toMatch(/\bok 2 - an addition behind the inbox\n/);
  expect(output).toContain('accounts id=1: balance 120 instead of 110');
});
