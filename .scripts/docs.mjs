import { ensureBuilt } from './lib/build.mjs';
import { run } from './lib/run.mjs';

// eslint-doc-generator reads the built plugin.
ensureBuilt();
run('eslint-doc-generator', process.argv.slice(2));
