import { join } from 'node:path';
import { runEngine, type EngineOptions } from './engine.js';
import { applyEdits } from './fix/context.js';
import type { Finding, Suggestion } from './model/finding.js';
import type { HandlerReport } from './model/handler.js';
import { Files } from './syntax/files.js';
import type { ParsedFiles } from './syntax/parse.js';

/** What to do about one finding: one of its suggestions, nothing, or nothing more at all. */
export type Choice = Suggestion | 'skip' | 'stop';

export interface ApplyOptions extends EngineOptions {
  /** Only suggestions of this rule. */
  rule?: string;
  /** Leaves out the findings that do not count; `files` has the texts as they are by then. */
  counted?: (handlers: HandlerReport[], files: Files) => HandlerReport[];
  /** Asked once for each finding that has suggestions; the first suggestion is taken if left out. */
  choose?: (finding: Finding, preview: (suggestion: Suggestion) => ChangedFile[]) => Choice | Promise<Choice>;
}

/** Texts of one file; the path is relative to the root. */
export interface ChangedFile {
  file: string;
  before: string;
  after: string;
}

export interface Applied {
  files: ChangedFile[];
  /** How many suggestions were applied. */
  edits: number;
  /** The findings that are left, one for each cause. */
  left: Finding[];
}

/** More passes than suggestions that one leads to another: whatever goes on after that goes in circles. */
const MAX_PASSES = 1000;

/**
 * Applies suggestions one after another, each to the program as the ones before left it. Nothing is written: the texts are
 * returned. An edit after which its finding is still there is taken back.
 */
export async function applySuggestions(options: ApplyOptions): Promise<Applied> {
  const files = new Files(options.root);
  const parsed: ParsedFiles = new Map();
  const analyse = (): Finding[] => {
    const { handlers } = runEngine({ ...options, known: { files, parsed } });
    return causes((options.counted?.(handlers, files) ?? handlers).flatMap((h) => h.findings));
  };
  const originals = new Map<string, string>();
  const declined = new Set<string>();
  let left = analyse();
  let edits = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const finding = left.find((f) => f.suggestions.length > 0 && !declined.has(f.id) && (options.rule === undefined || f.rule === options.rule));
    if (!finding) break;
    const preview = (suggestion: Suggestion): ChangedFile[] => changesOf(suggestion, files);
    const choice = (await options.choose?.(finding, preview)) ?? finding.suggestions[0] ?? 'skip';
    if (choice === 'stop') break;
    if (choice === 'skip') {
      declined.add(finding.id);
      continue;
    }
    const changed = preview(choice);
    set(files, changed, 'after');
    const now = analyse();
    if (now.some((f) => f.id === finding.id) || now.length > left.length) {
      set(files, changed, 'before');
      declined.add(finding.id);
      continue;
    }
    for (const c of changed) if (!originals.has(c.file)) originals.set(c.file, c.before);
    left = now;
    edits += 1;
  }
  return { files: [...originals].map(([file, before]) => ({ file, before, after: files.text(join(options.root, file)) ?? '' })), edits, left };
}

function causes(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((f) => [f.id, f])).values()];
}

function changesOf({ edits }: Suggestion, files: Files): ChangedFile[] {
  return [...new Set(edits.map((e) => e.file))].map((file) => {
    const before = files.text(join(files.root, file)) ?? '';
    return { file, before, after: applyEdits(before, edits.filter((e) => e.file === file)) };
  });
}

function set(files: Files, changed: readonly ChangedFile[], which: 'before' | 'after'): void {
  for (const c of changed) files.override(join(files.root, c.file), c[which]);
}
