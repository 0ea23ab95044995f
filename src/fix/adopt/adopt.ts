import type { ProgramIndex } from '../../discovery/program-index.js';
import type { BuiltHandler } from '../../flow/handler.js';
import { INBOX_TABLE } from '../../flow/inbox.js';
import { distinct, isChange, isEffect, isExternal, reachable, type EffectNode } from '../../flow/query.js';
import type { Adoption } from '../../model/adoption.js';
import type { Place } from '../../model/place.js';
import { ts, isAsync, nameOf, type Compiler, type FunctionNode, type Node, type SourceFile } from '../../syntax/compiler.js';
import { lookup } from '../../syntax/scope.js';
import { outcomeOf, some } from '../code.js';
import { nodesAt, type FixContext } from '../context.js';
import { refusalOf } from '../refuse.js';
import { endOf, indentAt, pieceOf } from '../text.js';
import { Changes, lastImport } from './changes.js';
import { owner, type Instance } from './connection.js';
import { LIBRARIES, SUPPORTED } from './libraries.js';
import { isKnownAt, messageId, type MessageId } from './message-id.js';
import { Obstacle } from './obstacle.js';
import { poolFor } from './pool.js';
import { checkCatches, nodesIn, regionOf, within, type Region } from './region.js';
import { freeName, styleOf, type Style } from './style.js';
import { Threading } from './thread.js';

const INBOX = '@idempotent-consumers/inbox';

export interface AdoptRequest {
  /** The expression that is the id, where the user names it. */
  id?: string;
  /** Who handles the message, where the user names it. */
  consumer?: string;
}

/** What it takes to move a handler onto the inbox; where something is in the way, that and nothing else. */
export function adoption(h: BuiltHandler, index: ProgramIndex, context: FixContext, request: AdoptRequest): Omit<Adoption, 'own'> {
  try {
    return { ...adopted(h, index, context, request), obstacles: [] };
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    return { edits: [], notes: [], obstacles: [error.remark(index.e)] };
  }
}

function adopted(h: BuiltHandler, index: ProgramIndex, context: FixContext, request: AdoptRequest): Pick<Adoption, 'edits' | 'notes'> {
  const { e } = index;
  checkShape(h, context);
  const effects = statementsOf(h, context);
  const threading = new Threading(h, index, context, effects);
  const region = regionOf(e, h, threading.work());
  for (const w of threading.work()) checkCatches(w, region.list ?? h.fn.node);
  checkInside(h, index, context, threading, region);
  const changes = new Changes(e);
  const id: MessageId = request.id === undefined ? messageId(e, h) : { text: request.id, names: [] };
  if (!isKnownAt(id, region.first)) throw new Obstacle(id.names[0] ?? h.fn.node, 'the id of the message is read only inside of the transaction. Read it into a variable before the first statement.');
  checkId(id, region);
  const source = h.fn.node.getSourceFile();
  const style = styleOf(source);
  const instance = threading.instance();
  const connection = connectionIn(h.fn.node, instance, changes);
  const inbox = freeName('inbox', source);
  const tx = freeName(threading.sql.tx, h.fn.node);
  const consumer = request.consumer ?? consumerOf(h, index);
  changes.import(source, INBOX, 'createInbox');
  changes.import(source, INBOX, 'settlement');
  if (threading.sql.from !== undefined) changes.import(source, INBOX, threading.sql.from);
  const pool = poolFor(e, threading.library, instance, connection, source, changes);
  const q = style.quote;
  createInbox(instance, source, `const ${inbox} = createInbox({ ${pool === 'pool' ? 'pool' : `pool: ${pool}`}, consumer: ${q}${consumer}${q} })${style.end}`, h.fn.node, changes);
  threading.apply(changes, tx, instance);
  const write = new Writing(h, context, changes, style, region);
  const { from, open } = threading.sql;
  write.wrap(
    from === undefined || !open
      ? { before: [`${inbox}.process({ id: ${id.text} }, async (${tx}) => {`], after: ['})'] }
      : { before: [`${open(connection)}(${tx}) =>`, `${inbox}.record(${from}(${tx}), { id: ${id.text} }, async () => {`], after: ['}),', ')'] },
  );
  return { edits: changes.edits(), notes: notesOn(id, inbox, h) };
}

