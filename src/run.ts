import { runWithCache } from './cache/cache.js';
import { runEngine, type EngineOptions } from './engine.js';
import type { ProgramReport } from './model/handler.js';

/** The whole-program run: read, find the handlers, follow them, judge them. With `cache`, a file that keeps the result. */
export function run(options: EngineOptions, cache?: string): ProgramReport {
  const started = performance.now();
  const result = cache === undefined ? runEngine(options) : runWithCache(options, cache);
  return { root: options.root, ...result, durationMs: Math.round(performance.now() - started) };
}
