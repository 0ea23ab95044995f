import type { Bound } from '../catalog/catalog.js';
import type { Registration } from '../catalog/schema.js';
import type { Dispatcher } from '../discovery/dispatch.js';
import type { Target } from '../discovery/handlers.js';
import type { Registered } from '../discovery/registered.js';
import type { Acknowledgement } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { returnExpressions, type Evaluator } from '../origin/evaluate.js';
import { argument, argumentNode, shapeValue } from '../origin/library.js';
import { renewFrames, type Frame } from '../origin/frame.js';
import { constant, options, union, type Func, type Thunk, type Value } from '../origin/value.js';
import { ts, decoratorsOf, isAsync, nameOf, type Compiler, type FunctionNode, type Node } from '../syntax/compiler.js';
import { nodeId } from '../syntax/ids.js';
import type { FlowGraph } from './ir.js';
import { condense } from './condense.js';
import { firstOnly } from './first-of-batch.js';
import { Lowering } from './lower.js';
import { takesNothing } from './work-list.js';
import type { HandlerModel } from './query.js';

/** A handler with its flow, and what the engine needs to know beyond that. */
export interface BuiltHandler {
  fn: Func;
  registered: Registered;
  outer: boolean;
  model: HandlerModel;
  /** Its activation, in which its parameters are the message; an open one for the function behind a wrapper. */
  frame: Frame;
  /** Every function that the handler's flow runs through. */
  entered: ReadonlySet<Node>;
  /** The function that only passes the message on to the handler, where there is one. */
  forwards?: Place;
  /** The call in the handler's file that leads to a place in another one. */
  leadTo: (place: Place) => Place | undefined;
}

/** What the program and its infrastructure say of the messages, beside the handler's own code. */
export type ProgramFacts = Pick<HandlerModel, 'bounded' | 'horizon' | 'prunes' | 'promised' | 'order'>;

/** Follows a handler from the client's call; `inner` is the function behind a wrapper that is reported as the handler. */
export function buildHandler(e: Evaluator, target: Target, dispatcher: Dispatcher, facts: ProgramFacts, inner?: Func): BuiltHandler {
  renewFrames();
  const { fn, registered } = target;
  const { registration, library } = registered;
  const lowering = new Lowering(e, { registration, dispatch: (value, node, frame) => dispatcher.resolve(value, node, frame) });
  if (registered.receive) lowering.receives = new Set([registered.receive]);
  const open = e.openFrame(fn.node);
  const frame = open.enter(registered.at, fn.node, fn.frame, argumentsOf(e, registered, fn), fn.self) ?? e.openChild(fn.node, fn.frame);
  const byCallback = callbackAcknowledges(registration, fn.node);
  const acknowledgement: Acknowledgement = byCallback ? 'explicit' : registration.acknowledgement;
  const place = lowering.place(inner?.node ?? fn.node);
  lowering.home = (inner ?? fn).node.getSourceFile();
  const end = lowering.node({ kind: 'end', by: 'return' }, []);
  const failed = lowering.node({ kind: 'end', by: 'throw' }, []);
  const answersByReturn = acknowledgement === 'on-return' || registration.http === true;
  const acked = answersByReturn ? lowering.node({ kind: 'settle', as: 'ack', by: 'return', place, task: undefined, name: 'return', upTo: false, parallel: false }, [end]) : end;
  const refused = lowering.node({ kind: 'settle', as: 'nack', by: 'throw', place, task: undefined, name: 'throw', upTo: false, parallel: false }, [failed]);
  const returned = answersByReturn ? answer(e, lowering, target, frame, { place, acked, end }) : acked;
  const whole = lowering.handler(fn, frame, { returned, thrown: refused });
  if (registration.http) settleByResponse(whole);
  const graph = condense(whole);
  const option = autoAckOption(e, registered);
  const requeue = requeueOption(e, registered);
  const { heldUntil, leased } = acknowledgement === 'explicit' && !option && isDirect(registered) ? registration : {};
  const outer = inner !== undefined;
  return {
    fn: inner ?? fn,
    registered,
    outer,
    frame: inner ? e.openChild(inner.node, inner.frame) : frame,
    entered: lowering.entered,
    leadTo: (to) => leadTo(e, lowering.leads, to),
    model: {
      name: nameOf((inner ?? fn).node),
      place,
      client: library.name,
      ...(registration.source !== undefined && { source: registration.source }),
      registeredAt: e.sources.parser.place(registered.at),
      acknowledgement,
      receives: registered.receive !== undefined,
      ...(heldUntil !== undefined && { heldUntil }),
      leased: leased === true,
      losesThrow: heldUntil !== undefined && !registered.receive && isAsync(fn.node),
      ...(requeue && { requeuesOnThrow: e.sources.parser.place(requeue) }),
      ...facts,
      http: registration.http === true,
      takesNothing: registered.receive === undefined && takesNothing((inner ?? fn).node),
      ...(option && { autoAck: e.sources.parser.place(option) }),
      partialBatch: registration.partialBatch === true,
      ...(outer && { outer: { name: nameOf(fn.node), place: lowering.place(fn.node) } }),
      graph,
      ...firstOfBatch(e, fn.node, registered, frame),
      ...(acknowledgement === 'on-return' && !registration.http && failureAnswers(e, fn.node, frame)),
    },
  };
}

