/** The assertion needs no runner of its own: under node:test and jest it fails and passes as under vitest. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

const scenarios = fileURLToPath(new URL('scenarios/', import.meta.url));

it('works under node:test', { timeout: 120_000 }, async () => {
  const output = await run(['--test', '--test-reporter=tap', join(scenarios, 'delta.node-test.mjs')], '');
  expect(output).toMatch(/not ok 1 - an addition\n/);
  expect(output).toMatch(/\bok 2 - an addition behind the inbox\n/);
  expect(output).toContain('accounts id=1: balance 120 instead of 110');
});

it('works under jest', { timeout: 120_000 }, async () => {
  const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
  const config = { rootDir: scenarios, testMatch: ['**/*.jest-test.mjs'], transform: {}, moduleFileExtensions: ['mjs', 'js'] };
  const output = await run([jest, '--config', JSON.stringify(config), '--verbose'], '--experimental-vm-modules');
  expect(output).toMatch(/✕ an addition \(/);
  expect(output).toMatch(/✓ an addition behind the inbox \(/);
  expect(output).toContain('accounts id=1: balance 120 instead of 110');
});

/** All that the runner prints; that it fails is expected. */
async function run(args: string[], options: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: inject('databaseUrl'), NODE_OPTIONS: options, NODE_TEST_CONTEXT: undefined, VITEST: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
