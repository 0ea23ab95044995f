import { join } from 'node:path';
import type { Edit, Suggestion } from '../model/finding.js';
import type { Place } from '../model/place.js';
import { ts, type FunctionNode, type Node, type SourceFile } from '../syntax/compiler.js';
import type { Sources } from '../syntax/program.js';

/** What an edit must know of the handler that its finding belongs to. */
export interface FixContext {
  sources: Sources;
  /** npm package name of the client. */
  client: string;
  /** The handler's function. */
  handler: Place;
  /** Calls that acknowledge. */
  acks: readonly Place[];
  /** Calls that change something outside the process. */
  effects: readonly Place[];
}

/** One kind of edit: from the place that a rule names to the suggestions for it, none if it cannot be done safely. */
export type Fixer<Request> = (request: Request, context: FixContext) => Suggestion[];

export function sourceOf(place: Place, context: FixContext): SourceFile | undefined {
  return context.sources.parser.parse(join(context.sources.files.root, place.file));
}

/** The nodes that take up exactly this place, outermost first. */
export function nodesAt(place: Place, context: FixContext): Node[] {
  const source = sourceOf(place, context);
  const found: Node[] = [];
  const visit = (n: Node): void => {
    if (n.pos > place.start || n.end < place.end) return;
    if (n.getStart(source) === place.start && n.end === place.end) found.push(n);
    ts.forEachChild(n, visit);
  };
  if (source) ts.forEachChild(source, visit);
  return found;
}

export function nodeAt<N extends Node>(place: Place, context: FixContext, is: (n: Node) => n is N): N | undefined {
  return nodesAt(place, context).find(is);
}

export function holds(node: Node, place: Place, context: FixContext): boolean {
  const source = node.getSourceFile();
  return context.sources.files.relative(source.fileName) === place.file && node.getStart(source) <= place.start && place.end <= node.end;
}

export function isHandler(fn: FunctionNode, context: FixContext): boolean {
  const place = context.sources.parser.place(fn);
  return place.file === context.handler.file && place.start === context.handler.start && place.end === context.handler.end;
}

export function edit(source: SourceFile, start: number, end: number, text: string, context: FixContext): Edit {
  return { file: context.sources.files.relative(source.fileName), start, end, text };
}

/** The text of a file after the edits of one suggestion. */
export function applyEdits(text: string, edits: readonly Pick<Edit, 'start' | 'end' | 'text'>[]): string {
  let out = text;
  for (const e of [...edits].sort((a, b) => b.start - a.start || b.end - a.end)) out = out.slice(0, e.start) + e.text + out.slice(e.end);
  return out;
}

/** A piece of a file with some of its parts replaced. */
export function rewritten(source: SourceFile, start: number, end: number, edits: readonly Edit[]): string {
  return applyEdits(source.text.slice(start, end), edits.map((e) => ({ start: e.start - start, end: e.end - start, text: e.text })));
}
