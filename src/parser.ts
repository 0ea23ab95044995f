import type { AST, Linter } from 'eslint';
import { commentsIn } from './syntax/comments.js';
import { version } from './version.js';

/**
 * A parser for ESLint that leaves the text alone: our rules read it by themselves, so that TypeScript can be linted where
 * no other parser can be installed, with TypeScript 7 above all. To other rules each file looks empty. Comments are given,
 * so that `eslint-disable` works.
 */
const parser = {
  meta: { name: 'eslint-plugin-idempotent-consumers/parser', version },
  parseForESLint(text: string, options?: { filePath?: string }): { ast: AST.Program; visitorKeys: { Program: string[] } } {
    const lines = lineStarts(text);
    const ast: AST.Program = {
      type: 'Program',
      body: [],
      sourceType: 'module',
      tokens: [],
      // Without a directive, nobody asks for comments, and the text need not be parsed.
      comments: /\beslint\b/.test(text)
        ? commentsIn(options?.filePath ?? 'input.ts', text).map((c) => ({
            type: c.kind === 'line' ? ('Line' as const) : ('Block' as const),
            value: c.text,
            range: [c.start, c.end] as [number, number],
            loc: { start: position(lines, c.start), end: position(lines, c.end) },
          }))
        : [],
      range: [0, text.length],
      loc: { start: { line: 1, column: 0 }, end: position(lines, text.length) },
    };
    return { ast, visitorKeys: { Program: [] } };
  },
} satisfies Linter.Parser;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\r\n\u2028\u2029]/g)) starts.push(match.index + match[0].length);
  return starts;
}

function position(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) };
}

export default parser;
export { parser as 'module.exports' };