/** Where what the handler gives back may refuse the message, a branch between the two settlements. */
function answer(e: Evaluator, lowering: Lowering, { fn, registered }: Target, frame: Frame, to: { place: Place; acked: number; end: number }): number {
  const { refuses, http, partialBatch } = registered.registration;
  if (!refuses && !http && !partialBatch) return to.acked;
  const { place } = to;
  const result = union([...returnExpressions(fn.node).map((r) => (r ? e.evaluate(r, frame) : constant(undefined))), constant(undefined)], { result: frame.id });
  const refused = lowering.node({ kind: 'settle', as: 'nack', by: 'return', place, task: undefined, name: 'return', upTo: false, parallel: false }, [to.end]);
  const branch = (condition: Value, yes: number, no: number): number => lowering.node({ kind: 'branch', condition, text: '', place, frame: frame.id, catches: [] }, [yes, no]);
  if (!refuses) return branch({ kind: 'derived', operator: 'answers', parts: [result] }, to.acked, refused);
  return refuses.reduce<number>((next, value) => branch({ kind: 'derived', operator: '===', parts: [result, constant(value)] }, refused, next), to.acked);
}

/** The innermost function that holds the place tells by which call it was reached. */
function leadTo(e: Evaluator, leads: ReadonlyMap<Node, Place>, to: Place): Place | undefined {
  let best: Node | undefined;
  for (const fn of leads.keys()) {
    if (fn.pos > to.start || fn.end < to.end || e.sources.files.relative(fn.getSourceFile().fileName) !== to.file) continue;
    if (!best || fn.pos >= best.pos) best = fn;
  }
  return best && leads.get(best);
}

/** Where the handler answers by a response object, its return says nothing. */
function settleByResponse(graph: FlowGraph): void {
  if (!graph.nodes.some((n) => n.event.kind === 'settle' && n.event.by === 'http')) return;
  for (const n of graph.nodes) if (n.event.kind === 'settle' && n.event.by === 'return') n.event = { kind: 'nothing' };
}

function callbackAcknowledges(registration: Registration, fn: FunctionNode): boolean {
  if (registration.callbackParam === undefined || fn.parameters.length <= registration.callbackParam) return false;
  return !(registration.asyncByPromise && isAsync(fn));
}

function autoAckOption(e: Evaluator, registered: Registered): Node | undefined {
  if (registered.autoAck) return registered.autoAck;
  const { autoAck } = registered.registration;
  if (!autoAck || !registered.args) return undefined;
  const value = argument(e, registered.args, autoAck.option);
  if (value?.kind === 'constant') return Boolean(value.value) === autoAck.value ? (argumentNode(registered.args, autoAck.option) ?? registered.at) : undefined;
  return value === undefined && autoAck.default === autoAck.value ? registered.at : undefined;
}

/** The client calls the handler itself; a wrapper that cannot be seen may settle the message around it. */
function isDirect({ handler, registration }: Registered): boolean {
  return registration.handler === 'enclosing' || options(handler).every((v) => v.kind === 'function' || v.kind === 'parameter');
}

function requeueOption(e: Evaluator, { registration, args, at }: Registered): Node | undefined {
  const facts = registration.requeuesOnThrow;
  if (!facts) return undefined;
  const option = args && argument(e, args, facts.option);
  const requeues = option === undefined ? facts.default : option.kind === 'constant' && Boolean(option.value);
  if (!requeues) return undefined;
  const [object = ''] = facts.option.split('.');
  return args ? (argumentNode(args, facts.option) ?? argumentNode(args, object) ?? at) : at;
}

