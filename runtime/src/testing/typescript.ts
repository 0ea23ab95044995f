/** What it takes for a thread to load a scenario in TypeScript. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** For `import` and for `require`; tsx's own `--import tsx` does nothing in a thread of Node.js 20. */
const parts = ['tsx/esm/api', 'tsx/cjs/api'];

/**
 * URLs of modules whose `register` a thread calls before it loads `scenario`, a path or a `file:` URL. For TypeScript
 * these are those of the package tsx, if it is installed where the scenario can import it; else Node.js drops the types
 * by itself, from version 22.18 on or by a flag in `execArgv`. Undefined if neither is there.
 */
export function loadersFor(scenario: string, execArgv: readonly string[]): string[] | undefined {
  if (!/\.[cm]?ts$/.test(scenario)) return [];
  const { resolve } = createRequire(scenario.startsWith('file:') ? scenario : pathToFileURL(scenario));
  try {
    // What `require` resolves to has the ES module beside it; loaded as CommonJS, tsx does not find its own files.
    return parts.map((part) => pathToFileURL(resolve(part).replace(/\.cjs$/, '.mjs')).href);
  } catch {
    return dropsTypes(execArgv) ? [] : undefined;
  }
}

function dropsTypes(execArgv: readonly string[]): boolean {
  const features = process.features as { typescript?: unknown };
  return Boolean(features.typescript) || execArgv.some((argument) => /^--experimental-(strip|transform)-types$/.test(argument));
}
