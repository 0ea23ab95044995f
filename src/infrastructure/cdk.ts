import { dirname, join } from 'node:path';
import { ts, type Compiler, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import { isRecord, resolve, stringOf, type DeployedFunction, type EventSource, type Resource } from './resource.js';

/** What a file of a CDK app builds, in CloudFormation's terms. Only what is written out is read: no construct is run. */
export function readConstructs(source: SourceFile): { resources: Resource[]; functions: DeployedFunction[] } {
  const made = constructs(source);
  const resources = made.flatMap((c): Resource[] => {
    const read = RESOURCES[c.name];
    return read ? [{ ...read(c.props), id: c.id, file: source.fileName }] : [];
  });
  const functions = made.filter((c) => FUNCTIONS.has(c.name)).map((c): DeployedFunction => {
    const sources = eventsOf(source, c).map((e) => sourceOf(e, source, resources));
    return { id: c.id, file: source.fileName, ...codeOf(source, c), sources: sources.filter((s) => s !== undefined) };
  });
  return { resources, functions: functions.filter((f) => f.modules.length > 0) };
}

interface Construct {
  /** Name of the class. */
  name: string;
  /** The variable or property that holds it, or the id it was given. */
  id: string;
  /** The id that it was given. */
  given: string;
  props: Record<string, unknown>;
  node: Compiler.NewExpression;
}

const FUNCTIONS = new Set(['Function', 'NodejsFunction']);

const RESOURCES: Record<string, (props: Record<string, unknown>) => Pick<Resource, 'type' | 'properties'>> = {
  Queue: (p) => ({
    type: 'AWS::SQS::Queue',
    properties: present({
      QueueName: p.queueName,
      FifoQueue: p.fifo,
      ContentBasedDeduplication: p.contentBasedDeduplication,
      MessageRetentionPeriod: p.retentionPeriod,
      VisibilityTimeout: p.visibilityTimeout,
    }),
  }),
  Stream: (p) => ({ type: 'AWS::Kinesis::Stream', properties: present({ Name: p.streamName, RetentionPeriodHours: typeof p.retentionPeriod === 'number' ? p.retentionPeriod / 3600 : undefined }) }),
  Table: table,
  TableV2: table,
};

function table(p: Record<string, unknown>): Pick<Resource, 'type' | 'properties'> {
  const key = (attribute: unknown, KeyType: string): object[] => (isRecord(attribute) ? [{ AttributeName: attribute.name, KeyType }] : []);
  return {
    type: 'AWS::DynamoDB::Table',
    properties: present({
      TableName: p.tableName,
      KeySchema: [...key(p.partitionKey, 'HASH'), ...key(p.sortKey, 'RANGE')],
      TimeToLiveSpecification: typeof p.timeToLiveAttribute === 'string' ? { AttributeName: p.timeToLiveAttribute, Enabled: true } : undefined,
    }),
  };
}

function present(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, v]) => v !== undefined));
}

/** `new Queue(this, 'Orders', { … })`, wherever it stands in the file. */
function constructs(source: SourceFile): Construct[] {
  const found: Construct[] = [];
  const visit = (n: Node): void => {
    const [scope, id, props] = ts.isNewExpression(n) ? (n.arguments ?? []) : [];
    if (ts.isNewExpression(n) && scope && id && (ts.isStringLiteralLike(id) || ts.isTemplateExpression(id))) {
      const given = id.getText().slice(1, -1);
      const read = props && valueOf(props);
      found.push({ name: lastName(n.expression), id: holderOf(n) ?? given, given, props: isRecord(read) ? read : {}, node: n });
    }
    ts.forEachChild(n, visit);
  };
  visit(source);
  return found;
}

/** `const orders = …`, `this.orders = …`. */
function holderOf(node: Node): string | undefined {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isPropertyDeclaration(parent)) return parent.name.getText();
  if (ts.isBinaryExpression(parent) && parent.right === node) return lastName(parent.left);
  return undefined;
}

function lastName(e: Expression): string {
  if (ts.isPropertyAccessExpression(e)) return e.name.text;
  return ts.isIdentifier(e) ? e.text : '';
}

const SECONDS: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, millis: 0.001 };

