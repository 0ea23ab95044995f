import { extname } from 'node:path';
import { loadCompiler, ts, type Compiler, type Node } from './compiler.js';

export interface Comment {
  kind: 'line' | 'block';
  /** What stands between the delimiters. */
  text: string;
  start: number;
  end: number;
}

/** The comments of a text, in order. The text is parsed for it: only the grammar can tell `//` in a string from a comment. */
export function commentsIn(file: string, text: string): Comment[] {
  loadCompiler();
  const jsx = extname(file) === '.tsx' || /\.[cm]?jsx?$/.test(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, jsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found = new Map<number, Comment>();
  const add = (ranges: readonly Compiler.CommentRange[] | undefined): void => {
    for (const { pos, end, kind } of ranges ?? []) {
      const line = kind === ts.SyntaxKind.SingleLineCommentTrivia;
      found.set(pos, { kind: line ? 'line' : 'block', text: text.slice(pos + 2, line ? end : end - 2), start: pos, end });
    }
  };
  const visit = (node: Node): void => {
    const children = node.getChildren(source);
    // Text between JSX tags has no comments.
    if (children.length === 0 && node.kind !== ts.SyntaxKind.JsxText) {
      add(ts.getLeadingCommentRanges(text, node.pos));
      if (!ts.isJsxClosingElement(node.parent) && !ts.isJsxOpeningLikeElement(node.parent)) add(ts.getTrailingCommentRanges(text, node.end));
    }
    for (const child of children) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.start - b.start);
}
