import { dirname, relative, resolve } from 'node:path';
import type { DeployedFunction, EventSource, Infrastructure } from '../infrastructure/infrastructure.js';
import type { Evaluator } from '../origin/evaluate.js';
import type { SourceFile } from '../syntax/compiler.js';
import { handlersIn, type Registered } from './registered.js';

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** The types by which the catalog knows what a source hands to a function. */
const EVENTS: Record<EventSource['source'], string> = {
  SQS: 'SQSEvent',
  SNS: 'SNSEvent',
  Kinesis: 'KinesisStreamEvent',
  'DynamoDB Streams': 'DynamoDBStreamEvent',
  EventBridge: 'EventBridgeEvent',
  S3: 'S3Event',
  Kafka: 'MSKEvent',
};

/**
 * Templates name functions that are handlers, whatever the code shows (`handler: src/orders.place`), and say of the others
 * what calls them. Gives what is registered by the code, so completed, and what by templates alone.
 */
export function withDeployed(e: Evaluator, infrastructure: Infrastructure, files: ReadonlySet<string>, registered: readonly Registered[]): Registered[] {
  const library = e.catalog.library('aws-lambda');
  const found: Registered[] = [...registered];
  for (const deployed of infrastructure.functions()) {
    const [first] = deployed.sources;
    const source = first && moduleOf(e, deployed, files);
    if (!source || !library) continue;
    const handler = e.moduleExport(source, deployed.exported);
    const functions = handlersIn(e, handler);
    const known = found.filter((r) => r.library === library && handlersIn(e, r.handler).some((a) => functions.some((b) => a.node === b.node)));
    for (const r of known) complete(r, deployed.sources);
    const [fn] = functions;
    const event = library.types?.[EVENTS[first.source]]?.eventType;
    if (known.length || !fn || !event) continue;
    const registration = { ...event, params: [EVENTS[first.source], ...(event.params?.slice(1) ?? [])] };
    const added: Registered = { library, registration, at: fn.node, frame: e.fileFrame(source), handler };
    complete(added, deployed.sources);
    found.push(added);
  }
  return found;
}

/** Where several sources call one function, each must take the names of failed messages for the answer to count. */
function complete(r: Registered, sources: readonly EventSource[]): void {
  const own = sources.filter((s) => s.source === r.registration.source);
  r.deployed = own;
  if (own.length && r.registration.partialBatch) r.registration = { ...r.registration, partialBatch: own.every((s) => s.partialBatch) };
}

/** The source behind the module that a template names: beside the template or above it, and where it was built from. */
function moduleOf(e: Evaluator, { file, modules }: DeployedFunction, files: ReadonlySet<string>): SourceFile | undefined {
  const { root } = e.sources.files;
  for (let folder = dirname(file); folder.startsWith(root); folder = dirname(folder)) {
    for (const module of modules) {
      const found = sourceAt(e, resolve(folder, module), files, folder);
      if (found) return found;
    }
    if (folder === root) break;
  }
  return undefined;
}

/** The source of a module: at this path, or where it was built from. */
export function sourceAt(e: Evaluator, module: string, files: ReadonlySet<string>, folder = e.sources.files.root): SourceFile | undefined {
  for (const path of sourcesOf(relative(folder, module))) {
    for (const extension of EXTENSIONS) {
      const file = resolve(folder, `${path}${extension}`);
      if (files.has(file)) return e.sources.parser.parse(file);
    }
  }
  return undefined;
}

/** `dist/orders` is built from `src/orders`, or from `orders`. */
function sourcesOf(module: string): string[] {
  const built = /^(.*?)(^|\/)(dist|build|out|lib|\.build)\/(.*)$/.exec(module);
  if (!built) return [module];
  const [, before = '', slash = '', , after = ''] = built;
  return [module, `${before}${slash}src/${after}`, `${before}${slash}${after}`, `src/${after}`];
}

