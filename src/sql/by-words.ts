import { emptyDraft } from './draft.js';
import { judge } from './judge.js';
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

/** For text too deep to be read: what its beginning says, and if even that is too deep, its first word. */
export function guessStatement(text: string): SqlStatement {
  for (const length of [2_000, 120]) {
    try {
      const [first] = readStatements(text.slice(0, length)).drafts;
      if (first) return judge(first);
    } catch {
      // Too deep as well.
    }
  }
  const word = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '';
  return judge(emptyDraft(VERBS[word] ?? 'other'));
}
