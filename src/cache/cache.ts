import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultCatalog } from '../catalog/index.js';
import { runEngine, type EngineOptions, type EngineResult } from '../engine.js';
import { Gate } from '../gate.js';
import { Files, UserError } from '../syntax/files.js';
import { version } from '../version.js';
import { isSame, stampOf, type Stamp } from './stamps.js';

/** What a run leaves for the next one. */
interface Kept {
  /** Version and options of the run: another run's answer is worth nothing. */
  key: string;
  stampedAt: number;
  stamps: Record<string, Stamp>;
  result: Omit<EngineResult, 'reached' | 'asked'> & { reached: string[]; asked: string[] };
}

/**
 * `location` is an absolute path. The result of an earlier run, if nothing has changed since that could change it; else a run, kept for the next time.
 * Throws a `UserError` if the file cannot be written.
 */
export function runWithCache(options: EngineOptions, location: string): EngineResult {
  const files = new Files(options.root);
  const inputs = [...new Set([...files.list(), ...files.list(options.paths), ...files.beside()])].filter((file) => file !== location);
  const key = keyOf(options);
  const kept = read(location);
  if (kept?.key === key && isStillRight(kept, inputs, files, options)) {
    return { ...kept.result, reached: new Set(kept.result.reached), asked: new Set(kept.result.asked) };
  }
  const stampedAt = Date.now();
  const stamps = Object.fromEntries(inputs.flatMap((file) => [[file, stampOf(file)]] as const).filter((e): e is readonly [string, Stamp] => e[1] !== undefined));
  const result = runEngine({ ...options, known: { files, parsed: new Map() } });
  write(location, { key, stampedAt, stamps, result: { ...result, reached: [...result.reached], asked: [...result.asked] } });
  return result;
}

function keyOf({ root, paths, preset, libraries, names, projections, redeliveryHorizons }: EngineOptions): string {
  // The time of this file stands for the build: a version under development changes without a new number.
  const build = statSync(fileURLToPath(import.meta.url)).mtimeMs;
  return createHash('sha1').update(JSON.stringify([version, build, root, paths, preset, libraries, names, projections, redeliveryHorizons])).digest('hex');
}

function isStillRight({ stamps, stampedAt, result }: Kept, inputs: readonly string[], files: Files, options: EngineOptions): boolean {
  // A file that came or went can change what an import means.
  if (inputs.length !== Object.keys(stamps).length || !inputs.every((file) => stamps[file])) return false;
  const changed = inputs.filter((file) => !isSame(file, stamps[file] as Stamp, stampedAt));
  if (changed.length === 0) return true;
  const reached = new Set(result.reached);
  const gate = new Gate(defaultCatalog(options.libraries), options.names);
  const beside = new Set(files.beside());
  return changed.every((file) => {
    if (beside.has(file) || reached.has(file)) return false;
    const text = files.text(file);
    return text !== undefined && !gate.passes(text) && !result.asked.some((word) => text.includes(word));
  });
}

/** Whatever is wrong with the file, the answer is to run. */
function read(location: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(location, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

function write(location: string, kept: Kept): void {
  try {
    mkdirSync(dirname(location), { recursive: true });
    // In one step, so that a run beside this one never reads half of it.
    const draft = `${location}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, location);
  } catch (error) {
    throw new UserError(`--cache-location ${location}: could not be written (${(error as NodeJS.ErrnoException).code ?? String(error)}). Give a file in a folder that may be written, or leave --cache out.`);
  }
}
