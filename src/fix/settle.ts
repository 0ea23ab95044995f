import type { Edit } from '../model/finding.js';
import { ts, type Compiler, type Node, type SourceFile } from '../syntax/compiler.js';
import { exitsOf, hasCall, isRefusal, outcomeOf, some, type Exit } from './code.js';
import { edit, holds, type FixContext } from './context.js';
import { endOf, indentAt, lineStart, newline, pieceOf, reindent, removal } from './text.js';

/** A statement on its way to another place. */
export interface Moving {
  source: SourceFile;
  /** With the comments that belong to it. */
  text: string;
  indent: string;
  /** The statement alone. */
  bare: string;
  ownLines: boolean;
}

export function moving(statement: Compiler.Statement): Moving {
  const source = statement.getSourceFile();
  const piece = pieceOf(source, statement);
  const bare = statement.getText(source);
  return { source, text: source.text.slice(piece.start, piece.end), indent: indentAt(source.text, piece.start), bare: bare.endsWith(';') ? bare : `${bare};`, ownLines: piece.ownLines };
}

export function removed(statement: Compiler.Statement, context: FixContext): Edit {
  const source = statement.getSourceFile();
  const { start, end } = removal(source, pieceOf(source, statement));
  return edit(source, start, end, '', context);
}

export function insertedBehind(target: Node, what: Moving, context: FixContext): Edit {
  const { source } = what;
  const at = endOf(source, target);
  const indent = indentAt(source.text, target.getStart(source));
  // Code that shares its line stays on that line.
  const alone = source.text.slice(lineStart(source.text, target.getStart(source)), target.getStart(source)).trim() === '';
  if (!alone) return edit(source, at, at, ` ${what.bare}`, context);
  const text = what.ownLines ? reindent(source, 0, 0, what.indent, indent, what.text) : what.bare;
  return edit(source, at, at, `${newline(source)}${indent}${text}`, context);
}

export function insertedBefore(target: Node, what: Moving, context: FixContext): Edit {
  const { source } = what;
  const { start } = pieceOf(source, target);
  const indent = indentAt(source.text, start);
  const text = what.ownLines ? reindent(source, 0, 0, what.indent, indent, what.text) : what.bare;
  return edit(source, start, start, `${text}${newline(source)}${indent}`, context);
}

/**
 * The statement of a list behind which everything is done: the last one that does something. A `try` that drops
 * errors is entered: behind it nobody would know whether the work was done.
 */
export function lastWork(statements: readonly Compiler.Statement[]): Compiler.Statement | undefined {
  const last = statements.findLast((s) => hasCall(s));
  if (!last || ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isBreakOrContinueStatement(last)) return undefined;
  if (ts.isTryStatement(last) && last.catchClause && outcomeOf(last.catchClause.block) !== 'throws') {
    if (last.finallyBlock && hasWork(last.finallyBlock)) return undefined;
    const inner = last.tryBlock.statements;
    return lastWork(inner);
  }
  return last;
}

function hasWork(b: Compiler.Block): boolean {
  return b.statements.some((s) => hasCall(s) && !/\.(release|end|close|disconnect|unref)\(/.test(s.getText()));
}

/**
 * Acknowledges before each statement that leaves `statements` early. Undefined where that is not plain: the way out
 * does work in its own expression, or it has been settled in its own way.
 */
export function beforeExits(statements: readonly Compiler.Statement[], what: Moving, except: (exit: Exit) => boolean, context: FixContext): Edit[] | undefined {
  const exits = exitsOf(statements);
  if (!exits) return undefined;
  const { source } = what;
  const edits: Edit[] = [];
  for (const exit of exits) {
    if (except(exit)) continue;
    if (ts.isReturnStatement(exit) && exit.expression && hasCall(exit.expression)) return undefined;
    const start = exit.getStart(source);
    const siblings = ts.isBlock(exit.parent) || ts.isCaseOrDefaultClause(exit.parent) ? exit.parent.statements : undefined;
    if (siblings) {
      if (siblings.some((s) => settles(s, context))) continue;
      const alone = source.text.slice(lineStart(source.text, start), start).trim() === '';
      edits.push(edit(source, start, start, alone ? `${what.bare}${newline(source)}${indentAt(source.text, start)}` : `${what.bare} `, context));
    } else {
      edits.push(edit(source, start, exit.end, `{ ${what.bare} ${withSemicolon(exit.getText(source))} }`, context));
    }
  }
  return edits;
}

function withSemicolon(text: string): string {
  return text.endsWith(';') ? text : `${text};`;
}

function settles(s: Node, context: FixContext): boolean {
  return context.acks.some((a) => holds(s, a, context)) || some(s, isRefusal);
}

