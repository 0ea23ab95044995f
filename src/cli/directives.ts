import { resolve } from 'node:path';
import type { Finding, Suppression } from '../model/finding.js';
import type { ProgramReport } from '../model/handler.js';
import { commentsIn } from '../syntax/comments.js';
import type { Files } from '../syntax/files.js';
import { suppress } from './suppress.js';
import { name } from './tool.js';

/** What an `eslint-disable` comment or one of its relatives says. */
interface Directive {
  kind: 'disable' | 'enable' | 'disable-line' | 'disable-next-line';
  /** Ids of rules; none means all. */
  rules: readonly string[];
  reason?: string;
  start: number;
  line: number;
  endLine: number;
}

const DIRECTIVE = /^\s*eslint-(disable-next-line|disable-line|disable|enable)(?=\s|$)([\s\S]*)$/;

/** Takes out what comments in the code switch off for ESLint, in the way in which ESLint does. */
export function withDirectives<R extends Pick<ProgramReport, 'root' | 'handlers'>>(report: R, files: Files): R {
  const known = new Map<string, Directive[]>();
  const directivesOf = (file: string): Directive[] => {
    let found = known.get(file);
    if (!found) known.set(file, (found = directivesIn(file, files.text(resolve(report.root, file)) ?? '')));
    return found;
  };
  // In ESLint a finding shows in the file of its handler too, at the call that leads to it, and can be switched off there.
  return suppress(report, (f) => [f.place, ...(f.via ? [f.via] : [])].map((place) => disabledAt(f, place, directivesOf(place.file))).find((s) => s !== undefined));
}

function disabledAt(finding: Finding, { start, line }: Finding['place'], directives: readonly Directive[]): Suppression | undefined {
  const concerning = directives.filter((d) => d.rules.length === 0 || d.rules.includes(`${name}/${finding.rule}`));
  const last = concerning.findLast((d) => (d.kind === 'disable' || d.kind === 'enable') && d.start <= start);
  const found = concerning.find((d) => (d.kind === 'disable-line' && d.line === line) || (d.kind === 'disable-next-line' && d.endLine + 1 === line)) ?? (last?.kind === 'disable' ? last : undefined);
  return found && { by: 'comment', ...(found.reason !== undefined && { reason: found.reason }) };
}

export function directivesIn(file: string, text: string): Directive[] {
  // The text is parsed only where there is something to find.
  if (!/eslint-(?:dis|en)able/.test(text)) return [];
  return commentsIn(file, text).flatMap((comment): Directive[] => {
    const [, kind, rest = ''] = DIRECTIVE.exec(comment.text) ?? [];
    if (kind === undefined) return [];
    const line = lineAt(text, comment.start);
    const endLine = lineAt(text, comment.end);
    // ESLint takes the long forms from block comments alone, and `disable-line` on one line alone.
    if (comment.kind === 'line' && (kind === 'disable' || kind === 'enable')) return [];
    if (kind === 'disable-line' && line !== endLine) return [];
    const [list = '', ...reasons] = rest.split(/\s-{2,}\s/);
    const rules = list.split(',').map((r) => r.trim().replace(/^(['"])(.*)\1$/, '$2')).filter((r) => r !== '');
    const reason = reasons.join(' -- ').trim().replace(/\s+/g, ' ');
    return [{ kind: kind as Directive['kind'], rules, ...(reason !== '' && { reason }), start: comment.start, line, endLine }];
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/).length;
}
