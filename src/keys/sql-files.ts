import { readTableKeys } from '../sql/classify.js';
import { tableKeys, type TableKeys } from './table.js';

/** A text of SQL, and where it stands. */
export interface SqlText {
  file: string;
  text: string;
}

/** Tables as SQL makes them: the files of one folder, in their order, are one history. */
export function readSqlTexts(texts: readonly SqlText[]): TableKeys[] {
  const histories = new Map<string, string[]>();
  for (const { file, text } of [...texts].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    if (/(^|[/._-])(down|rollback|undo|revert|drop|teardown)\.sql$/i.test(file)) continue;
    const history = historyOf(file);
    histories.set(history, [...(histories.get(history) ?? []), upward(text)]);
  }
  return [...histories.values()].flatMap((parts) =>
    readTableKeys(parts.join('\n;\n')).map((t) => tableKeys([t.table], { uniqueKeys: t.uniqueKeys, made: t.generated, whole: t.created })),
  );
}

/** Each migration of Prisma and Drizzle may have a folder of its own. */
function historyOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return (/(^|\/)(migration|up|schema)\.sql$/i.test(file) && folders.length > 1 ? folders.slice(0, -1) : folders).join('/');
}

/** What a migration does, without the part that takes it back. */
function upward(text: string): string {
  return text.replace(/^[ \t]*--[ \t]*(?:\+?(?:migrate|goose)[: ]*down|down(?:[ -]migration)?|rollback|@undo)\b[\s\S]*?(?=^[ \t]*--[ \t]*(?:\+?(?:migrate|goose)[: ]*)?up\b|(?![\s\S]))/gim, '');
}
