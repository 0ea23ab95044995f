// Builds, runs the tests and closes with one line: `N passed, N failed`.
// Arguments go to vitest: `npm test -- rules/no-delta-write.test.ts`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { attempt } from './lib/run.mjs';

ensureBuilt();

const folder = mkdtempSync(join(tmpdir(), 'idempotent-consumers-test-'));
const report = join(folder, 'report.json');
const code = attempt('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);
const { passed, failed, skipped } = count(report);
rmSync(folder, { recursive: true, force: true });

// A run can fail with no failed test: an error outside of any test, or a setup that broke.
const failures = failed === 0 && code !== 0 ? 1 : failed;
if (passed + failures === 0) console.error('No test ran.');
process.exitCode = failures > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);

function count(file) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of read(file)) {
    const tests = suite.assertionResults;
    for (const test of tests) {
      if (test.status === 'passed') totals.passed += 1;
      else if (test.status === 'failed') totals.failed += 1;
      else totals.skipped += 1;
    }
    // A file that fails without a failed test could not be loaded.
    if (suite.status === 'failed' && !tests.some((test) => test.status === 'failed')) totals.failed += 1;
  }
  return totals;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}
