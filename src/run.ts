import { runEngine, type EngineOptions } from './engine.js';
import type { ProgramReport } from './model/handler.js';

/** The whole-program run: read, find the handlers, follow them, judge them. */
export function run(options: EngineOptions): ProgramReport {
  const started = performance.now();
  const result = runEngine(options);
  return { root: options.root, ...result, durationMs: Math.round(performance.now() - started) };
}
