import { ts, type Node, type SourceFile } from '../syntax/compiler.js';

export function newline(source: SourceFile): string {
  return source.text.includes('\r\n') ? '\r\n' : '\n';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The end of the line, its line break excluded. */
export function lineEnd(text: string, at: number): number {
  let end = text.indexOf('\n', at);
  if (end < 0) end = text.length;
  return text[end - 1] === '\r' && end > at ? end - 1 : end;
}

export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';
}

/** One level of indentation, as the file writes it. */
export function indentUnit(source: SourceFile): string {
  const found = /\n([ \t]+)\S/.exec(source.text)?.[1];
  return found?.startsWith('\t') ? '\t' : (found?.length ?? 2) >= 4 ? '    ' : '  ';
}

/** A statement with the comments that belong to it: those right above it and the one behind it. */
export interface Piece {
  start: number;
  end: number;
  /** It shares no line with other code. */
  ownLines: boolean;
}

export function pieceOf(source: SourceFile, statement: Node): Piece {
  const { text } = source;
  let start = statement.getStart(source);
  for (const c of (ts.getLeadingCommentRanges(text, statement.pos) ?? []).reverse()) {
    const between = text.slice(c.end, start);
    const alone = text.slice(lineStart(text, c.pos), c.pos).trim() === '';
    if (!alone || between.trim() !== '' || (between.match(/\n/g) ?? []).length > 1) break;
    start = c.pos;
  }
  const end = endOf(source, statement);
  const ownLines = text.slice(lineStart(text, start), start).trim() === '' && text.slice(end, lineEnd(text, end)).trim() === '';
  return { start, end, ownLines };
}

/** The end of a statement, comments on its last line included. */
export function endOf(source: SourceFile, statement: Node): number {
  const { text } = source;
  let { end } = statement;
  for (const c of ts.getTrailingCommentRanges(text, statement.end) ?? []) if (c.end <= lineEnd(text, statement.end)) ({ end } = c);
  return end;
}

/** The range that goes away with a piece, so that no empty line and no double space stays behind. */
export function removal(source: SourceFile, piece: Piece): { start: number; end: number } {
  const { text } = source;
  if (!piece.ownLines) {
    let { start, end } = piece;
    if (/[ \t]/.test(text[end] ?? '')) while (/[ \t]/.test(text[end] ?? '')) end++;
    else while (/[ \t]/.test(text[start - 1] ?? '')) start--;
    return { start, end };
  }
  const start = lineStart(text, piece.start);
  let end = Math.min(text.length, lineEnd(text, piece.end));
  end = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end) + 1;
  // An empty line stays between two statements, but neither behind a brace nor next to another one.
  const before = text.slice(0, start).split('\n').at(-2)?.trim() ?? '';
  if (before === '' || before.endsWith('{')) while (/^[ \t]*\r?\n/.test(text.slice(end))) end = text.indexOf('\n', end) + 1;
  return { start, end };
}

/** Shifts all lines but the first by the difference of two indentations; the text inside of templates stays. */
export function reindent(source: SourceFile, start: number, end: number, from: string, to: string, text = source.text.slice(start, end)): string {
  if (from === to || holdsLongTemplate(source, start, end)) return text;
  return text
    .split('\n')
    .map((line, i) => (i === 0 || line.trim() === '' ? line : line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n');
}

/** A template literal over several lines: moving its lines would change what it says. */
function holdsLongTemplate(source: SourceFile, start: number, end: number): boolean {
  let found = false;
  const visit = (n: Node): void => {
    if (found || n.end < start || n.pos > end) return;
    if ((ts.isTemplateExpression(n) || ts.isNoSubstitutionTemplateLiteral(n)) && n.getStart(source) >= start && n.getText(source).includes('\n')) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(source);
  return found;
}

export function hasComment(text: string): boolean {
  return /\/[/*]/.test(text);
}