/** The values that the client hands to the handler. */
function argumentsOf(e: Evaluator, registered: Registered, fn: Func): Thunk[] | undefined {
  const { registration, library } = registered;
  if (registered.receive) return answers(e, registered, fn);
  const root = `message:${nodeId(fn.node)}`;
  return fn.node.parameters.map((p, i): Thunk => {
    const decorated = byDecorator(e, registered, p, root);
    if (decorated) return () => decorated;
    const ref = registration.params?.[i];
    const bound = ref === undefined ? (answering(e, registered, p) ?? asking(e, registered, p)) : e.catalog.bind(ref, library);
    if (!bound || (!bound.shape.message && p.type && decoratorsOf(p).length)) return () => ({ kind: 'unknown' });
    return () => shapeValue(bound, { root: `${root}:${i}`, name: ts.isIdentifier(p.name) ? p.name.text : (typeof ref === 'string' ? ref : 'message') });
  });
}

/** The function around a call that receives is given nothing by the client, but it may answer a request. */
function answers(e: Evaluator, registered: Registered, fn: Func): Thunk[] | undefined {
  const list: Thunk[] = [];
  for (const [i, p] of fn.node.parameters.entries()) {
    const bound = answering(e, registered, p);
    if (bound) list[i] = () => shapeValue(bound, { root: `message:${nodeId(fn.node)}:${i}`, name: p.name.getText() });
  }
  return list.length > 0 ? list : undefined;
}

/** What an HTTP handler answers by, known by its name alone where no type is written: `(request, response) => …`. */
function answering(e: Evaluator, { registration, library }: Registered, p: Compiler.ParameterDeclaration): Bound | undefined {
  const isNamed = ts.isIdentifier(p.name) && /^(res|response)$/.test(p.name.text);
  return registration.http && !p.type && isNamed && p.parent.parameters.indexOf(p) > 0 ? e.catalog.bind('express#Response', library) : undefined;
}

/** The request of a webhook that no library serves, by its name, where its type says nothing that is known. */
function asking(e: Evaluator, { registration, library }: Registered, p: Compiler.ParameterDeclaration): Bound | undefined {
  const isFirst = p.parent.parameters.indexOf(p) === 0 && ts.isIdentifier(p.name) && /^(req|request)$/.test(p.name.text);
  if (!registration.http || !isFirst || library.eventHeaders === undefined) return undefined;
  const typed = p.type && e.types.value(p.type, e.openFrame(p), 'request', p.name.getText());
  return typed?.kind === 'library' ? undefined : e.catalog.bind('Request', library);
}

/** `@Payload() order`, `@Ctx() context`. */
function byDecorator(e: Evaluator, registered: Registered, p: Compiler.ParameterDeclaration, root: string): Value | undefined {
  const { paramDecorators } = registered.registration;
  if (!paramDecorators) return undefined;
  for (const d of decoratorsOf(p)) {
    const expression = ts.isCallExpression(d.expression) ? d.expression.expression : d.expression;
    const name = expression.getText().split('.').at(-1) ?? '';
    const ref = paramDecorators[name];
    const bound = ref === undefined ? undefined : e.catalog.bind(ref, registered.library);
    // A context is known better by its own type.
    const typed = bound && !bound.shape.message && p.type ? e.types.value(p.type, e.openFrame(p), `${root}:${name}`, p.name.getText()) : undefined;
    if (typed?.kind === 'library') return typed;
    if (bound) return shapeValue(bound, { root: `${root}:${name}`, name: p.name.getText() });
  }
  return undefined;
}

function firstOfBatch(e: Evaluator, fn: FunctionNode, registered: Registered, frame: Frame): { firstOfBatch?: Place } {
  if (!/^(SQS|Kinesis|DynamoDB Streams|Kafka)$/.test(registered.registration.source ?? '')) return {};
  const node = firstOnly(e, fn, frame);
  return node ? { firstOfBatch: e.sources.parser.place(node) } : {};
}

/** What the handler returns that reads as a failure in HTTP, to a client that reads no status. */
function failureAnswers(e: Evaluator, fn: FunctionNode, frame: Frame): { failureAnswers?: { place: Place; status: number }[] } {
  const found = returnExpressions(fn).flatMap((r) => (r ? options(e.evaluate(r, frame)) : [])).flatMap((v) => {
    const status = v.kind === 'object' ? e.objectMember(v, 'statusCode') : undefined;
    return v.kind === 'object' && status?.kind === 'constant' && typeof status.value === 'number' && status.value >= 500 ? [{ place: e.sources.parser.place(v.node), status: status.value }] : [];
  });
  return found.length ? { failureAnswers: found } : {};
}
