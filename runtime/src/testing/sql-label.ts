/** The name of a statement in a report. */

/** Statements that change nothing outside of their session, or ask what it is connected to; they are no point of a crash. */
const silent = /^(?:(?:set|show|reset|deallocate|discard|listen|unlisten|close|fetch|declare)\b|select (?:\* from )?(?:version|current_schema|current_database|current_setting)\()/i;

/** `` `UPDATE accounts` ``; of several statements the ones that matter; `undefined` for one that is no effect. */
export function sqlLabel(text: string): string | undefined {
  const parts = statements(text).filter((part) => !silent.test(part));
  if (parts.length === 0) return undefined;
  return `\`${parts.map(short).join('; ')}\``;
}

function statements(text: string): string[] {
  const plain = text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    // What stands in quotes is a value; it must not be read as SQL, nor make the name long.
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\s+/g, ' ');
  return plain
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const name = String.raw`((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))*)`;
const forms: [RegExp, (table: string) => string][] = [
  [new RegExp(String.raw`^(?:with\b.*?\b)?insert into ${name}`, 'i'), (table) => `INSERT INTO ${table}`],
  [new RegExp(String.raw`^(?:with\b.*?\b)?update (?:only )?${name}`, 'i'), (table) => `UPDATE ${table}`],
  [new RegExp(String.raw`^(?:with\b.*?\b)?delete from (?:only )?${name}`, 'i'), (table) => `DELETE FROM ${table}`],
  [new RegExp(String.raw`^(?:with\b.*?\b)?merge into (?:only )?${name}`, 'i'), (table) => `MERGE INTO ${table}`],
  [new RegExp(String.raw`^(?:with\b.*?\b)?select\b.*?\bfrom ${name}`, 'i'), (table) => `SELECT … FROM ${table}`],
];

function short(statement: string): string {
  if (/^(?:begin|start transaction)\b/i.test(statement)) return 'BEGIN';
  if (/^(?:commit|end)\b/i.test(statement)) return 'COMMIT';
  for (const [form, say] of forms) {
    const table = form.exec(statement)?.[1];
    if (table) return say(table.replaceAll('"', ''));
  }
  return statement.length > 60 ? `${statement.slice(0, 59)}…` : statement;
}
