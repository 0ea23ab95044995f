import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { rules } from '../rules/index.js';
import type { Rule, RuleFinding } from '../rules/define.js';
import { defaultCatalog } from './catalog/index.js';
import { deliveryOrder } from './catalog/delivery-order.js';
import { fileOf } from './catalog/own.js';
import type { Library } from './catalog/schema.js';
import { boundIn } from './discovery/bound.js';
import { withDeployed } from './discovery/deployed.js';
import { chainTo } from './discovery/chain.js';
import { Dispatcher } from './discovery/dispatch.js';
import { EventHeaderFinder } from './discovery/event-headers.js';
import { forwardsTo, onlyCalls, targetsOf, type Target } from './discovery/handlers.js';
import { promisedOf } from './discovery/exactly-once.js';
import { horizonOf } from './discovery/horizon.js';
import { ProgramIndex } from './discovery/program-index.js';
import { isMarkedProjection } from './discovery/projection.js';
import type { Registered } from './discovery/registered.js';
import { RegistrationFinder } from './discovery/registrations.js';
import { transportsOf, type Transport } from './discovery/transport.js';
import { adoption } from './fix/adopt/adopt.js';
import type { FixContext } from './fix/context.js';
import { suggestionsFor } from './fix/suggest.js';
import { callsOf, remarkOn } from './flow/explain.js';
import { buildHandler, type BuiltHandler, type ProgramFacts } from './flow/handler.js';
import { Prunes } from './flow/prunes.js';
import { distinct, isAck, isChange, reachable, type HandlerModel } from './flow/query.js';
import { timeline } from './flow/timeline.js';
import { verdictOf } from './flow/verdict.js';
import { Gate } from './gate.js';
import { Infrastructure } from './infrastructure/infrastructure.js';
import { schemasOf } from './keys/schemas.js';
import type { RuleExplanation } from './model/explanation.js';
import type { Finding, Preset } from './model/finding.js';
import type { HandlerReport, Problem } from './model/handler.js';
import { Evaluator } from './origin/evaluate.js';
import { options, type Func } from './origin/value.js';
import { ts, decoratorsOf, nameOf, type FunctionNode, type Node } from './syntax/compiler.js';
import { Files } from './syntax/files.js';
import type { ParsedFiles } from './syntax/parse.js';
import { Sources } from './syntax/program.js';

export interface EngineOptions {
  /** The folder that all paths are relative to. */
  root: string;
  /** Files and folders to analyse, relative to the root; the whole root if left out. */
  paths?: readonly string[];
  preset: Preset;
  /** The files are a program of their own: what stands beside them does not belong to it. */
  alone?: boolean;
  /** Libraries of the user's own, from the settings. */
  libraries?: readonly Library[];
  /** Names that let a file pass the gate, from the settings. */
  names?: readonly string[];
  /** Handlers that are rebuilt by replay, from the settings: names, files or folders. */
  projections?: readonly string[];
  /** How long after its first delivery a message can come again, in milliseconds by client, from the settings. */
  redeliveryHorizons?: Readonly<Record<string, number>>;
  /** Lets an unexpected error through, with its stack, instead of naming it as a problem of one file. */
  debug?: boolean;
  /** Explain the handlers that this line is in, or that reach it. */
  explain?: { file: string; line: number };
  /** Work out how the handler on this line moves onto the inbox; the id of its messages and its name, where they are given. */
  adopt?: { file: string; line: number; id?: string; consumer?: string };
  /** What a run before this one read and parsed. */
  known?: { files: Files; parsed: ParsedFiles };
  onProgress?: (done: number, of: number) => void;
}

export interface EngineResult {
  files: number;
  handlers: HandlerReport[];
  problems: Problem[];
  unresolved: number;
  /** What the result depends on: the files that were parsed, and the words that were looked for in all the others. */
  reached: ReadonlySet<string>;
  asked: ReadonlySet<string>;
}

