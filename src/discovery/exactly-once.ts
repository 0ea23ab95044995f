import { FIFO, switchesOf, type ExactlyOnce } from '../catalog/exactly-once.js';
import type { Place } from '../model/place.js';
import { argument, receiverOf } from '../origin/library.js';
import { stabilityOf } from '../origin/stability.js';
import { options, type Value } from '../origin/value.js';
import { ts, decoratorsOf, unwrap, type Compiler, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import type { ProgramIndex } from './program-index.js';
import { handlersIn, type Registered } from './registered.js';

/** A switch of the broker that promises once-only, switched on for the messages of a handler. */
export interface Promised {
  option: string;
  covers: string;
  /** Absent where a template of the infrastructure says so. */
  place?: Place;
}

/** The promise of once-only that the messages of this handler come with; undefined where none is seen. */
export function promisedOf(registered: Registered, index: ProgramIndex): Promised | undefined {
  for (const known of switchesOf(registered.library.name)) {
    const place = placeOf(known, registered, index);
    if (place) return { option: known.option, covers: known.covers, place };
  }
  return isFifo(registered) ? { option: FIFO.option, covers: FIFO.covers } : undefined;
}

/** The queue that feeds the function, as its template declares it. */
function isFifo({ deployed }: Registered): boolean {
  const queues = deployed?.flatMap((s) => (s.source === 'SQS' && s.from ? [s.from] : [])) ?? [];
  return queues.length > 0 && queues.every((q) => String(q.properties.FifoQueue) === 'true');
}

/** Where the option is given, and not as `false`. */
function placeOf(known: ExactlyOnce, registered: Registered, index: ProgramIndex): Place | undefined {
  const own = known.sentBy ? queuesOf(registered, index) : new Set<string>();
  if (known.sentBy && own.size === 0) return undefined;
  for (const source of index.filesWith(known.option)) {
    const given = givenIn(source, known.option).find((p) => isOn(index, p) && (!known.sentBy || isSentTo(index, p, known.sentBy, own)));
    if (given) return index.e.sources.parser.place(given);
  }
  return undefined;
}

type Given = Compiler.PropertyAssignment | Compiler.ShorthandPropertyAssignment;

function givenIn(source: SourceFile, option: string): Given[] {
  const found: Given[] = [];
  const visit = (n: Node): void => {
    if ((ts.isPropertyAssignment(n) || ts.isShorthandPropertyAssignment(n)) && n.name.getText().replace(/['"]/g, '') === option) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(source);
  return found;
}

/** A key that is the same for all messages, or new for each, tells no repeat. */
function isOn(index: ProgramIndex, given: Given): boolean {
  const value = index.e.evaluate(ts.isPropertyAssignment(given) ? given.initializer : given.name, index.e.openFrame(given));
  if (value.kind === 'constant') return value.value === true || typeof value.value === 'number';
  return stabilityOf(index.e, value).stability !== 'minted';
}

/** `orders.add('place', data, { jobId })` on the queue that the handler reads. */
function isSentTo(index: ProgramIndex, given: Given, methods: readonly string[], own: ReadonlySet<string>): boolean {
  let n: Node = given;
  while (n.parent && !ts.isCallExpression(n.parent) && !ts.isStatement(n.parent)) n = n.parent;
  const call = n.parent;
  if (!call || !ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || !methods.includes(call.expression.name.text)) return false;
  const { e } = index;
  const frame = e.openFrame(call);
  const [first] = call.arguments;
  return [...namesOfQueue(index, call.expression.expression), ...(first ? texts(e.evaluate(first, frame)) : [])].some((name) => own.has(name));
}

/** The names of the queue that a handler reads. */
function queuesOf({ at, args, handler }: Registered, index: ProgramIndex): ReadonlySet<string> {
  const { e } = index;
  const names: string[] = [];
  const first = args && argument(e, args, '0');
  // `queues.map((q) => new Worker(q.name, …))`: which of them brings a message to this handler is not seen.
  if (first && options(first).length === 1) names.push(...texts(first));
  if (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) names.push(...namesOfQueue(index, at.expression.expression));
  for (const { node } of handlersIn(e, handler)) if (ts.isClassLike(node.parent)) names.push(...decorated(index, node.parent, 'Processor'));
  if (ts.isClassLike(at)) names.push(...decorated(index, at, 'Processor'));
  return new Set(names);
}

/** `new Queue('orders')`, or `@InjectQueue('orders') private readonly orders: Queue`. */
function namesOfQueue(index: ProgramIndex, queue: Expression): string[] {
  const { e } = index;
  const names = options(e.evaluate(queue, e.openFrame(queue))).flatMap((v) => {
    const made = v.kind === 'library' ? receiverOf(v).args : undefined;
    const name = made && argument(e, made, '0');
    return name ? texts(name) : [];
  });
  const inner = unwrap(queue);
  const member = ts.isPropertyAccessExpression(inner) && inner.expression.kind === ts.SyntaxKind.ThisKeyword ? inner.name.text : undefined;
  if (member === undefined) return names;
  let home: Node | undefined = queue;
  while (home && !ts.isClassLike(home)) home = home.parent;
  const injected = home?.members.flatMap((m): Node[] => (ts.isConstructorDeclaration(m) ? m.parameters.filter((p) => p.name.getText() === member) : m.name?.getText() === member ? [m] : [])) ?? [];
  return [...names, ...injected.flatMap((p) => decorated(index, p, 'InjectQueue'))];
}

/** What a decorator of this name is given first, as itself or as `name`. */
function decorated(index: ProgramIndex, node: Node, decorator: string): string[] {
  const { e } = index;
  return decoratorsOf(node).flatMap((d) => {
    if (!ts.isCallExpression(d.expression) || d.expression.expression.getText() !== decorator) return [];
    const [first] = d.expression.arguments;
    const value = first && e.evaluate(first, e.openFrame(d));
    return value ? texts(value.kind === 'object' ? e.objectMember(value, 'name') : value) : [];
  });
}

function texts(value: Value): string[] {
  return options(value).flatMap((v) => (v.kind === 'constant' && typeof v.value === 'string' ? [v.value] : []));
}
