import { createRequire } from 'node:module';
import { isRecord } from './resource.js';

/** What is used of the package `yaml`; it is loaded when the first template is read. */
interface Yaml {
  parseAllDocuments(text: string, options: { logLevel: 'silent'; uniqueKeys: boolean }): Document[];
  isAlias(node: unknown): node is { resolve(document: Document): unknown };
  isMap(node: unknown): node is { items: { key: unknown; value: unknown }[] } & Tagged;
  isSeq(node: unknown): node is { items: unknown[] } & Tagged;
  isScalar(node: unknown): node is { value: unknown } & Tagged;
}

interface Document {
  contents: unknown;
}

interface Tagged {
  tag?: string;
}

/** Deeper than any template; aliases can make a document that refers to itself. */
const MAX_DEPTH = 40;

/**
 * The documents of a YAML or JSON text as plain values, the short forms of CloudFormation (`!GetAtt Orders.Arn`) as the
 * long ones (`{ 'Fn::GetAtt': 'Orders.Arn' }`). None where the text cannot be read.
 */
export function parseYaml(text: string): unknown[] {
  const yaml = createRequire(import.meta.url)('yaml') as Yaml;
  try {
    return yaml.parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false }).map((d) => plain(yaml, d, d.contents, 0));
  } catch {
    return [];
  }
}

function plain(yaml: Yaml, document: Document, node: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return undefined;
  const inner = (n: unknown): unknown => plain(yaml, document, n, depth + 1);
  if (yaml.isAlias(node)) return inner(node.resolve(document));
  if (yaml.isSeq(node)) return longForm(node.tag, node.items.map(inner));
  if (yaml.isScalar(node)) return longForm(node.tag, node.value);
  if (!yaml.isMap(node)) return undefined;
  const found: Record<string, unknown> = {};
  for (const { key, value } of node.items) {
    const name = String(inner(key));
    const read = inner(value);
    if (name === '<<' && isRecord(read)) Object.assign(found, read);
    else found[name] = read;
  }
  return longForm(node.tag, found);
}

function longForm(tag: string | undefined, value: unknown): unknown {
  if (!tag?.startsWith('!')) return value;
  const name = tag.slice(1);
  return { [name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`]: value };
}
