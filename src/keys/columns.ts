import { Code, fields, isFields, list, names, text, type Fields, type Plain } from './read.js';
import type { TableKeys } from './table.js';

/** `{ id: { type: INTEGER, primaryKey: true }, eventId: { unique: 'once' } }`: columns as Sequelize and node-pg-migrate take them. */
export function keysOfColumns(columns: Fields): Pick<TableKeys, 'uniqueKeys' | 'made' | 'aliases'> {
  const uniqueKeys: string[][] = [];
  const groups = new Map<string, string[]>();
  const primary: string[] = [];
  const made: string[] = [];
  const aliases: [string, string][] = [];
  for (const [name, column] of Object.entries(columns)) {
    // node-pg-migrate's shorthand: `id: 'id'` is a serial primary key.
    if (column === 'id' || (typeof column === 'string' && /serial/i.test(column))) {
      made.push(name);
      if (column === 'id') primary.push(name);
      continue;
    }
    if (!isFields(column)) continue;
    if (column.primaryKey === true) primary.push(name);
    if (column.unique === true) uniqueKeys.push([name]);
    const group = text(column.unique) ?? text(fields(column.unique).name);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), name]);
    else if (isFields(column.unique)) uniqueKeys.push([name]);
    if (column.autoIncrement === true || column.sequenceGenerated !== undefined || isFresh(column.defaultValue) || isFresh(column.default) || /serial/i.test(text(column.type) ?? '')) made.push(name);
    const stored = text(column.field);
    if (stored !== undefined) aliases.push([name, stored]);
  }
  if (primary.length) uniqueKeys.unshift(primary);
  return { uniqueKeys: [...uniqueKeys, ...groups.values()], made: [...made, ...primary], aliases };
}

function isFresh(value: Plain): boolean {
  return /uuid|random|nextval|nanoid|cuid|ulid|objectid/i.test(value instanceof Code ? value.text : (text(value) ?? text(fields(value).expression) ?? ''));
}

/** `indexes: [{ unique: true, fields: ['a', 'b'] }]` */
export function keysOfIndexes(indexes: Plain): string[][] {
  return list(indexes)
    .map(fields)
    .filter((i) => i.unique === true || /unique/i.test(text(i.type) ?? ''))
    .map((i) => names(i.fields ?? i.columns));
}