/** The whole program, from its files to the findings of each handler. */
export function runEngine(options: EngineOptions): EngineResult {
  const disk = options.known?.files ?? new Files(options.root);
  const catalog = defaultCatalog(options.libraries);
  const files = disk.list(options.paths);
  reportLostNames(options.libraries ?? [], disk);
  const gate = new Gate(catalog, options.names);
  const passed = files.filter((f) => gate.passes(disk.text(f) ?? ''));
  let lazy: Sources | undefined;
  const sourcesOf = (): Sources => (lazy ??= new Sources(disk, options.known?.parsed));
  const infrastructure = new Infrastructure(disk, sourcesOf);
  // Where no file can hold a handler, the compiler is not even loaded.
  if (passed.length === 0 && infrastructure.functions().length === 0 && infrastructure.bound().length === 0) return { files: files.length, handlers: [], problems: disk.problems, unresolved: 0, reached: new Set(), asked: new Set() };
  const sources = sourcesOf();
  const e = new Evaluator(sources, catalog);
  const index = new ProgramIndex(e, files);
  schemasOf(e, { infrastructure, alone: options.alone ? files : undefined });
  const finder = new RegistrationFinder(e);
  const headers = new EventHeaderFinder(e, index);
  const guarded = guard(e, disk, options.debug);
  const registered: Registered[] = [];
  passed.forEach((file, i) => {
    options.onProgress?.(i, passed.length);
    const source = sources.parser.parse(file);
    if (source) registered.push(...(guarded(file, () => [...finder.find(source), ...headers.find(source)].filter((r) => !e.own.isInsideRegistrar(r.at))) ?? []));
  });
  const known = new Set(files);
  const all = [...withDeployed(e, infrastructure, known, registered), ...boundIn(e, infrastructure, known)];
  const prunes = new Prunes(index, options.alone ? files : undefined);
  const facts = (r: Registered): ProgramFacts => {
    const horizon = horizonOf(r, index, infrastructure, options.redeliveryHorizons);
    const promised = promisedOf(r, index);
    const order = promised?.option === 'FifoQueue' ? 'kept' : deliveryOrder(r.library.name, r.registration.source, r.registration.http === true);
    return { bounded: isBounded(index, r.library), ...(horizon && { horizon }), ...(promised && { promised }), ...(order && { order }), prunes: (table) => prunes.of(table) };
  };
  const handlers = build(e, index, all, transportsOf(e, index), facts, guarded);
  const reports = handlers.flatMap((h) => {
    const file = h.fn.node.getSourceFile().fileName;
    const made = guarded(file, () => report(h, options, disk));
    // An edit that cannot be made takes no finding with it.
    if (made) guarded(file, () => suggest(made, h, sources));
    if (made && options.adopt) guarded(file, () => adopt(made, h, index, options));
    if (made && options.explain) guarded(file, () => explain(made, h, index, options));
    return made ?? [];
  });
  return {
    files: files.length,
    handlers: withUniqueIds(reports.sort((a, b) => a.place.file.localeCompare(b.place.file) || a.place.line - b.place.line)),
    problems: sources.files.problems,
    unresolved: reports.reduce((n, h) => n + h.unresolved, 0),
    reached: new Set(sources.parser.reached),
    asked: index.asked,
  };
}

/** A setting that names something which is not there does nothing; its author must hear of it. */
function reportLostNames(libraries: readonly Library[], files: Files): void {
  for (const library of libraries) {
    const file = library.own ? fileOf(library) : undefined;
    if (file === undefined) continue;
    const full = resolve(files.root, file);
    if (!files.isFile(full)) files.problem(full, `the settings name ${library.name} in this file, but there is no such file.`);
    else if (!library.name.split(/[@.()]+/).every((word) => files.text(full)?.includes(word))) files.problem(full, `the settings name ${library.name} in this file, which does not declare it.`);
  }
}

type Guarded = <T>(file: string, analyse: () => T) => T | undefined;

/** One file that the engine stumbles over must not take the rest of the program with it, nor go unnoticed. */
function guard(e: Evaluator, files: Files, debug = false): Guarded {
  return (file, analyse) => {
    try {
      return analyse();
    } catch (error) {
      if (debug) throw error;
      e.reset();
      const { message } = error as Error;
      files.problem(file, error instanceof RangeError ? 'not analysed in full: its code is nested too deeply.' : `not analysed in full, by an error of the analysis itself: ${message.split('\n')[0] ?? ''} Please report it, with what --debug prints.`);
      return undefined;
    }
  };
}

