import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { Preset } from '../model/finding.js';
import type { ProgramReport } from '../model/handler.js';
import { count } from '../report/printable.js';
import { causesOf } from '../report/shared.js';
import { UserError } from '../syntax/files.js';
import { suppress } from './suppress.js';
import { write } from './write.js';

/** Findings that were there when the file was made: they do not count, and may only become fewer. */
interface Baseline {
  version: 1;
  /** The run that it belongs to: ids depend on the folder, and what is gone shows only in the same run. */
  root: string;
  paths: string[];
  preset: Preset;
  findings: Entry[];
}

interface Entry {
  id: string;
  /** For whoever reads the file; the id alone decides. */
  rule: string;
  file: string;
  handler: string;
}

export interface BaselineOptions {
  file: string;
  update: boolean;
  cwd: string;
  paths: readonly string[];
  preset: Preset;
}

type Judged = Pick<ProgramReport, 'root' | 'handlers'>;

/** The report without what the baseline holds, and what there is to say about the baseline. */
export function withBaseline<R extends Judged>(report: R, options: BaselineOptions): { report: R; notes: string[] } {
  const { file, update, cwd } = options;
  const path = resolve(cwd, file);
  const run = { root: slashes(relative(dirname(path), report.root)) || '.', paths: options.paths.map((p) => slashes(relative(report.root, p)) || '.').sort(), preset: options.preset };
  if (!existsSync(path)) {
    if (!update) throw new UserError(`--baseline ${file}: no such file. Run with --update-baseline to make it from what is found now.`);
    const findings = entriesOf(report);
    write(cwd, file, print({ version: 1, ...run, findings }));
    return { report: without(report, findings, file), notes: [`${file} was made, with ${count(findings.length, 'finding')}.`] };
  }
  const baseline = read(path, file);
  if (baseline.root !== run.root) throw new UserError(`--baseline ${file} was made for the folder ${resolve(dirname(path), baseline.root)}, and this run is for ${report.root}. Run in the same folder, or make another baseline.`);
  const found = new Set(causesOf(report.handlers).map((c) => c.finding.id));
  const gone = baseline.findings.filter((e) => !found.has(e.id));
  const same = baseline.preset === run.preset && baseline.paths.join('\0') === run.paths.join('\0');
  if (update && !same) throw new UserError(`--baseline ${file} was made with the preset ${baseline.preset} for ${baseline.paths.join(', ') || 'the whole folder'}. Run in the same way to update it.`);
  const notes: string[] = [];
  if (update && gone.length > 0) {
    const left = baseline.findings.filter((e) => found.has(e.id));
    write(cwd, file, print({ ...baseline, findings: left }));
    notes.push(`${count(gone.length, 'finding')} taken out of ${file}, ${left.length} left.`);
  } else if (same && gone.length > 0) {
    notes.push(`${gone.length === 1 ? '1 finding of' : `${gone.length} findings of`} ${file} ${gone.length === 1 ? 'is' : 'are'} gone: ${listed(gone)}. Run with --update-baseline to take ${gone.length === 1 ? 'it' : 'them'} out.`);
  }
  return { report: without(report, baseline.findings, file), notes };
}

function without<R extends Judged>(report: R, entries: readonly Entry[], file: string): R {
  const ids = new Set(entries.map((e) => e.id));
  return suppress(report, (f) => (ids.has(f.id) ? { by: 'baseline', reason: file } : undefined));
}

function entriesOf(report: Judged): Entry[] {
  return causesOf(report.handlers)
    .map(({ finding, handlers }) => ({ id: finding.id, rule: finding.rule, file: finding.place.file, handler: handlers[0]?.name ?? '' }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.rule.localeCompare(b.rule) || a.id.localeCompare(b.id));
}

/** One finding a line, in a fixed order: two branches that each take one out merge without a conflict. */
function print({ findings, ...run }: Baseline): string {
  const head = Object.entries(run).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`).join('');
  return `{\n${head}  "findings": [${findings.map((e) => `\n    ${JSON.stringify(e)}`).join(',')}${findings.length > 0 ? '\n  ' : ''}]\n}\n`;
}

function read(path: string, file: string): Baseline {
  let value: Partial<Baseline> | undefined;
  try {
    value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Baseline>;
  } catch (error) {
    throw new UserError(`--baseline ${file} could not be read: ${(error as Error).message.split('\n')[0] ?? ''} Restore it, or delete it and run with --update-baseline to make it anew.`);
  }
  const fits = value?.version === 1 && typeof value.root === 'string' && Array.isArray(value.paths) && Array.isArray(value.findings) && value.findings.every((e) => typeof (e as Entry | null)?.id === 'string');
  if (!fits) throw new UserError(`--baseline ${file} is no baseline of this version. Restore it, or delete it and run with --update-baseline to make it anew.`);
  return value as Baseline;
}

function listed(entries: readonly Entry[]): string {
  const shown = entries.slice(0, 5).map((e) => `${e.rule} in ${e.file}`);
  return `${shown.join(', ')}${entries.length > shown.length ? ` and ${entries.length - shown.length} more` : ''}`;
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}