/** The id is asked for before the first statement: what it is made of must be there by then. */
function checkId(id: MessageId, region: Region): void {
  for (const [name] of id.text.matchAll(/(?<![\w$.'"`])[A-Za-z_$][\w$]*/g)) {
    const d = lookup(name, region.first);
    if (d && region.statements.some((s) => within(d, s))) throw new Obstacle(d, `the id of the message, \`${id.text}\`, is made of it, and it comes only with the statements of the transaction. Read the id before the first of them.`);
  }
}

/** The handler's statements, all of one library that the inbox works with. */
function statementsOf(h: BuiltHandler, context: FixContext): EffectNode[] {
  const effects = distinct(reachable(h.model.graph).filter(isEffect).filter((n) => n.event.effect.library in LIBRARIES)).sort(inOrder);
  const [first] = effects.filter(isChange);
  if (!first) throw new Obstacle(h.fn.node, `it changes nothing in a database through ${SUPPORTED}. What the inbox covers are changes of PostgreSQL; an external effect takes a key (require-idempotency-key), or a step of the inbox.`);
  const other = effects.find((n) => n.event.effect.library !== first.event.effect.library);
  if (other) throw new Obstacle(at(other.event.effect.place, context, h), `it runs through ${other.event.effect.library}, the statement on line ${first.event.effect.place.line} through ${first.event.effect.library}: two connections have no transaction in common. Use one of them for both.`);
  const second = effects.filter(isChange).find((n) => n.event.effect.handle !== first.event.effect.handle);
  if (second) {
    throw new Obstacle(at(second.event.effect.place, context, h), `it runs on another connection than the statement on line ${first.event.effect.place.line}. One transaction is of one connection: use the same for both.`);
  }
  const callback = effects.map((n) => at(n.event.effect.place, context, h)).find((n) => first.event.effect.library === 'pg' && ts.isCallExpression(n) && n.arguments.length > 1 && takesResult(n.arguments.at(-1) as Node));
  if (callback) throw new Obstacle(callback, 'it gives its result to a callback. Await it instead.');
  const loose = effects.find((n) => n.event.task !== undefined);
  if (loose) throw new Obstacle(at(loose.event.effect.place, context, h), 'nobody waits for it, so that the transaction could end before it. Await it; `fix` can do that.');
  return effects;
}

function takesResult(argument: Node): boolean {
  return ts.isArrowFunction(argument) || ts.isFunctionExpression(argument);
}

function inOrder(a: EffectNode, b: EffectNode): number {
  const [x, y] = [a.event.effect.place, b.event.effect.place];
  return x.file.localeCompare(y.file) || x.start - y.start;
}

/** What a handler of one message looks like. */
function checkShape(h: BuiltHandler, context: FixContext): void {
  const { model, registered } = h;
  const { nodes } = model.graph;
  const known = nodes.filter(isEffect).find((n) => n.event.effect.table === INBOX_TABLE);
  if (known) throw new Obstacle(at(known.event.effect.place, context, h), 'the handler is on the inbox already.');
  const batch = nodes.some((n) => n.event.kind === 'message') || /Batch/.test(registered.registration.params?.map((p) => (typeof p === 'string' ? p : '')).join(' ') ?? '');
  if (model.receives || batch || model.partialBatch) throw new Obstacle(h.fn.node, 'it takes several messages at once, or receives them itself. Move what is done for one message to a function of its own that is given the message, and call `inbox.process` there, or `inbox.processBatch` for all; see "Batches" in docs/inbox.md.');
  if (model.autoAck) throw new Obstacle(at(model.autoAck, context, h), 'the message is acknowledged before the handler runs: no redelivery, and nothing to recognise. Acknowledge by hand, behind the work.');
  if (model.acknowledgement === 'on-delivery') throw new Obstacle(h.fn.node, 'its client acknowledges before the handler runs: a message that fails is lost, not repeated. Let it acknowledge by hand first.');
  if (model.http) throw new Obstacle(h.fn.node, 'it answers an HTTP request. Call `inbox.process` in it by hand, and answer as `settlement(outcome)` says; see "Outcomes" in docs/inbox.md.');
  if (model.graph.truncated) throw new Obstacle(h.fn.node, 'it reaches too much code to be followed to its end. Move the work on the database to a function of its own.');
  const begin = nodes.find((n) => n.event.kind === 'begin' && !n.event.broker);
  if (begin?.event.kind === 'begin') throw new Obstacle(at(begin.event.place, context, h), 'a transaction is opened here. Record the message in it by hand: `inbox.record(…)` around its statements, as docs/inbox.md shows under "Your own transaction".');
}

function at(place: Place, context: FixContext, h: BuiltHandler): Node {
  return nodesAt(place, context)[0] ?? h.fn.node;
}

/** What must not happen inside of a transaction, or cannot be seen there. */
function checkInside(h: BuiltHandler, index: ProgramIndex, context: FixContext, threading: Threading, region: Region): void {
  const handler = h.fn.node;
  /** The node is in the region, or in a function that may be called from there. */
  const isInside = (node: Node, depth = 0): boolean => {
    const fn = owner(node, handler);
    if (!fn || depth > 8) return true;
    if (fn === handler) return region.statements.some((s) => within(node, s));
    return index.callSites(fn).some((s) => (owner(s.node, handler) === handler || h.entered.has(owner(s.node, handler) as Node)) && isInside(s.node, depth + 1));
  };
  for (const n of reachable(h.model.graph)) {
    if (n.event.kind === 'unresolved') {
      const node = at(n.event.place, context, h);
      if (isInside(node)) throw new Obstacle(node, `what it does cannot be seen (${n.event.because}); what it sends to the database would stay outside of the transaction. Call it before or behind the statements, or describe it in the settings.`);
    }
    if (!isChange(n) || n.event.effect.library === threading.library) continue;
    const node = at(n.event.effect.place, context, h);
    if (isInside(node)) throw new Obstacle(node, 'it cannot be rolled back, and would be done again with each new try of the transaction. Do it before the first statement as `inbox.step(…)`, or put it into the outbox (`tx.enqueue`); see "External effects" in docs/inbox.md.');
  }
}

/** The connection as the handler can write it. */
function connectionIn(fn: FunctionNode, instance: Instance, changes: Changes): string {
  const { declaration, text, node } = instance;
  const source = fn.getSourceFile();
  if (/\bthis\b/.test(text)) throw new Obstacle(node, 'the connection is a member of a class, and who makes the class cannot be seen. Make an inbox beside it (`createInbox({ pool, consumer })`, handed in like the connection), and call it by hand; see docs/inbox.md.');
  return node.getSourceFile() === source && !declaration ? text : changes.use(declaration, node, source, text);
}

/** Behind the imports, or behind the connection where that is made in the same file. */
function createInbox({ declaration }: Instance, source: SourceFile, text: string, handler: Node, changes: Changes): void {
  const style = styleOf(source);
  if (!declaration || declaration.getSourceFile() !== source) {
    changes.insertBelowImports(source, text);
    return;
  }
  if (ts.isParameter(declaration)) {
    const { body } = declaration.parent as FunctionNode;
    if (!body || !ts.isBlock(body) || !within(handler, body)) throw new Obstacle(declaration, 'the connection is handed in where no inbox can be made. Make it in a variable of the module.');
    const [first] = body.statements;
    const start = first?.getStart() ?? body.end - 1;
    changes.insert(source, start, `${text}${style.newline}${indentAt(source.text, start)}`);
    return;
  }
  let statement: Node = declaration;
  while (!ts.isStatement(statement)) statement = statement.parent;
  const last = lastImport(source);
  if (last && last.pos > statement.pos) changes.insertBelowImports(source, text);
  else changes.insert(source, endOf(source, statement), `${style.newline}${indentAt(source.text, statement.getStart())}${text}`);
}

const ANY = /^(\(anonymous\)|handler?|handle|default|consume|consumer|process(or)?|run|main|on_?message|each_?message|eachMessage|onMessage|worker|lambda|module\.exports|exports\.\w+)$/i;

/** The handler's own name, or that of its file; the same for all time, and of no other inbox in the program. */
function consumerOf(h: BuiltHandler, index: ProgramIndex): string {
  const own = nameOf(h.fn.node).split('.').at(-1) ?? '';
  const parts = h.fn.node.getSourceFile().fileName.replace(/\.[cm]?[jt]sx?$/, '').split('/');
  const file = (/^(index|main|app|server|handler)$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1)) ?? 'consumer';
  const name = (ANY.test(own) || ANY.test(nameOf(h.fn.node)) ? file : own).replace(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase().replace(/[^a-z\d]+/g, '-').replace(/^-+|-+$/g, '') || 'consumer';
  const taken = (n: string): boolean => index.filesWith('createInbox').some((s) => new RegExp(`consumer: ['"\`]${n}['"\`]`).test(s.text));
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name}-${i}`;
    if (!taken(candidate)) return candidate;
  }
}

function notesOn(id: MessageId, inbox: string, h: BuiltHandler): string[] {
  const outside = distinct(reachable(h.model.graph).filter(isExternal)).map((n) => n.event.effect);
  return [
    `Install ${INBOX}, and create its tables: \`await ${inbox}.migrate()\` once at the start, or the SQL in its folder sql.`,
    ...(id.note === undefined ? [] : [id.note]),
    ...outside.map((x) => `\`${x.name}\` in ${x.place.file}:${x.place.line} is outside of the transaction, and is done again when the message comes again.`),
  ];
}

/** Writes the handler anew around its statements. */
class Writing {
  private readonly source: SourceFile;
  private readonly outcome: string;

  constructor(
    private readonly h: BuiltHandler,
    private readonly context: FixContext,
    private readonly changes: Changes,
    private readonly style: Style,
    private readonly region: Region,
  ) {
    this.source = h.fn.node.getSourceFile();
    this.outcome = freeName('outcome', h.fn.node);
  }

  wrap(call: { before: string[]; after: string[] }): void {
    this.makeAsync();
    if (this.region.list) this.wrapStatements(call);
    else this.wrapExpression(call);
  }

  private wrapStatements({ before, after }: { before: string[]; after: string[] }): void {
    const { source, region, style } = this;
    const start = pieceOf(source, region.first).start;
    const end = endOf(source, region.last);
    const indent = indentAt(source.text, region.first.getStart());
    const depth = (n: number): string => style.newline + indent + style.indent.repeat(n);
    const levels = before.length;
    const head = before.map((line, i) => (i === 0 ? `const ${this.outcome} = await ${line}` : depth(i) + line)).join('');
    this.changes.insert(source, start, `${head}${depth(levels)}`);
    for (const line of this.linesOf(start, end)) this.changes.insert(source, line, style.indent.repeat(levels));
    const tail = after.map((line, i) => depth(levels - 1 - i) + line).join('');
    this.changes.insert(source, end, `${tail}${style.end}${this.guard(depth(0))}`);
    this.settle(indent);
  }

  /** `async (m) => save(m)` becomes a function with statements. */
  private wrapExpression({ before, after }: { before: string[]; after: string[] }): void {
    const { source, style } = this;
    const body = this.region.first;
    const indent = indentAt(source.text, this.h.fn.node.getStart());
    const depth = (n: number): string => style.newline + indent + style.indent.repeat(n);
    const [first = '', ...others] = before;
    const head = [`{${depth(1)}const ${this.outcome} = await ${first}`, ...others.map((line, i) => depth(i + 2) + line)].join('');
    const awaited = ts.isAwaitExpression(body) ? '' : 'await ';
    this.changes.insert(source, body.getStart(), `${head}${depth(before.length + 1)}${awaited}`);
    const tail = after.map((line, i) => depth(before.length - i) + line).join('');
    this.changes.insert(source, body.end, `${style.end}${tail}${style.end}${this.guard(depth(1))}${depth(0)}}`);
  }

  /** What is no success leaves the handler as an error, if no acknowledgement follows that is not given then. */
  private guard(lineBreak: string): string {
    const { ackCall, list } = this.region;
    if (ackCall && refusalOf(ackCall, this.context) !== undefined) return '';
    if (this.h.model.acknowledgement === 'explicit' && !ackCall && list) this.checkGuard(list);
    const q = this.style.quote;
    return `${lineBreak}if (settlement(${this.outcome}) !== ${q}ack${q}) throw new Error(\`The message was not processed: \${${this.outcome}.status}\`)${this.style.end}`;
  }

  /** The acknowledgement is somewhere else: an error thrown here must not lead to it. */
  private checkGuard(list: Compiler.Block): void {
    for (let n: Node = list; n !== this.h.fn.node; n = n.parent) {
      if (!ts.isTryStatement(n.parent)) continue;
      const { catchClause, finallyBlock } = n.parent;
      const acks = (x: Node | undefined): boolean => x !== undefined && this.context.acks.some((a) => nodesAt(a, this.context).some((y) => within(y, x)));
      if (acks(finallyBlock) || (catchClause && acks(catchClause)) || (catchClause && outcomeOf(catchClause.block) === 'drops')) throw new Obstacle(n.parent, 'the message is acknowledged also if the work has failed. Acknowledge behind the last statement, in the same block; `fix` moves it there in most cases.');
    }
  }

  private settle(indent: string): void {
    const { source, region, style } = this;
    const { ack, ackCall } = region;
    const refusal = ackCall && refusalOf(ackCall, this.context);
    if (!ack || refusal === undefined) return;
    const q = style.quote;
    const failing = refusal.replace(/^(.*\.nack\(.*), false\)$/, `$1, settlement(${this.outcome}) === ${q}retry${q})`);
    const text = ack.getText().replace(/;$/, '');
    this.changes.replace(source, ack.getStart(), ack.end, `if (settlement(${this.outcome}) === ${q}ack${q}) ${text}${style.end}${style.newline}${indent}else ${text.startsWith('await ') ? 'await ' : ''}${failing}${style.end}`);
  }

  /** Where lines begin between two places, but for those inside of templates, and empty ones. */
  private linesOf(start: number, end: number): number[] {
    const { text } = this.source;
    const templates = nodesIn(this.source, (n) => (ts.isTemplateExpression(n) || ts.isNoSubstitutionTemplateLiteral(n)) && n.pos < end && n.end > start);
    const found: number[] = [];
    for (let i = text.indexOf('\n', start); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) {
      const line = i + 1;
      if (/^\r?\n/.test(text.slice(line)) || templates.some((t) => t.getStart() < line && line < t.end)) continue;
      found.push(line);
    }
    return found;
  }

  private makeAsync(): void {
    const fn = this.h.fn.node;
    if (isAsync(fn)) return;
    if (fn.type && !/^Promise\b/.test(fn.type.getText())) throw new Obstacle(fn.type, 'the handler returns no promise, and its client would not wait for the transaction. Make it async.');
    if (some(fn.body ?? fn, (n) => ts.isYieldExpression(n))) throw new Obstacle(fn, 'the handler is a generator. Make it an async function.');
    const place = ts.isMethodDeclaration(fn) ? fn.name.getStart() : ts.isFunctionDeclaration(fn) ? fn.getStart() + fn.getText().indexOf('function') : fn.getStart();
    this.changes.insert(this.source, place, 'async ');
  }
}
