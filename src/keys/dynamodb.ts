import type { Infrastructure, Resource } from '../infrastructure/infrastructure.js';
import { tableKeys, type TableKeys } from './table.js';

/** Tables of DynamoDB as templates and stacks declare them. The whole key is unique, and there is no other. */
export function readDynamoTables(infrastructure: Infrastructure): TableKeys[] {
  const variables = infrastructure.resources().flatMap(variablesOf);
  return infrastructure.resources().flatMap((r) => {
    const key = keyOf(r);
    if (!key) return [];
    const own = [r.id, typeof r.properties.TableName === 'string' ? r.properties.TableName : undefined];
    // Code knows the table by the variable that the function gets: `process.env.ORDERS_TABLE`.
    const named = variables.filter((v) => own.includes(v.value)).map((v) => v.name);
    return [tableKeys([...own, ...named], { uniqueKeys: [key] })];
  });
}

function keyOf({ type, properties }: Resource): string[] | undefined {
  if (type === 'AWS::Serverless::SimpleTable') return [nameIn(properties.PrimaryKey, 'Name') ?? 'id'];
  if (type !== 'AWS::DynamoDB::Table' && type !== 'AWS::DynamoDB::GlobalTable') return undefined;
  const columns = Array.isArray(properties.KeySchema) ? properties.KeySchema.map((k) => nameIn(k, 'AttributeName')) : [];
  return columns.length > 0 && columns.every((c) => c !== undefined) ? columns : undefined;
}

function variablesOf({ properties }: Resource): { name: string; value: string }[] {
  const { Environment } = properties;
  const variables = typeof Environment === 'object' && Environment !== null ? (Environment as Record<string, unknown>).Variables : undefined;
  if (typeof variables !== 'object' || variables === null) return [];
  return Object.entries(variables).flatMap(([name, value]) => {
    const id = typeof value === 'string' ? value : nameIn(value, 'Ref');
    return id === undefined ? [] : [{ name, value: id }];
  });
}

function nameIn(value: unknown, property: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[property] : undefined;
  return typeof found === 'string' ? found : undefined;
}
