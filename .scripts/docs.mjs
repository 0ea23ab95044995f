import { ensureBuilt } from './lib/build.mjs';
import { reference } from './lib/reference.mjs';
import { run } from './lib/run.mjs';

// Both read the built plugin.
ensureBuilt();
const args = process.argv.slice(2);
const stale = await reference({ check: args.includes('--check') });
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run docs\`.`);
  process.exitCode = 1;
}
run('eslint-doc-generator', args);
