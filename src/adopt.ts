import { join } from 'node:path';
import type { ChangedFile } from './apply.js';
import { runEngine, type EngineOptions } from './engine.js';
import { applyEdits } from './fix/context.js';
import type { Remark } from './model/explanation.js';
import type { HandlerReport } from './model/handler.js';
import { Files } from './syntax/files.js';
import type { ParsedFiles } from './syntax/parse.js';

/** Rules about what a repeat does to the database: the inbox answers to all of them. */
const DATABASE_RULES = new Set(['no-delta-write', 'no-unkeyed-insert', 'atomic-inbox', 'no-delivery-id-dedupe']);

export interface Adopted {
  /** Undefined: no handler has this line. */
  handler: HandlerReport | undefined;
  /** Handlers that reach the line, where it is in no handler itself. */
  reachedBy: HandlerReport[];
  files: ChangedFile[];
  notes: string[];
  /** What is in the way: then no file is changed. */
  obstacles: Remark[];
}

/**
 * Moves the handler on a line onto the inbox. Nothing is written: the texts are returned. They are analysed anew, and if a
 * repeat would still do harm to the database, that is in the way.
 */
export function adoptHandler(options: EngineOptions & { adopt: NonNullable<EngineOptions['adopt']> }): Adopted {
  const files = new Files(options.root);
  const parsed: ParsedFiles = new Map();
  const { handlers, problems } = runEngine({ ...options, known: { files, parsed } });
  const found = handlers.filter((h) => h.adoption);
  const inner = Math.max(...found.filter((h) => h.adoption?.own).map((h) => h.place.start));
  const handler = found.find((h) => h.adoption?.own && h.place.start === inner);
  const reachedBy = handler ? [] : found;
  const { edits, notes, obstacles } = handler?.adoption ?? { edits: [], notes: [], obstacles: [] };
  if (!handler || obstacles.length > 0) return { handler, reachedBy, files: [], notes: [], obstacles };
  const changed = [...new Set(edits.map((x) => x.file))].sort().map((file): ChangedFile => {
    const before = files.text(join(options.root, file)) ?? '';
    return { file, before, after: applyEdits(before, edits.filter((x) => x.file === file)) };
  });
  for (const c of changed) files.override(join(options.root, c.file), c.after);
  const known = new Set(problems.map((p) => `${p.file}: ${p.message}`));
  const { adopt: _, ...again } = options;
  void _;
  const after = runEngine({ ...again, known: { files, parsed } });
  const broken = after.problems.find((p) => !known.has(`${p.file}: ${p.message}`));
  if (broken) return { handler, reachedBy, files: [], notes: [], obstacles: [{ place: handler.place, name: handler.name, says: `the changed ${broken.file} could not be read (${broken.message}). Please report it with the handler's code.` }] };
  const left = after.handlers.filter((h) => h.place.file === handler.place.file && h.name === handler.name && h.client === handler.client).flatMap((h) => h.findings).filter((f) => DATABASE_RULES.has(f.rule));
  const same = handlers.filter((h) => h !== handler && h.name === handler.name && h.place.file === handler.place.file).flatMap((h) => h.findings).filter((f) => DATABASE_RULES.has(f.rule)).length;
  const [first] = left;
  if (first && left.length > same) return { handler, reachedBy, files: [], notes: [], obstacles: [{ place: handler.place, name: handler.name, says: `on the inbox it would still break ${first.rule}: ${first.message}` }] };
  return { handler, reachedBy, files: changed, notes, obstacles: [] };
}
