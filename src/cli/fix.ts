import { resolve } from 'node:path';
import { applySuggestions, type Applied, type ApplyOptions, type ChangedFile } from '../apply.js';
import type { Finding, Preset, Suggestion } from '../model/finding.js';
import type { ProgramReport } from '../model/handler.js';
import type { Files } from '../syntax/files.js';
import { asker } from './ask.js';
import { withBaseline } from './baseline.js';
import { loadSettings } from './config.js';
import { diffOf } from './diff.js';
import { withDirectives } from './directives.js';
import { rootFor } from './root.js';
import { colorOn, type Surroundings } from './surroundings.js';
import { writeBack } from './write.js';

export interface FixOptions {
  paths: string[];
  rule?: string;
  preset: Preset;
  config?: string;
  baseline?: string;
  inlineConfig: boolean;
  dryRun: boolean;
  interactive: boolean;
  debug: boolean;
}

/** `idempotent-consumers fix`: applies suggestions, shows what they change, and says what is left. True if nothing is. */
export async function fix(options: FixOptions, around: Surroundings): Promise<boolean> {
  const settings = await loadSettings(around.cwd, options.config);
  const { root, paths } = rootFor(around.cwd, options.paths);
  const questions = options.interactive ? asker(around) : undefined;
  const applied = await applySuggestions({
    root,
    ...(paths.length > 0 && { paths }),
    preset: options.preset,
    ...settings,
    debug: options.debug,
    ...(options.rule !== undefined && { rule: options.rule }),
    counted: (handlers, files) => counted({ root, handlers }, files, options, around.cwd).handlers,
    ...(questions && { choose: chooser(questions.ask, around) }),
  }).finally(() => questions?.close());
  for (const changed of applied.files) {
    // What was asked about has been shown.
    if (!questions) around.stdout.write(`${diffOf(changed, colorOn(around))}\n\n`);
    if (!options.dryRun) writeBack(root, changed.file, changed.after, 'fix');
  }
  around.stdout.write(`${summary(applied, options)}\n`);
  return applied.left.length === 0;
}

/** What a comment switches off, or the baseline holds, is accepted as it is: nothing is to be mended there. */
function counted(report: Pick<ProgramReport, 'root' | 'handlers'>, files: Files, { inlineConfig, baseline, paths, preset }: FixOptions, cwd: string): Pick<ProgramReport, 'root' | 'handlers'> {
  const judged = inlineConfig ? withDirectives(report, files) : report;
  return baseline === undefined ? judged : withBaseline(judged, { file: baseline, update: false, cwd, paths: paths.map((p) => resolve(cwd, p)), preset }).report;
}

function chooser(ask: ReturnType<typeof asker>['ask'], around: Surroundings): NonNullable<ApplyOptions['choose']> {
  return async (finding, preview) => {
    around.stdout.write(`${finding.place.file}:${finding.place.line}  ${finding.rule}\n  ${finding.message}\n\n`);
    for (const suggestion of finding.suggestions) {
      around.stdout.write(`${shown(suggestion, preview(suggestion), around)}\n`);
      const answer = await ask('Apply this?');
      around.stdout.write('\n');
      if (answer === 'quit') return 'stop';
      if (answer === 'yes') return suggestion;
    }
    return 'skip';
  };
}

function shown({ title }: Suggestion, changed: readonly ChangedFile[], around: Surroundings): string {
  return [title, ...changed.map((c) => diffOf(c, colorOn(around)))].join('\n');
}

function summary({ edits, files, left }: Applied, { dryRun }: FixOptions): string {
  const done = edits === 0 ? 'No suggestion was applied.' : `${count(edits, 'suggestion')} ${dryRun ? 'would change' : 'changed'} ${count(files.length, 'file')}.${dryRun ? ' Nothing was written.' : ' Read the changes and run your tests before you commit them.'}`;
  if (left.length === 0) return `${done} No finding is left.`;
  return `${done} ${count(left.length, 'finding')} left:\n${left.map(line).join('\n')}`;
}

function line(f: Finding): string {
  const way = f.suggestions.length > 0 ? 'has a suggestion' : `see docs/rules/${f.rule}.md`;
  return `  ${f.place.file}:${f.place.line}  ${f.rule}  (${way})`;
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`;
}
