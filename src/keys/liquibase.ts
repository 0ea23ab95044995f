import { isRecord, stringOf } from '../infrastructure/resource.js';
import { parseYaml } from '../infrastructure/yaml.js';
import { tableKeys, type TableKeys } from './table.js';

/** A changelog of Liquibase, by its root. */
export const liquibaseWord = 'databaseChangeLog';

/**
 * Unique keys of a Liquibase changelog in XML, YAML or JSON (docs.liquibase.com, change types `addUniqueConstraint`,
 * `addPrimaryKey`, `createIndex`). Columns of `createTable` are not read, so no table counts as seen whole.
 */
export function readLiquibase(file: string, text: string): TableKeys[] {
  return file.endsWith('.xml') ? fromXml(text) : parseYaml(text).flatMap((document) => fromChanges(document));
}

function fromXml(text: string): TableKeys[] {
  const upward = text.replace(/<!--[\s\S]*?-->/g, '').replace(/<rollback\b[^>]*?(?:\/>|>[\s\S]*?<\/rollback>)/g, '');
  const changes = upward.matchAll(/<(addUniqueConstraint|addPrimaryKey)\b([^>]*)>|<createIndex\b([^>]*[^>/])>([\s\S]*?)<\/createIndex>/g);
  return [...changes].flatMap(([, , constraint, index, body]) => {
    const attributes = attributesOf(constraint ?? index ?? '');
    if (constraint !== undefined) return keyOf(attributes.get('tableName'), attributes.get('columnNames')?.split(','));
    if (attributes.get('unique') !== 'true') return [];
    return keyOf(attributes.get('tableName'), [...(body ?? '').matchAll(/<column\b([^>]*)>/g)].map(([, of]) => attributesOf(of ?? '').get('name') ?? ''));
  });
}

function attributesOf(tag: string): Map<string, string> {
  return new Map([...tag.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [name ?? '', double ?? single ?? '']));
}

function fromChanges(value: unknown): TableKeys[] {
  if (Array.isArray(value)) return value.flatMap(fromChanges);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, change]) => {
    if (name === 'rollback') return [];
    if (!isRecord(change)) return fromChanges(change);
    if (name === 'addUniqueConstraint' || name === 'addPrimaryKey') return keyOf(stringOf(change.tableName), stringOf(change.columnNames)?.split(','));
    if (name === 'createIndex') return change.unique === true ? keyOf(stringOf(change.tableName), columnsOf(change.columns)) : [];
    return fromChanges(change);
  });
}

/** `[{ column: { name: 'a' } }]` */
function columnsOf(columns: unknown): string[] {
  return Array.isArray(columns) ? columns.map((c) => (isRecord(c) && isRecord(c.column) ? (stringOf(c.column.name) ?? '') : '')) : [];
}

/** No key if one of its columns cannot be told: fewer columns would be a stricter key. */
function keyOf(table: string | undefined, columns: readonly string[] | undefined): TableKeys[] {
  const key = (columns ?? []).map((c) => c.trim());
  return table !== undefined && key.length > 0 && key.every((c) => c !== '') ? [tableKeys([table], { uniqueKeys: [key], whole: false })] : [];
}