/** The handlers behind the registrations, each with its flow; one for each function. */
function build(e: Evaluator, index: ProgramIndex, registered: readonly Registered[], transports: readonly Transport[], facts: (r: Registered) => ProgramFacts, guarded: Guarded): BuiltHandler[] {
  const built: BuiltHandler[] = [];
  const taken = new Map<Node, BuiltHandler>();
  const enteredBy = new Map<Node, BuiltHandler>();
  // Registrations that name their function come before types that only suggest one.
  const ordered = [...registered].sort((a, b) => rank(a) - rank(b));
  for (const r of ordered) {
    if (r.registration.transport === 'nestjs' && !takeMeaning(r, transports)) continue;
    if (r.registration.acknowledgement === 'none') continue;
    const at = r.at.getSourceFile().fileName;
    for (const target of guarded(at, () => targetsOf(e, index, r)) ?? []) {
      if (taken.has(target.fn.node)) continue;
      for (const h of guarded(at, () => behind(e, index, target, facts(target.registered), guarded)) ?? []) {
        if (taken.has(h.fn.node)) continue;
        taken.set(h.fn.node, h);
        built.push(h);
        for (const node of h.entered) if (node !== h.fn.node && !enteredBy.has(node)) enteredBy.set(node, h);
      }
    }
  }
  // A function that another handler calls with its event is a helper of that one.
  return built.filter((h) => !(h.registered.typed && enteredBy.has(h.fn.node)));
}

function rank(r: Registered): number {
  if (r.registration.weak) return 3;
  if (r.typed) return 2;
  return r.receive ? 1 : 0;
}

/** A NestJS handler is acknowledged as its transport does it; false where no transport of the program redelivers. */
function takeMeaning(r: Registered, transports: readonly Transport[]): boolean {
  const rmq = transports.filter((t) => t.name === 'RMQ');
  const kafka = transports.some((t) => t.name === 'KAFKA');
  if (rmq.length === 0) return kafka;
  if (kafka) return true;
  const auto = rmq.find((t) => t.noAck);
  const manual = rmq.some((t) => !t.noAck);
  r.registration = { ...r.registration, acknowledgement: 'explicit', ...(transports.every((t) => t.name === 'RMQ') && !mayBeSettledAround(r) && { heldUntil: 'until its channel closes' }) };
  if (auto && !manual) r.autoAck = auto.at;
  return true;
}

/** Interceptors, filters and decorators of the program's own run around a handler and may settle its message. */
function mayBeSettledAround({ handler }: Registered): boolean {
  const methods = options(handler).flatMap((v) => (v.kind === 'function' && ts.isMethodDeclaration(v.node) ? [v.node] : []));
  return methods.some((m) => [...decoratorsOf(m), ...(ts.isClassLike(m.parent) ? decoratorsOf(m.parent) : [])].some((d) => !/^@?(EventPattern|MessagePattern|Controller|Injectable|Use(Guards|Pipes))\b/.test(d.getText())));
}

/** The handler itself, and, where it is a wrapper, the functions that it dispatches to. */
function behind(e: Evaluator, index: ProgramIndex, target: Target, facts: ProgramFacts, guarded: Guarded): BuiltHandler[] {
  const dispatcher = new Dispatcher(e, index, target.fn.node);
  const whole = buildHandler(e, target, dispatcher, facts);
  if (dispatcher.found.length === 0) {
    const real = target.registered.typed || target.registered.bound ? undefined : forwardsTo(e, target.fn);
    return [real ? reportedAs(e, whole, real) : whole];
  }
  const inner: BuiltHandler[] = [];
  // Grows while it is gone through, by what the functions behind the wrapper dispatch to themselves.
  for (const { fn, path } of dispatcher.found) {
    dispatcher.path = path;
    const before = dispatcher.found.length;
    const h = guarded(fn.node.getSourceFile().fileName, () => buildHandler(e, target, dispatcher, facts, fn));
    if (!h) continue;
    if (dispatcher.found.length > before && handsOnOnly(h)) continue;
    const real = forwardsTo(e, fn);
    inner.push(real ? reportedAs(e, h, real) : h);
  }
  // The wrapper is what the client calls; what it does itself is judged once, without what it calls.
  return onlyCalls(target.fn.node) ? inner : [whole, ...inner];
}

/** Changes nothing itself: those behind it are the handlers. */
function handsOnOnly(h: BuiltHandler): boolean {
  return !h.model.graph.nodes.some((n) => n.event.kind === 'effect');
}

