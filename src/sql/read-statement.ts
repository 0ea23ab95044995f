import { Cursor } from './cursor.js';
import { emptyDraft, type Draft } from './draft.js';
import { queriesIn } from './expression.js';
import { readExpression, readParentheses } from './read-expression.js';
import { readNameList, readTable } from './read-name.js';
import { readMerge } from './read-merge.js';
import { readQuery } from './read-query.js';
import { readDelete, readInsert, readUpdate } from './read-write.js';
import { tokenize, type Token } from './tokens.js';
import type { SqlDialect } from './types.js';
import { STARTERS } from './words.js';

export interface Reading {
  drafts: Draft[];
  complete: boolean;
}

/** Reads SQL of any of the known dialects, statement by statement; what it cannot read it skips, and says so. */
export function readStatements(text: string, dialect?: SqlDialect): Reading {
  const { tokens, closed } = tokenize(text, dialect);
  const cursor = new Cursor(tokens, readStatement);
  const drafts: Draft[] = [];
  while (!cursor.done) {
    if (cursor.takeAny(';', 'GO')) continue;
    const start = cursor.position;
    cursor.ctes.clear();
    drafts.push(readStatement(cursor));
    finish(cursor, drafts);
    if (cursor.position === start) cursor.next();
  }
  return { drafts, complete: cursor.complete && closed };
}

/** T-SQL needs no `;` between statements, so a new one may also start right here. */
function finish(cursor: Cursor, drafts: Draft[]): void {
  if (cursor.done || cursor.at(';') || cursor.atAny('GO') || atStart(cursor)) return;
  const token = cursor.peek();
  const last = drafts.at(-1);
  if (token?.kind === 'placeholder' && token.holes.length > 0 && last !== undefined) last.open = true;
  else cursor.complete = false;
  skipTo(cursor, () => cursor.at(';'));
}

function atStart(cursor: Cursor): boolean {
  return STARTERS.has(cursor.peek()?.upper ?? '') && cursor.peek(-1)?.upper !== ';';
}

function skipTo(cursor: Cursor, isEnd: () => boolean): void {
  while (!cursor.done && !isEnd()) {
    if (cursor.at('(')) cursor.skipParentheses();
    else cursor.next();
  }
}

function readStatement(cursor: Cursor): Draft {
  const token = cursor.peek();
  switch (token?.upper) {
    case 'WITH':
      return readWith(cursor);
    case 'SELECT':
    case 'VALUES':
    case '(':
    case 'TABLE':
      return readQuery(cursor);
    case 'INSERT':
    case 'REPLACE':
    case 'UPSERT':
      return readInsert(cursor);
    case 'UPDATE':
      return readUpdate(cursor);
    case 'DELETE':
      return readDelete(cursor);
    case 'MERGE':
      return readMerge(cursor);
    case 'TRUNCATE':
      return readTruncate(cursor);
    case 'COPY':
      return readCopy(cursor);
    case 'LOAD':
      return readLoad(cursor);
    case 'IF':
      return readIf(cursor);
    case 'EXPLAIN':
      return readExplain(cursor);
    case 'CREATE':
    case 'ALTER':
    case 'DROP':
    case 'RENAME':
    case 'COMMENT':
    case 'GRANT':
    case 'REVOKE':
    case 'REINDEX':
    case 'REFRESH':
      return readDefinition(cursor);
    default:
      return readWordsOnly(cursor, token);
  }
}

/** `WITH a AS (…), b AS (…) main` */
function readWith(cursor: Cursor): Draft {
  cursor.next();
  cursor.take('RECURSIVE');
  const ctes: Draft['ctes'] = [];
  let hidden = false;
  do {
    const name = readTable(cursor) ?? '';
    const names = cursor.at('(') ? readNameList(cursor) : undefined;
    cursor.expect('AS');
    cursor.take('NOT');
    cursor.take('MATERIALIZED');
    const inner = readParentheses(cursor);
    if (inner.type !== 'query') {
      if (inner.type === 'placeholder' && inner.hole) hidden = true;
      else cursor.complete = false;
      continue;
    }
    const draft = inner.query;
    names?.forEach((alias, index) => {
      const item = draft.items[index];
      if (item !== undefined) item.alias = alias;
    });
    ctes.push({ name, draft });
    cursor.ctes.set(name, draft);
  } while (cursor.take(','));
  const main = cursor.nest(() => readStatement(cursor));
  main.ctes.unshift(...ctes);
  main.open ||= hidden;
  return main;
}

