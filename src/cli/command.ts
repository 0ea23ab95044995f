import { join, resolve } from 'node:path';
import { CommanderError } from 'commander';
import type { ProgramReport } from '../model/handler.js';
import { countFindings } from '../report/shared.js';
import { toSummary } from '../report/text.js';
import { run } from '../run.js';
import { Files, UserError } from '../syntax/files.js';
import { adopt } from './adopt.js';
import { parseAdoptOptions } from './adopt-options.js';
import { explained, lineIn, listed } from './asked.js';
import { withBaseline } from './baseline.js';
import { onlyChanged } from './changed.js';
import { loadSettings } from './config.js';
import { withDirectives } from './directives.js';
import { fix } from './fix.js';
import { parseFixOptions } from './fix-options.js';
import { render } from './formats.js';
import { changedSince } from './git.js';
import { parseOptions, type Options } from './options.js';
import { progressOn } from './progress.js';
import { rootFor } from './root.js';
import { colorOn, type Surroundings } from './surroundings.js';
import { name } from './tool.js';
import { write } from './write.js';

const CLEAN = 0;
const FINDINGS = 1;
const CANNOT_RUN = 2;

/** argv → run → reporters → exit code. */
export async function command(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    if (argv[0] === 'fix') return (await fix(parseFixOptions(argv.slice(1), around), around)) ? CLEAN : FINDINGS;
    if (argv[0] === 'adopt') return (await adopt(parseAdoptOptions(argv.slice(1), around), around)) ? CLEAN : FINDINGS;
    const options = parseOptions(argv, around);
    const report = await analyse(options, around);
    if (options.list || options.explain !== undefined) {
      around.stdout.write(`${options.explain === undefined ? listed(report, around) : explained(report, options.explain, around)}\n`);
      return CLEAN;
    }
    deliver(report, options, around);
    return countFindings(report.handlers) > options.maxFindings ? FINDINGS : CLEAN;
  } catch (error) {
    // Commander has written its text already: the help, the version, or what is wrong with an option.
    if (error instanceof CommanderError) return error.exitCode === 0 ? CLEAN : CANNOT_RUN;
    around.stderr.write(`${explain(error, argv.includes('--debug'))}\n`);
    return CANNOT_RUN;
  }
}

async function analyse(options: Options, around: Surroundings): Promise<ProgramReport> {
  const settings = await loadSettings(around.cwd, options.config);
  const progress = progressOn(around.stderr);
  const { root, paths } = rootFor(around.cwd, options.paths);
  const changed = options.changedSince === undefined ? undefined : await changedSince(root, options.changedSince);
  // What is explained is no part of what the cache keeps.
  const asked = options.explain === undefined ? undefined : lineIn(around.cwd, options.explain);
  const report = run({ root, ...(paths.length > 0 && { paths }), preset: options.preset, ...settings, debug: options.debug, ...(asked && { explain: asked }), ...(progress && { onProgress: progress.show }) }, asked ? undefined : cacheFor(options, root, around.cwd));
  progress?.clear();
  if (report.files === 0) throw new UserError(`${[...report.problems.map((p) => `${p.file}: ${p.message}`), `No TypeScript or JavaScript file was found in ${paths.length > 0 ? paths.join(', ') : root}.`].join('\n')} Give the files, or the folder that holds them.`);
  const judged = counted(options.inlineConfig ? withDirectives(report, new Files(root)) : report, options, around, paths);
  return changed ? onlyChanged(judged, changed) : judged;
}

/** Without what the baseline holds. The whole program is compared with it, also where only changes are reported. */
function counted(report: ProgramReport, { baseline, updateBaseline, preset }: Options, around: Surroundings, paths: readonly string[]): ProgramReport {
  if (baseline === undefined) return report;
  const judged = withBaseline(report, { file: baseline, update: updateBaseline, cwd: around.cwd, paths, preset });
  for (const note of judged.notes) around.stderr.write(`${name}: ${note}\n`);
  return judged.report;
}

/** Each report to where it belongs. Where all go to files, one line still tells what there is. */
function deliver(report: ProgramReport, { reports }: Options, around: Surroundings): void {
  for (const wanted of reports) {
    const text = render(wanted, report, around);
    if (wanted.file === undefined) around.stdout.write(text);
    else write(around.cwd, wanted.file, text);
  }
  if (reports.every((r) => r.file !== undefined)) around.stdout.write(`${toSummary(report, colorOn(around))}\n`);
}

/** One file for each root; what it was made for is written in it. */
function cacheFor({ cache, cacheLocation }: Options, root: string, cwd: string): string | undefined {
  if (cacheLocation !== undefined) return resolve(cwd, cacheLocation);
  return cache ? join(root, 'node_modules', '.cache', 'idempotent-consumers', 'result.json') : undefined;
}

function explain(error: unknown, debug: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof UserError) return `${name}: ${message}`;
  if (debug) return `${name}: ${stack ?? message}`;
  return `${name}: unexpected error: ${message.split('\n')[0]} Run again with --debug and report what it prints to the maintainers of eslint-plugin-idempotent-consumers.`;
}
