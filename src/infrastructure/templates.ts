import { dirname, join } from 'node:path';
import { isRecord, resolve, stringOf, type DeployedFunction, type EventSource, type Resource } from './resource.js';

/** A file that may declare infrastructure: a template of CloudFormation or SAM, a serverless.yml, or a part of one. */
export function looksLikeTemplate(text: string): boolean {
  return /\bAWS::\w+::\w+/.test(text) || (/^\s*["']?handler["']?\s*:/m.test(text) && /^\s*(- )?["']?(events|functions)["']?\s*:/m.test(text));
}

/** What a template holds, before its references are followed. */
export interface Template {
  file: string;
  resources: Resource[];
  /** Functions in the words of the Serverless Framework. */
  serverless: { id: string; definition: Record<string, unknown> }[];
}

const MAX_DEPTH = 8;

/** Resources may stand at the top, under `Resources`, under `resources.Resources`, or in a file that another includes. */
export function readTemplate(file: string, documents: readonly unknown[]): Template {
  const template: Template = { file, resources: [], serverless: [] };
  for (const document of documents) collect(document, '', template, 0);
  return template;
}

function collect(value: unknown, name: string, into: Template, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const v of value) collect(v, name, into, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  const type = stringOf(value.Type);
  if (type?.startsWith('AWS::')) into.resources.push({ type, id: name, properties: isRecord(value.Properties) ? { ...value.Properties, ...metadataOf(value) } : {}, file: into.file });
  else if (typeof value.handler === 'string' && Array.isArray(value.events)) into.serverless.push({ id: name, definition: value });
  else for (const [key, v] of Object.entries(value)) collect(v, key, into, depth + 1);
}

/** SAM's esbuild names the source of a function beside its properties. */
function metadataOf(resource: Record<string, unknown>): Record<string, unknown> {
  const build = isRecord(resource.Metadata) ? resource.Metadata.BuildProperties : undefined;
  const [entry] = isRecord(build) && Array.isArray(build.EntryPoints) ? build.EntryPoints : [];
  return typeof entry === 'string' ? { EntryPoint: entry } : {};
}

/** The functions of a template that something calls with messages. */
export function functionsOf(template: Template, resources: readonly Resource[]): DeployedFunction[] {
  const mappings = resources.filter((r) => r.type === 'AWS::Lambda::EventSourceMapping');
  const found = template.resources.filter((r) => r.type === 'AWS::Lambda::Function' || r.type === 'AWS::Serverless::Function').map((r): DeployedFunction => {
    const { Handler, CodeUri, Events, EntryPoint } = r.properties;
    const own = mappings.filter((m) => resolve(m.properties.FunctionName, m, resources) === r).map((m) => sourceOf(undefined, m.properties, m, resources));
    const declared = isRecord(Events) ? Object.values(Events).map((e) => (isRecord(e) ? sourceOf(stringOf(e.Type), isRecord(e.Properties) ? e.Properties : {}, r, resources) : undefined)) : [];
    return deployed(r.id, template.file, stringOf(Handler), stringOf(CodeUri), stringOf(EntryPoint), [...declared, ...own]);
  });
  const serverless = template.serverless.map(({ id, definition }) => {
    const events = (definition.events as unknown[]).map((e) => {
      const [kind, given] = isRecord(e) ? (Object.entries(e)[0] ?? []) : [];
      return kind === undefined ? undefined : sourceOf(kind, isRecord(given) ? given : { arn: given }, template, resources);
    });
    return deployed(id, template.file, stringOf(definition.handler), undefined, undefined, events);
  });
  return [...found, ...serverless].filter((f) => f.modules.length > 0);
}

function deployed(id: string, file: string, handler: string | undefined, codeUri: string | undefined, entry: string | undefined, sources: (EventSource | undefined)[]): DeployedFunction {
  const name = /^(.*)\.([\w$]+)$/.exec(handler ?? '');
  const code = join(dirname(file), codeUri ?? '.');
  const modules = name?.[1] === undefined ? [] : [...(entry === undefined ? [] : [join(code, entry.replace(/\.[cm]?[jt]sx?$/, ''))]), join(code, name[1])];
  return { id, file, modules, exported: name?.[2] ?? '', sources: sources.filter((s) => s !== undefined) };
}

const KINDS: Record<string, EventSource['source']> = {
  sqs: 'SQS',
  sns: 'SNS',
  kinesis: 'Kinesis',
  dynamodb: 'DynamoDB Streams',
  eventbridgerule: 'EventBridge',
  eventbridge: 'EventBridge',
  cloudwatchevent: 'EventBridge',
  s3: 'S3',
  msk: 'Kafka',
  kafka: 'Kafka',
  selfmanagedkafka: 'Kafka',
};

const READ: Record<string, EventSource['source']> = {
  'AWS::SQS::Queue': 'SQS',
  'AWS::Kinesis::Stream': 'Kinesis',
  'AWS::DynamoDB::Table': 'DynamoDB Streams',
  'AWS::DynamoDB::GlobalTable': 'DynamoDB Streams',
  'AWS::MSK::Cluster': 'Kafka',
};

/** An event of a function; undefined for what brings no messages (HTTP, a schedule). */
function sourceOf(kind: string | undefined, given: Record<string, unknown>, at: { file: string }, resources: readonly Resource[]): EventSource | undefined {
  const arn = given.arn ?? given.EventSourceArn ?? given.Queue ?? given.Stream;
  const from = arn === undefined ? undefined : resolve(arn, at, resources);
  const service = /:(sqs|kinesis|dynamodb):/.exec(JSON.stringify(arn ?? ''))?.[1];
  const source = KINDS[String(kind ?? '').toLowerCase()] ?? (from && READ[from.type]) ?? KINDS[stringOf(given.type) ?? service ?? ''];
  if (!source) return undefined;
  const types = given.FunctionResponseTypes ?? given.functionResponseType;
  return { source, partialBatch: JSON.stringify(types ?? '').includes('ReportBatchItemFailures'), ...(from && { from }) };
}