/** Is there a bound on deliveries in the program, or may there be one where its queues are set up? */
function isBounded(index: ProgramIndex, { bounds }: Library): boolean {
  if (!bounds) return false;
  return bounds.words.some((w) => index.mentions(w)) || (bounds.declaredBy !== undefined && !bounds.declaredBy.some((w) => index.mentions(w)));
}

/** The same flow under the name of the function that does the work. */
function reportedAs(e: Evaluator, h: BuiltHandler, fn: Func): BuiltHandler {
  const call = onlyCalls(h.fn.node);
  const frame = (call && e.enter(fn, call, h.frame, e.thunks(call.arguments, h.frame))) ?? h.frame;
  return { ...h, fn, frame, forwards: h.model.place, model: { ...h.model, name: nameOf(fn.node), place: e.sources.parser.place(fn.node) } };
}

function report(h: BuiltHandler, { root, preset, projections }: EngineOptions, files: Files): HandlerReport {
  const model = { ...h.model, projection: isProjection(h, root, projections) };
  if (model.graph.truncated) files.problem(h.fn.node.getSourceFile().fileName, `the handler ${model.name} on line ${model.place.line} reaches too much code to be followed to its end.`);
  const findings = rules.filter((r) => inPreset(r.preset, preset)).flatMap((rule) => rule.check(model).filter((f) => inPreset(f.preset ?? rule.preset, preset)).map((f) => finding(rule, f, h)));
  return {
    id: hash([model.place.file, model.name, model.client]),
    name: model.name,
    place: model.place,
    client: model.client,
    registeredAt: model.registeredAt,
    acknowledgement: model.acknowledgement,
    ...verdictOf(model, findings.length),
    timeline: timeline(model, findings.flatMap((f) => [f.place, ...f.trace.map((t) => t.place)])),
    findings: findings.sort((a, b) => a.place.file.localeCompare(b.place.file) || a.place.start - b.place.start),
    suppressed: [],
    unresolved: model.graph.unresolved.length,
  };
}

function suggest({ findings, client }: HandlerReport, h: BuiltHandler, sources: Sources): void {
  if (!findings.some((f) => f.fix)) return;
  const context = fixContext(client, h, sources);
  for (const f of findings) f.suggestions = [...f.suggestions, ...suggestionsFor(f, context)];
}

function fixContext(client: string, h: BuiltHandler, sources: Sources): FixContext {
  const nodes = reachable(h.model.graph);
  const acks = distinct(nodes.filter(isAck).filter((n) => n.event.by !== 'return')).map((n) => n.event.place);
  const effects = distinct(nodes.filter(isChange)).map((n) => n.event.effect.place);
  return { sources, client, handler: sources.parser.place(h.fn.node), acks, effects };
}

/** How the handler moves onto the inbox, if the line is in it. */
function adopt(made: HandlerReport, h: BuiltHandler, index: ProgramIndex, { adopt: asked }: EngineOptions): void {
  const { parser } = index.e.sources;
  const holds = (node: Node): boolean => {
    const place = parser.place(node);
    return node.getSourceFile().fileName === asked?.file && place.line <= asked.line && asked.line <= place.endLine;
  };
  const own = holds(h.fn.node);
  if (!asked || !(own || [...h.entered].some(holds))) return;
  made.adoption = { own, ...(own ? adoption(h, index, fixContext(made.client, h, index.e.sources), asked) : { edits: [], notes: [], obstacles: [] }) };
}

