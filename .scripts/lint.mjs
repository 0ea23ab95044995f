import { join } from 'node:path';
import { attempt, existing } from './lib/run.mjs';

// Every check runs, so that one look shows all that is wrong.
const folders = existing(['src', 'rules', 'runtime']);
const projects = existing(['tsconfig.json', join('runtime', 'tsconfig.json')]);

const checks = [
  ['eslint', ['--max-warnings', '0', '.']],
  ...projects.map((project) => ['tsc', ['--noEmit', '-p', project]]),
  ['depcruise', ['--config', '.dependency-cruiser.cjs', ...folders]],
];

const failed = checks.filter(([command, args]) => attempt(command, args) !== 0);
for (const [command, args] of failed) console.error(`Failed: ${[command, ...args].join(' ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