/** What is written out: literals, objects, `Duration.days(4)`; a name stands for the construct that it holds. */
function valueOf(e: Expression): unknown {
  if (ts.isStringLiteralLike(e)) return e.text;
  if (ts.isNumericLiteral(e)) return Number(e.text);
  if (e.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (e.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(e)) return e.elements.map(valueOf);
  if (ts.isObjectLiteralExpression(e)) {
    return Object.fromEntries(
      e.properties.flatMap((p): [string, unknown][] => {
        if (ts.isPropertyAssignment(p)) return [[p.name.getText().replace(/['"]/g, ''), valueOf(p.initializer)]];
        if (ts.isShorthandPropertyAssignment(p)) return [[p.name.text, { Ref: p.name.text }]];
        return [];
      }),
    );
  }
  if (ts.isCallExpression(e)) return duration(e) ?? path(e);
  if (ts.isIdentifier(e) || ts.isPropertyAccessExpression(e)) return { Ref: lastName(e) };
  return undefined;
}

function duration(e: Compiler.CallExpression): number | undefined {
  const [amount] = e.arguments;
  if (!ts.isPropertyAccessExpression(e.expression) || lastName(e.expression.expression) !== 'Duration' || !amount || !ts.isNumericLiteral(amount)) return undefined;
  const unit = SECONDS[e.expression.name.text];
  return unit === undefined ? undefined : Number(amount.text) * unit;
}

/** `path.join(__dirname, '../src/orders.ts')`, `Code.fromAsset('lambda')`. */
function path(e: Compiler.CallExpression): string | undefined {
  const name = lastName(e.expression);
  if (name === 'fromAsset') {
    const read = e.arguments[0] && valueOf(e.arguments[0]);
    return stringOf(read);
  }
  if (name !== 'join' && name !== 'resolve') return undefined;
  const parts = e.arguments.map((a) => (/^(__dirname|import\.meta\.dirname)$/.test(a.getText()) ? dirname(e.getSourceFile().fileName) : stringOf(valueOf(a))));
  return parts.every((p) => p !== undefined) ? join(...parts) : undefined;
}

function codeOf(source: SourceFile, { name, given, props }: Construct): Pick<DeployedFunction, 'modules' | 'exported'> {
  const handler = stringOf(props.handler) ?? (name === 'NodejsFunction' ? 'handler' : '');
  const exported = handler.split('.').at(-1) ?? handler;
  const entry = stringOf(props.entry);
  if (entry !== undefined) return { modules: [withoutExtension(entry)], exported };
  // The CDK's own default: the file of the stack, and the construct's id.
  if (name === 'NodejsFunction') return { modules: [`${withoutExtension(source.fileName)}.${given}`], exported };
  const module = handler.includes('.') ? handler.slice(0, handler.lastIndexOf('.')) : undefined;
  return { modules: module === undefined ? [] : [join(stringOf(props.code) ?? '.', module)], exported };
}

function withoutExtension(file: string): string {
  return file.replace(/\.[cm]?[jt]sx?$/, '');
}

/** The event sources of a function: given in `events`, or added where the function is named. */
function eventsOf(source: SourceFile, fn: Construct): Compiler.NewExpression[] {
  const found: Compiler.NewExpression[] = [];
  const isOurs = (e: Expression | undefined): boolean => e !== undefined && lastName(e) === fn.id;
  const visit = (n: Node): void => {
    if (ts.isNewExpression(n) && EVENTS[lastName(n.expression)]) {
      const call = n.parent;
      const isAdded = ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'addEventSource' && isOurs(call.expression.expression);
      const isGiven = n.pos >= fn.node.pos && n.end <= fn.node.end;
      const isTarget = /^(LambdaSubscription|LambdaFunction|LambdaDestination)$/.test(lastName(n.expression)) && isOurs(n.arguments?.[0]);
      const isMapping = lastName(n.expression) === 'EventSourceMapping' && n.arguments?.some((a) => isRecord(valueOf(a)) && JSON.stringify(valueOf(a)).includes(`{"Ref":"${fn.id}"}`));
      if (isAdded || isGiven || isTarget || isMapping) found.push(n);
    }
    ts.forEachChild(n, visit);
  };
  visit(source);
  return found;
}

const EVENTS: Record<string, EventSource['source'] | 'mapping'> = {
  SqsEventSource: 'SQS',
  DynamoEventSource: 'DynamoDB Streams',
  KinesisEventSource: 'Kinesis',
  SnsEventSource: 'SNS',
  LambdaSubscription: 'SNS',
  S3EventSource: 'S3',
  S3EventSourceV2: 'S3',
  LambdaDestination: 'S3',
  LambdaFunction: 'EventBridge',
  ManagedKafkaEventSource: 'Kafka',
  SelfManagedKafkaEventSource: 'Kafka',
  EventSourceMapping: 'mapping',
};

function sourceOf(event: Compiler.NewExpression, file: SourceFile, resources: readonly Resource[]): EventSource | undefined {
  const kind = EVENTS[lastName(event.expression)];
  const [first, ...rest] = event.arguments ?? [];
  const last = rest.at(-1);
  const given = last && valueOf(last);
  const options = isRecord(given) ? given : {};
  // `eventSourceArn: queue.queueArn` ends in the attribute: the construct's name is in front of it.
  const arn = rest.map((a) => /eventSourceArn:\s*(?:this\.)?(\w+)\./.exec(a.getText())?.[1]).find((id) => id !== undefined);
  const from = resolve(kind === 'mapping' ? { Ref: arn } : first && valueOf(first), { file: file.fileName }, resources);
  const source = kind === 'mapping' ? from && READ[from.type] : kind;
  if (!source) return undefined;
  return { source, partialBatch: options.reportBatchItemFailures === true, ...(from && { from }) };
}

const READ: Record<string, EventSource['source']> = { 'AWS::SQS::Queue': 'SQS', 'AWS::DynamoDB::Table': 'DynamoDB Streams', 'AWS::Kinesis::Stream': 'Kinesis' };