/** Why each rule speaks or is silent, and on what grounds, for the line that was asked about. */
function explain(made: HandlerReport, h: BuiltHandler, index: ProgramIndex, { root, explain: asked, preset, projections }: EngineOptions): void {
  const { parser } = index.e.sources;
  const functions = [h.fn.node, ...h.entered].filter((node, i, all) => all.indexOf(node) === i).map((node) => ({ node, place: parser.place(node) }));
  const holding = functions.filter(({ node, place }) => node.getSourceFile().fileName === asked?.file && place.line <= asked.line && asked.line <= place.endLine);
  const inner = holding.reduce<(typeof holding)[number] | undefined>((best, f) => (best && best.place.start >= f.place.start ? best : f), undefined);
  if (!inner) return;
  const { model } = h;
  made.explanation = {
    own: holding.some((f) => f.node === h.fn.node),
    inside: { name: nameOf(inner.node as FunctionNode), place: inner.place },
    chain: [
      ...chainTo(index, h.registered, new Set([h.fn.node, ...h.entered])),
      ...(model.outer ? [{ place: model.outer.place, name: model.outer.name, says: 'is called by the client, and calls the handler with the message' }] : []),
      ...(h.forwards ? [{ place: h.forwards, name: '', says: 'passes the message on to the handler' }] : []),
      { place: model.place, name: model.name, says: 'is the handler' },
    ],
    calls: callsOf(model),
    followed: functions.filter((f) => f.node !== h.fn.node).map(({ node, place }) => ({ place, name: nameOf(node as FunctionNode), says: '' })),
    rules: rules.map((rule) => explainRule(rule, { ...model, projection: isProjection(h, root, projections) }, preset)),
  };
}

function explainRule(rule: Rule, model: HandlerModel, preset: Preset): RuleExplanation {
  const what = rule.looksAt?.what ?? '';
  if (!inPreset(rule.preset, preset)) return { rule: rule.name, outcome: 'off', what, subjects: [] };
  const found = rule.check(model);
  const fires = found.filter((f) => inPreset(f.preset ?? rule.preset, preset));
  if (found.length > 0) return { rule: rule.name, outcome: fires.length > 0 ? 'fires' : 'strict', what, subjects: (fires.length > 0 ? fires : found).map((f) => ({ place: f.place, name: '', says: fill(rule.messages[f.messageId] ?? '', f.data) })) };
  const hint = rule.hint?.(model);
  const subjects = distinct(rule.looksAt?.in(model) ?? []).flatMap((n) => remarkOn(model, n) ?? []);
  return { rule: rule.name, outcome: 'silent', what, subjects: [...subjects, ...(hint === undefined ? [] : [{ place: model.place, name: model.name, says: hint }])] };
}

function isProjection({ fn, registered, model: { name, place } }: BuiltHandler, root: string, projections: readonly string[] = []): boolean {
  if (isMarkedProjection(fn.node, registered.at)) return true;
  const files = [place.file, resolve(root, place.file)];
  return projections.some((p) => p === name || files.some((file) => p === file || file.startsWith(p.endsWith('/') ? p : `${p}/`)));
}

export function inPreset(lowest: Preset, preset: Preset): boolean {
  return lowest === 'recommended' || preset === 'strict';
}

function finding(rule: Rule, f: RuleFinding, h: BuiltHandler): Finding {
  const via = f.place.file === h.model.place.file ? undefined : h.leadTo(f.place);
  return {
    id: '',
    rule: rule.name,
    severity: rule.severity,
    preset: f.preset ?? rule.preset,
    messageId: f.messageId,
    data: f.data,
    message: fill(rule.messages[f.messageId] ?? '', f.data),
    place: f.place,
    ...(via && { via }),
    trace: f.trace ?? [],
    suggestions: f.suggestions ?? [],
    ...(f.fix && { fix: f.fix }),
  };
}

export function fill(message: string, data: Record<string, string>): string {
  return message.replace(/\{\{(\w+)\}\}/g, (all, name: string) => data[name] ?? all);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}

/** Ids that do not change when lines shift: handlers and findings of one name are numbered in order. */
function withUniqueIds(handlers: HandlerReport[]): HandlerReport[] {
  const seen = new Map<string, number>();
  const places = new Map<string, string>();
  for (const h of handlers) {
    const n = seen.get(h.id) ?? 0;
    seen.set(h.id, n + 1);
    if (n > 0) h.id = hash([h.id, String(n)]);
    for (const f of h.findings) {
      // One cause has one id, whichever handler it is seen from.
      const at = `${f.rule}:${f.place.file}:${f.place.start}`;
      let id = places.get(at);
      if (id === undefined) {
        const base = hash([f.rule, f.messageId, f.place.file, f.place.file === h.place.file ? h.name : '', f.data.effect ?? '']);
        const count = seen.get(base) ?? 0;
        seen.set(base, count + 1);
        id = count === 0 ? base : hash([base, String(count)]);
        places.set(at, id);
      }
      f.id = id;
    }
  }
  return handlers;
}

