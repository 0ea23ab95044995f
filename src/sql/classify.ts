import { guessStatement } from './by-words.js';
import { judge } from './judge.js';
import { readStatements } from './read-statement.js';
import type { SqlDialect, SqlResult } from './types.js';

export { joinSql } from './join.js';
export { readTableKeys } from './table-keys.js';
export type * from './types.js';

/** A dump of megabytes is no statement of a handler. */
const MAX_LENGTH = 256_000;
const MAX_CACHED = 2_000;

const cache = new Map<string, SqlResult>();

/**
 * What each statement in `text` does to the stored state. Holes of a template come through `joinSql`.
 * One reader for all dialects: `dialect` only settles what the text leaves open (double quotes, `&&`, `#` comments).
 * The result is shared by all callers with the same text: never change it. Never throws.
 */
export function classifySql(text: string, dialect?: SqlDialect): SqlResult {
  const key = `${dialect ?? ''}\n${text}`;
  const known = cache.get(key);
  if (known) return known;
  const result = classify(text, dialect);
  const [oldest] = cache.size >= MAX_CACHED ? cache.keys() : [];
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(key, result);
  return result;
}

function classify(text: string, dialect: SqlDialect | undefined): SqlResult {
  const whole = text.length <= MAX_LENGTH;
  try {
    const { drafts, complete } = readStatements(whole ? text : text.slice(0, MAX_LENGTH), dialect);
    return { statements: drafts.map(judge), parsed: complete && whole && drafts.length > 0 };
  } catch {
    // A chain of thousands of operators overflows the stack.
    return { statements: [guessStatement(text)], parsed: false };
  }
}