function readTruncate(cursor: Cursor): Draft {
  const draft = emptyDraft('delete');
  cursor.next();
  cursor.take('TABLE');
  cursor.take('ONLY');
  const table = readTable(cursor);
  if (table !== undefined) draft.table = table;
  skipTo(cursor, () => cursor.at(';'));
  return draft;
}

/** `COPY t (a, b) FROM STDIN` inserts, `COPY … TO` reads. */
function readCopy(cursor: Cursor): Draft {
  cursor.next();
  const draft = emptyDraft('select');
  if (!cursor.at('(')) {
    const table = readTable(cursor);
    if (table !== undefined) draft.table = table;
  }
  const isWrite = (): boolean => cursor.at('FROM');
  skipTo(cursor, () => cursor.at(';') || cursor.at('TO') || isWrite());
  if (isWrite()) {
    draft.verb = 'insert';
    draft.onDuplicate = 'fail';
  }
  skipTo(cursor, () => cursor.at(';'));
  return draft;
}

/** `LOAD DATA INFILE … [REPLACE | IGNORE] INTO TABLE t` */
function readLoad(cursor: Cursor): Draft {
  const draft = emptyDraft('insert');
  draft.onDuplicate = 'fail';
  skipTo(cursor, () => {
    if (cursor.at('IGNORE', 'INTO')) draft.onDuplicate = 'ignore';
    if (cursor.at('REPLACE', 'INTO')) draft.onDuplicate = 'replace';
    return cursor.at(';') || cursor.at('INTO', 'TABLE');
  });
  if (cursor.take('INTO', 'TABLE')) {
    const table = readTable(cursor);
    if (table !== undefined) draft.table = table;
  }
  skipTo(cursor, () => cursor.at(';'));
  return draft;
}

/** `IF NOT EXISTS (SELECT …) INSERT … ELSE UPDATE …` of T-SQL */
function readIf(cursor: Cursor): Draft {
  const draft = emptyDraft('other');
  cursor.next();
  draft.nested.push(...queriesIn(readExpression(cursor)));
  readBranch(cursor, draft);
  if (cursor.at(';', 'ELSE')) cursor.next();
  if (cursor.take('ELSE')) readBranch(cursor, draft);
  return draft;
}

function readBranch(cursor: Cursor, draft: Draft): void {
  if (!atBlock(cursor)) {
    draft.nested.push(cursor.nest(() => readStatement(cursor)));
    return;
  }
  cursor.next();
  while (!cursor.done && !cursor.take('END')) {
    if (cursor.take(';')) continue;
    const start = cursor.position;
    draft.nested.push(cursor.nest(() => readStatement(cursor)));
    if (cursor.position === start) cursor.next();
  }
}

/** BEGIN opens a block if a statement follows it, else a transaction. */
function atBlock(cursor: Cursor): boolean {
  return cursor.at('BEGIN') && STARTERS.has(cursor.peek(1)?.upper ?? '');
}

/** Plain EXPLAIN runs nothing; with ANALYZE the statement is really done. */
function readExplain(cursor: Cursor): Draft {
  const draft = emptyDraft('select');
  cursor.next();
  let runs = false;
  while (!cursor.done && !STARTERS.has(cursor.peek()?.upper ?? '')) {
    if (cursor.next()?.upper === 'ANALYZE') runs = true;
  }
  const inner = cursor.done ? undefined : cursor.nest(() => readStatement(cursor));
  if (runs && inner && inner.verb !== 'select') {
    draft.verb = 'other';
    draft.nested.push(inner);
  }
  return draft;
}

function readDefinition(cursor: Cursor): Draft {
  const draft = emptyDraft('ddl');
  const isTable = cursor.atAny('CREATE', 'ALTER', 'DROP');
  let isRoutine = false;
  skipTo(cursor, () => {
    if (cursor.atAny('FUNCTION', 'PROCEDURE', 'TRIGGER')) isRoutine = true;
    return cursor.atAny(';', 'AS', '(', 'BEGIN') || (isTable && cursor.at('TABLE'));
  });
  if (cursor.take('TABLE')) {
    if (cursor.take('IF')) while (cursor.takeAny('NOT', 'EXISTS'));
    cursor.take('ONLY');
    const table = readTable(cursor);
    if (table !== undefined) draft.table = table;
  }
  // The body of a routine holds semicolons of its own.
  let isBody = false;
  skipTo(cursor, () => {
    if (isRoutine && cursor.at('BEGIN')) isBody = true;
    return !isBody && cursor.at(';');
  });
  return draft;
}

