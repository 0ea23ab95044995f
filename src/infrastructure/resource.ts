/**
 * One resource of the program's infrastructure in CloudFormation's terms, whatever it is written in: `type` is
 * `AWS::SQS::Queue`, and properties carry CloudFormation's names. References are as the long forms of CloudFormation:
 * `{ Ref: 'Orders' }`, `{ 'Fn::GetAtt': ['Orders', 'Arn'] }`.
 */
export interface Resource {
  type: string;
  /** Its name within the template. */
  id: string;
  properties: Readonly<Record<string, unknown>>;
  /** The file that declares it. */
  file: string;
}

/** A function of the program that the infrastructure runs. */
export interface DeployedFunction {
  id: string;
  /** The template that deploys it. */
  file: string;
  /** Where its code may be, without extension: the likeliest first. */
  modules: string[];
  /** The export that is called. */
  exported: string;
  sources: EventSource[];
}

/** What calls a function with messages. */
export interface EventSource {
  /** In the words of the client's registrations: `SQS`, `Kinesis`. */
  source: 'SQS' | 'SNS' | 'Kinesis' | 'DynamoDB Streams' | 'EventBridge' | 'S3' | 'Kafka';
  /** `ReportBatchItemFailures`: the answer can name failed messages. */
  partialBatch: boolean;
  /** The queue, stream or table that it reads, where it is declared too. */
  from?: Resource;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The resource that a value names: `{ Ref }`, `{ 'Fn::GetAtt' }`, `{ 'Fn::Sub': '${Orders.Arn}' }`, an ARN or a name. */
export function resolve(value: unknown, from: { file: string }, resources: readonly Resource[]): Resource | undefined {
  const id = referenced(value);
  if (id === undefined) return undefined;
  const fits = resources.filter((r) => r.id === id || nameOf(r) === id);
  return fits.find((r) => r.file === from.file) ?? (fits.length === 1 ? fits[0] : undefined);
}

function referenced(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const inner = /^\$\{(?!self|opt|env|file|ssm|cf)(\w+)(?:\.\w+)?\}$/.exec(value)?.[1];
    return inner ?? value.split(':').at(-1);
  }
  if (!isRecord(value)) return undefined;
  if (typeof value.Ref === 'string') return value.Ref;
  const attribute = value['Fn::GetAtt'];
  if (Array.isArray(attribute)) return stringOf(attribute[0]);
  if (typeof attribute === 'string') return attribute.split('.')[0];
  const sub = value['Fn::Sub'];
  return typeof sub === 'string' ? referenced(sub) : undefined;
}

function nameOf({ properties }: Resource): string | undefined {
  return stringOf(properties.QueueName) ?? stringOf(properties.TableName) ?? stringOf(properties.Name);
}
