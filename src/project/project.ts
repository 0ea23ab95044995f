import { dirname, resolve } from 'node:path';
import { defaultCatalog } from '../catalog/index.js';
import type { Library } from '../catalog/schema.js';
import { runEngine, type EngineResult } from '../engine.js';
import { Gate } from '../gate.js';
import type { Finding } from '../model/finding.js';
import type { Place } from '../model/place.js';
import { Files, isFileOnDisk, isSource } from '../syntax/files.js';
import type { ParsedFiles } from '../syntax/parse.js';

/** What the settings say about the user's own libraries. */
export interface ProjectSettings {
  libraries?: readonly Library[];
  names?: readonly string[];
}

/** A finding as it is shown in one file. */
export interface FileFinding {
  finding: Finding;
  /** Where it is shown in this file. */
  place: Place;
  /** Where it is, if that is another file. */
  elsewhere?: Place;
}

/** A pause of this length between two files means that somebody is typing, not that a run is under way. */
const PAUSE_MS = 1000;
/** Looking for changes may take this part of the time. */
const CHECK_SHARE = 1 / 100;

/**
 * One program, kept while the process lives: analysed once, when the first of its files is linted, and again when a file
 * that matters has changed on disk or in the editor.
 */
export class Project {
  private readonly files: Files;
  private readonly parsed: ParsedFiles = new Map();
  private readonly gate: Gate;
  private listed: ReadonlySet<string> = new Set();
  private result: EngineResult | undefined;
  private shown = new Map<string, FileFinding[]>();
  private edited: { file: string; text: string; findings: FileFinding[] } | undefined;
  private checkedAt = 0;
  private checkMs = 0;
  private usedAt = 0;

  constructor(
    readonly root: string,
    private readonly settings: ProjectSettings,
  ) {
    this.files = new Files(root);
    this.gate = new Gate(defaultCatalog(settings.libraries), settings.names);
  }

  lists(file: string): boolean {
    return this.listed.has(file);
  }

  /** What is shown in a file that holds this text. */
  findingsIn(file: string, text: string): readonly FileFinding[] {
    this.follow(file, text);
    const found = this.judge(file, text);
    this.usedAt = performance.now();
    return found;
  }

  private judge(file: string, text: string): readonly FileFinding[] {
    if (!this.listed.has(file)) return isSource(file) && this.gate.passes(text) ? this.alone(file, text) : [];
    if (this.files.text(file) === text || !this.matters(file, text)) return this.shownIn(file, this.analysed());
    if (this.edited?.file !== file || this.edited.text !== text) {
      this.files.override(file, text);
      try {
        this.edited = { file, text, findings: shownIn(this.files.relative(file), this.run()) };
      } finally {
        this.files.override(file, undefined);
      }
    }
    return this.edited.findings;
  }

  /** Reads again what has changed on disk: after a pause, or if this file is not what it was. */
  private follow(file: string, text: string): void {
    const now = performance.now();
    if (this.checkedAt === 0) {
      this.check(now);
      return;
    }
    const paused = now - this.usedAt > PAUSE_MS && now - this.checkedAt > this.checkMs / CHECK_SHARE;
    const saved = this.listed.has(file) ? this.files.text(file) !== text && this.files.isStale(file) : now - this.checkedAt > PAUSE_MS && isFileOnDisk(file);
    if (paused || saved) this.check(now);
  }

  private check(now: number): void {
    if (this.files.refresh() || this.checkedAt === 0) {
      this.listed = new Set(this.files.list());
      this.result = undefined;
      this.edited = undefined;
    }
    this.checkedAt = performance.now();
    this.checkMs = this.checkedAt - now;
  }

  private analysed(): EngineResult {
    if (!this.result) {
      this.result = this.run();
      this.shown = new Map();
    }
    return this.result;
  }

  private run(paths?: readonly string[]): EngineResult {
    return runEngine({ root: this.root, preset: 'strict', ...this.settings, ...(paths && { paths }), known: { files: this.files, parsed: this.parsed } });
  }

  /** A change of this file can change what is found, here or elsewhere. */
  private matters(file: string, text: string): boolean {
    const { reached, asked } = this.analysed();
    return reached.has(file) || this.gate.passes(text) || [...asked].some((word) => text.includes(word));
  }

  /** A file that the project does not list, since it is ignored. */
  private alone(file: string, text: string): FileFinding[] {
    this.files.override(file, text);
    try {
      return shownIn(this.files.relative(file), this.run([file]));
    } finally {
      this.files.override(file, undefined);
    }
  }

  private shownIn(file: string, result: EngineResult): readonly FileFinding[] {
    if (result.handlers.length === 0) return NONE;
    let found = this.shown.get(file);
    if (!found) this.shown.set(file, (found = shownIn(this.files.relative(file), result)));
    return found;
  }
}

const NONE: readonly FileFinding[] = [];

/** What is shown in a text that is no file of any project: it is a program of its own. */
export function findingsInText(file: string, text: string, settings: ProjectSettings): readonly FileFinding[] {
  if (!isSource(file)) return NONE;
  const files = new Files(dirname(file));
  files.override(resolve(file), text);
  return shownIn(files.relative(file), runEngine({ root: files.root, paths: [file], alone: true, preset: 'strict', ...settings, known: { files, parsed: new Map() } }));
}

/**
 * The findings whose place is in the file; and those of the file's handlers whose place is elsewhere, once each, at the
 * call that leads there.
 */
function shownIn(file: string, result: EngineResult): FileFinding[] {
  const found = new Map<string, FileFinding>();
  for (const handler of result.handlers) {
    for (const finding of handler.findings) {
      const at = `${finding.rule}:${finding.place.file}:${finding.place.start}`;
      if (finding.place.file === file) found.set(at, { finding, place: finding.place });
      else if (handler.place.file === file) {
        // Many handlers may share the helper at fault: the file's first call of it speaks for the others.
        const place = finding.via?.file === file ? finding.via : handler.place;
        const before = found.get(at);
        if (!before || place.start < before.place.start) found.set(at, { finding, place, elsewhere: finding.place });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.place.start - b.place.start);
}
