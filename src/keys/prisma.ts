import { tableKeys, type TableKeys } from './table.js';

const MADE = /@default\(\s*(autoincrement|uuid|cuid|ulid|nanoid|dbgenerated|auto|sequence|now)\b/;

/** The models of a schema.prisma, or of one file of a schema that is split. */
export function readPrisma(text: string): TableKeys[] {
  const bare = text.replace(/\/\/[^\n]*/g, '');
  return [...bare.matchAll(/^\s*model\s+(\w+)\s*\{([\s\S]*?)^\s*\}/gm)].map(([, name = '', body = '']) => readModel(name, body));
}

function readModel(name: string, body: string): TableKeys {
  const uniqueKeys: string[][] = [];
  const made: string[] = [];
  const aliases: [string, string][] = [];
  for (const line of body.split('\n')) {
    const [, field, attributes] = /^\s*(\w+)\s+[\w.]+(?:\[\]|\?|\([^)]*\))?\s*(.*)$/.exec(line) ?? [];
    if (field === undefined || attributes === undefined) continue;
    if (/@(id|unique)\b/.test(attributes)) uniqueKeys.push([field]);
    if (MADE.test(attributes)) made.push(field);
    const column = /@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(attributes)?.[1];
    if (column !== undefined) aliases.push([field, column]);
    const [only, ...more] = listed(/@relation\([^)]*?\bfields:\s*\[([^\]]*)\]/.exec(attributes)?.[1]);
    if (only !== undefined && more.length === 0) aliases.push([field, only]);
  }
  for (const [, columns] of body.matchAll(/@@(?:id|unique)\(\s*(?:fields:\s*)?\[([^\]]*)\]/g)) uniqueKeys.push(listed(columns));
  const table = /@@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(body)?.[1];
  return tableKeys([name, table], { uniqueKeys, made, aliases });
}

/** `a, b(sort: Desc)` */
function listed(columns: string | undefined): string[] {
  return (columns ?? '').replace(/\([^)]*\)/g, '').split(',').map((c) => c.trim()).filter((c) => c !== '');
}
