import { judge } from './judge.js';
import { emptyDraft } from './draft.js';
import { readStatements } from './read-statement.js';
import type { SqlStatement, SqlVerb } from './types.js';

const VERBS: Record<string, SqlVerb> = {
  select: 'select',
  insert: 'insert',
  replace: 'insert',
  merge: 'insert',
  update: 'update',
  delete: 'delete',
  begin: 'begin',
  commit: 'commit',
  rollback: 'rollback',
};

/** For text too deep to be read: its beginning, and if even that cannot be read, its first word. */
export function guessStatement(text: string): SqlStatement {
  try {
    const [first] = readStatements(text.slice(0, 2_000)).drafts;
    if (first) return judge(first);
  } catch {
    // Too deep as well.
  }
  const word = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '';
  return judge(emptyDraft(VERBS[word] ?? 'other'));
}