const TRANSACTION_OPENERS = ['BEGIN', 'START'];

/** Statements that are told by their first words alone. */
function readWordsOnly(cursor: Cursor, token: Token | undefined): Draft {
  const draft = emptyDraft('other');
  const word = token?.upper ?? '';
  if (token?.kind !== 'word') cursor.complete = false;
  else if (TRANSACTION_OPENERS.includes(word)) draft.verb = opensTransaction(cursor) ? 'begin' : 'other';
  else if (word === 'COMMIT') draft.verb = 'commit';
  else if (word === 'END')
    draft.verb = cursor.atAny('END') && /^(?:TRY|CATCH)$/.test(cursor.peek(1)?.upper ?? '') ? 'other' : 'commit';
  else if (word === 'ROLLBACK' || word === 'ABORT')
    draft.verb = rollsBackToSavepoint(cursor) ? 'savepoint' : 'rollback';
  else if (word === 'SAVEPOINT' || word === 'RELEASE' || word === 'SAVE') draft.verb = 'savepoint';
  else if (word === 'CALL' || word === 'EXEC' || word === 'EXECUTE' || word === 'DO') draft.verb = 'call';
  else if (word === 'SET') draft.verb = setsAutocommit(cursor);
  else if (word === 'LOCK') draft.locking = true;
  else if (!OTHER_WORDS.has(word)) cursor.complete = false;
  cursor.next();
  if (draft.verb === 'other' && (word === 'BEGIN' || word === 'ELSE')) return draft;
  // `EXEC` and `BEGIN TRAN` of T-SQL may be followed by a statement without `;`; the others never are.
  const loose =
    ['begin', 'commit', 'rollback', 'savepoint'].includes(draft.verb) ||
    word === 'DECLARE' ||
    word === 'SET' ||
    word === 'PRINT';
  skipTo(
    cursor,
    () => cursor.atAny(';', ')') || (loose && STARTERS.has(cursor.peek()?.upper ?? '') && !cursor.at('WITH')),
  );
  return draft;
}

const OTHER_WORDS = new Set(
  `SET DECLARE PRINT LISTEN UNLISTEN NOTIFY PRAGMA USE SHOW DESCRIBE DESC ANALYZE VACUUM DISCARD FETCH CLOSE OPEN
  DEALLOCATE PREPARE RESET OPTIMIZE FLUSH KILL ATTACH DETACH CHECKPOINT CLUSTER UNLOCK LOCK HANDLER RAISERROR THROW
  RETURN WAITFOR ELSE WHILE SIGNAL XA REASSIGN SECURITY IMPORT SYSTEM EXCHANGE`.split(/\s+/),
);

function opensTransaction(cursor: Cursor): boolean {
  const follows = cursor.peek(1)?.upper ?? '';
  if (cursor.at('START')) return follows === 'TRANSACTION';
  return !STARTERS.has(follows) && follows !== 'TRY' && follows !== 'CATCH';
}

function rollsBackToSavepoint(cursor: Cursor): boolean {
  let ahead = 1;
  while (['WORK', 'TRANSACTION', 'TRAN'].includes(cursor.peek(ahead)?.upper ?? '')) ahead += 1;
  return cursor.peek(ahead)?.upper === 'TO';
}

/** `SET autocommit = 0` opens a transaction that lasts until it is switched on again. */
function setsAutocommit(cursor: Cursor): 'begin' | 'commit' | 'other' {
  let ahead = 1;
  if (['SESSION', 'LOCAL'].includes(cursor.peek(ahead)?.upper ?? '')) ahead += 1;
  const name = cursor.peek(ahead)?.upper.replace(/^@@(?:SESSION\.)?/, '');
  if (name !== 'AUTOCOMMIT') return 'other';
  const value = cursor.peek(ahead + 2)?.text.toUpperCase() ?? '';
  return ['0', 'OFF', 'FALSE'].includes(value) ? 'begin' : 'commit';
}
