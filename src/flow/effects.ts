import type { EffectFacts } from '../catalog/schema.js';
import type { Effect, Key, WriteKind } from '../model/effect.js';
import type { Evaluator } from '../origin/evaluate.js';
import { argument, argumentNode, receiverOf } from '../origin/library.js';
import { ingredients, stabilityOf } from '../origin/stability.js';
import { options, propertiesOf, type Args, type CallKey, type LibraryValue, type Link, type ObjectValue, type Value } from '../origin/value.js';
import { keyOfFilter, keyOfRow } from './row-key.js';
import { isMadeHere, RowReader, type Row } from './rows.js';
import { keyHeaderOf } from '../catalog/key-headers.js';
import { isPassing } from './passing-counter.js';
import { asksForToken } from './token-request.js';
import { expiryArgument, mayExpire, redisExpiry, rowExpiry, sqlExpiry } from './expiry.js';
import { identityIn, strongest } from './identity.js';
import { classifySql, joinSql, type SqlOperand, type SqlStatement } from '../sql/classify.js';
import { ts, type CallLike, type Expression, type Node } from '../syntax/compiler.js';

/** What a library call does to the world: one effect for most calls, several for SQL of several statements. */
export interface ReadEffect {
  effect: Effect;
  statement?: SqlStatement;
  /** Values that go in, for asking what they were made from. */
  inputs: Value[];
  /** The entity that is written back. */
  entity?: Value;
  /** The row, or rows, that it may add. */
  row?: Row;
  /** The calls whose results go into the row; `listed`: as one of a list of rows. */
  rowFrom?: readonly { call: CallKey; listed: boolean }[];
  /** A read that asks for a state (`status: 'open'`): it finds what is still to be done, any other one what is there already. */
  asksForState?: boolean;
  /** What it says itself of the row that it means. */
  filter?: readonly Key[];
}

const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**', 'step', '+=', '-=', '*=', '/=', '||=']);

/** A POST that only asks: for a token, by a search, whether something is valid. */
const ASKS = /[/.](oauth2?|tokens?|login|signin|authenticate|search|query|verify|validate|(?:verify|validate)[-_][-_a-z]*signature|lookup|introspect|(?:get[-_])?pre-?sign[-_a-z]*|predict|embeddings?|completions?)\b(?!-(?!batch\b))/i;

export class EffectReader {
  private readonly rows: RowReader;

  constructor(private readonly e: Evaluator) {
    this.rows = new RowReader(e, (name, value, node) => this.key(name, value, node));
  }

  /** The effects of a call with these facts. */
  read(facts: EffectFacts, callee: LibraryValue, args: Args, node: CallLike): ReadEffect[] {
    return this.classified(facts, callee, args, node).map((r) => this.keyed(r, facts));
  }

  /** The effect with what keeps the row that it adds apart from that of a repeat. */
  private keyed(read: ReadEffect, facts?: EffectFacts): ReadEffect {
    const { effect, row, filter } = read;
    if (row && !effect.sets && isUpdate(effect)) {
      const sets = setColumns(row.columns as readonly Key[]);
      if (sets.length > 0) effect.sets = sets;
    }
    const expiry = effect.kind === 'write' && !effect.expiry ? rowExpiry(this.e, read.inputs) : undefined;
    if (expiry) effect.expiry = expiry;
    const rowKey = filter?.length ? keyOfFilter(effect, filter) : row && keyOfRow(this.e, effect, row, facts?.identity);
    if (effect.kind !== 'write') return rowKey ? { ...read, effect: { ...effect, rowKey } } : read;
    const rowFrom = read.inputs.flatMap((v) => ingredients(this.e, v)).flatMap((v) => (v.kind === 'library' && v.call !== undefined ? [{ call: v.call, listed: v.path.some((p) => /^(\*|\d+)$/.test(p)) }] : []));
    return { ...read, effect: rowKey ? { ...effect, rowKey } : effect, rowFrom };
  }

  private classified(facts: EffectFacts, callee: LibraryValue, args: Args, node: CallLike): ReadEffect[] {
    const base = this.base(facts, callee, args, node);
    const by = facts.classify?.by;
    if (by === 'sql' || by === 'sql-template') return this.sql(facts, base, callee, args, node);
    if (by === 'dynamodb') return [this.dynamodb(facts, base, args)];
    if (by === 'operators') return [this.operators(facts, base, args, callee)];
    if (by === 'redis-set') return [this.redisSet(base, args)];
    if (by === 'http') return this.http(facts, base, args, callee);
    if (by === 'entity') return [this.entity(facts, base, args, callee, node)];
    return [this.plain(facts, isPassing(base, node) ? { ...base, passing: true } : base, args, callee)];
  }

  private base(facts: EffectFacts, callee: LibraryValue, args: Args, node: CallLike): Effect {
    const receiver = receiverOf(callee);
    const joined = facts.joins !== undefined ? argument(this.e, args, facts.joins, callee) : undefined;
    return {
      kind: facts.kind,
      library: callee.library.name,
      name: callName(node),
      place: this.e.sources.parser.place(node),
      ...(facts.writeKind && { writeKind: facts.writeKind }),
      ...this.tableOf(facts.table, receiver, args, callee),
      handle: handleOf(joined) ?? receiver.root,
      keys: [],
      failure: facts.failureIn !== undefined ? 'value' : 'throws',
      ...((facts.kind === 'external' || callee.library.remote) && { remote: true }),
      ...(facts.marker && { marker: true }),
      ...(facts.inMemory && { inMemory: true }),
      ...(facts.locking && { locking: true }),
      ...(facts.idempotent && { idempotent: true }),
      ...expires(expiryArgument(this.e, facts, args, callee)),
    };
  }

  private tableOf(table: EffectFacts['table'], receiver: LibraryValue, args: Args, callee: LibraryValue): { table?: string } {
    if (table === undefined) return {};
    if (table === 'member') return receiver.member !== undefined ? { table: receiver.member } : {};
    if (table === 'receiver') {
      const typed = receiver.typeArgs?.[0];
      return { table: typed ?? this.literalArgument(receiver) ?? receiver.name.replace(/^this\./, '') };
    }
    const value = argument(this.e, args, table, callee);
    const name = value && nameOfValue(value);
    if (name !== undefined) return { table: name };
    const expression = argumentNode(args, table);
    return expression ? { table: expression.getText().slice(0, 60) } : {};
  }

  /** `mongoose.model('Order', …)`, `db.collection('orders')`. */
  private literalArgument(value: LibraryValue): string | undefined {
    for (let v: LibraryValue | undefined = value; v; v = v.parent) {
      const first = v.args && argument(this.e, v.args, '0');
      if (first?.kind === 'constant' && typeof first.value === 'string') return first.value;
      if (first?.kind === 'class') return first.node.name?.text;
    }
    return undefined;
  }

  key(name: string, value: Value, node: Node): Key {
    const { stability, because } = stabilityOf(this.e, value);
    const chosen = value.kind === 'union' && value.options.filter((o) => o.kind === 'constant' && typeof o.value === 'string').length > 1;
    const from = options(value).find((o) => o.kind === 'library' && o.call !== undefined && o.path.length > 0 && !o.stability) as LibraryValue | undefined;
    return { name, stability, text: node.getText().replace(/\s+/g, ' ').slice(0, 80), place: this.e.sources.parser.place(node), ...(because !== undefined && { because }), ...(chosen && { chosen }), ...(value.kind === 'constant' && { constant: typeof value.value === 'string' ? `'${value.value}'` : String(value.value) }), ...(from?.call !== undefined && { from: from.call }) };
  }

  /** Keys from an object of conditions or columns. */
  keysOf(value: Value | undefined, fallback: Node, depth = 0): Key[] {
    if (!value) return [];
    if (value.kind === 'object') {
      const found: Key[] = [];
      for (const p of propertiesOf(value)) {
        if (ts.isSpreadAssignment(p)) {
          found.push(...this.keysOf(this.e.evaluate(p.expression, value.frame), p, depth + 1));
          continue;
        }
        const name = this.e.propertyName(p.name, value.frame);
        if (name === undefined) continue;
        const v = this.e.objectMember(value, name);
        const node = ts.isPropertyAssignment(p) ? p.initializer : p;
        if (v.kind === 'object' && depth < 3) found.push(...this.keysOf(v, node, depth + 1).map((k) => ({ ...k, name: `${name}.${k.name}` })));
        else found.push(this.key(name, v, node));
      }
      return found;
    }
    if (value.kind === 'list') return value.elements.flatMap((v) => this.keysOf(v, fallback, depth + 1));
    if (value.kind === 'union') return value.options.flatMap((v) => this.keysOf(v, fallback, depth + 1)).slice(0, 20);
    if (value.kind === 'derived' && value.condition) return this.conditionKeys(value, fallback, depth);
    if (value.kind === 'derived' || value.kind === 'library' || value.kind === 'text' || value.kind === 'constant') return [this.key('', value, fallback)];
    return [];
  }

  /** `eq(orders.id, id)` is a key of the column by that name, `and(…)` all that its parts are. */
  private conditionKeys({ condition, parts, node }: Extract<Value, { kind: 'derived' }>, fallback: Node, depth: number): Key[] {
    if (condition === 'all') return parts.flatMap((p) => this.keysOf(p, fallback, depth + 1));
    const [column, operand] = node && ts.isCallExpression(node) ? node.arguments : [];
    const value = parts.at(-1);
    if (!column || !operand || !value) return [];
    return [this.key(column.getText().split('.').at(-1) ?? '', value, operand)];
  }

  private plain(facts: EffectFacts, base: Effect, args: Args, callee: LibraryValue): ReadEffect {
    const where = facts.where !== undefined ? argument(this.e, args, facts.where, callee) : undefined;
    const data = facts.data !== undefined ? argument(this.e, args, facts.data, callee) : undefined;
    const first = args.nodes[0] ?? undefined;
    const effect: Effect = { ...base };
    if (facts.kind === 'external') this.external(facts, effect, args, callee);
    const locks = facts.locks !== undefined ? argument(this.e, args, facts.locks, callee) : undefined;
    if (locks && !(locks.kind === 'constant' && !locks.value)) effect.locking = true;
    if (where && first) effect.keys = this.keysOf(where, argumentNode(args, facts.where ?? '0') ?? first);
    if (data && first && !effect.keys.length) effect.keys = this.keysOf(data, argumentNode(args, facts.data ?? '0') ?? first);
    const marked = effect.marker && first && argument(this.e, args, '0', callee);
    if (marked) {
      if (!effect.keys.length) effect.keys = [this.key('key', marked, first)];
      effect.carries = identityIn(this.e, marked);
    }
    const relative = data && this.relative(data);
    if (relative && relative.length && (effect.writeKind === 'absolute' || effect.writeKind === 'upsert')) {
      effect.writeKind = 'delta';
      effect.deltaColumns = relative;
    }
    return { effect, inputs: [where, data].filter((v) => v !== undefined), ...this.rowOf(data, first), ...(where && { filter: effect.keys }) };
  }

  private rowOf(data: Value | undefined, at: Node | undefined): { row?: Row } {
    return data && at ? { row: this.rows.read(data, at) } : {};
  }

  private external(facts: EffectFacts, effect: Effect, args: Args, callee: LibraryValue): void {
    const paths = listOf(facts.key);
    const [first] = paths;
    if (first !== undefined) {
      effect.keyOption = { name: nameOfPath(first), path: pathToWrite(paths, args), honoured: facts.keyIsCarried !== true };
      const given = this.keyAt(paths, args, callee) ?? this.contentAsKey(facts, args, callee);
      if (given) effect.idempotencyKey = given;
    }
    if (!effect.keys.length) effect.keys = args.nodes.slice(0, 4).flatMap((n) => this.keysOf(this.e.evaluate(n, args.frame), n));
    const content = listOf(facts.content).map((path) => argument(this.e, args, path, callee)).filter((v) => v !== undefined);
    if (facts.content !== undefined) effect.carries = strongest(content.map((v) => identityIn(this.e, v)));
    if (facts.contentUnseen) effect.carries = 'unknown';
    if (facts.idempotentBy !== undefined) {
      const value = argument(this.e, args, facts.idempotentBy, callee);
      const { stability } = value ? stabilityOf(this.e, value) : { stability: 'unknown' as const };
      // A name that cannot be seen is taken for a good one: nothing is proven against it.
      if (stability === 'minted' || stability === 'delivery') effect.freshName = true;
      else effect.idempotent = true;
    }
  }

  /** The key that is given at one of these places. One that cannot be seen is a key all the same: nothing is proven against it. */
  private keyAt(paths: readonly string[], args: Args, callee: LibraryValue): Key | undefined {
    let unseen: Key | undefined;
    for (const path of paths) {
      const value = argument(this.e, args, path, callee);
      const node = value && (argumentNode(args, path) ?? args.nodes[0]);
      if (!node) continue;
      const key = this.key(nameOfPath(path), value, node);
      if (value.kind !== 'unknown') return key;
      unseen ??= key;
    }
    return unseen;
  }

  private contentAsKey(facts: EffectFacts, args: Args, callee: LibraryValue): Key | undefined {
    if (facts.keyIsContentWith === undefined || argument(this.e, args, facts.keyIsContentWith, callee) === undefined) return undefined;
    return this.keyAt(listOf(facts.content), args, callee);
  }

  // --- SQL

  private sql(facts: EffectFacts, base: Effect, callee: LibraryValue, args: Args, node: CallLike): ReadEffect[] {
    const c = facts.classify;
    if (c?.by !== 'sql' && c?.by !== 'sql-template') return [];
    let text: string | undefined;
    let holes: Value[] = [];
    if (ts.isTaggedTemplateExpression(node)) {
      ({ text, holes } = this.taggedSql(node, args));
    } else {
      const first = c.by === 'sql' ? argument(this.e, args, c.text, callee) : argument(this.e, args, '0', callee);
      ({ text, holes } = this.sqlText(first));
      if (c.by === 'sql' && c.values !== undefined) {
        const config = first?.kind === 'object' ? this.e.objectMember(first, 'values') : undefined;
        const values = config && config.kind !== 'constant' ? config : argument(this.e, args, c.values, callee);
        if (values) holes = values.kind === 'list' ? [...values.elements] : holes.length ? holes : [values];
      }
    }
    if (text === undefined) return [{ effect: { ...base, kind: 'write', keys: [] }, inputs: holes }];
    const { statements } = classifySql(text, c.dialect);
    const flat = statements.flatMap((s) => [...s.parts, s]);
    return flat.map((s) => ({ effect: this.sqlEffect(base, s, holes, node), statement: s, inputs: holes, ...(s.verb === 'insert' && { row: this.sqlRow(base, s, holes, node) }) }));
  }

  private taggedSql(node: import('../syntax/compiler.js').Compiler.TaggedTemplateExpression, args: Args): { text: string; holes: Value[] } {
    const t = node.template;
    if (!ts.isTemplateExpression(t)) return { text: t.text, holes: [] };
    const texts = [t.head.text, ...t.templateSpans.map((s) => s.literal.text)];
    return { text: joinSql(texts), holes: args.nodes.map((n) => this.e.evaluate(n, args.frame)) };
  }

  /** The text of a statement given as a string, a template, or a config object with `text`. */
  private sqlText(value: Value | undefined): { text: string | undefined; holes: Value[] } {
    if (!value) return { text: undefined, holes: [] };
    if (value.kind === 'constant' && typeof value.value === 'string') return { text: value.value, holes: [] };
    if (value.kind === 'text') {
      const texts: string[] = [''];
      const holes: Value[] = [];
      for (const p of value.parts) {
        if (typeof p === 'string') texts[texts.length - 1] += p;
        else {
          holes.push(p);
          texts.push('');
        }
      }
      // The text has its own placeholders for values; the template's holes are names and lists.
      return { text: texts.some((t) => /\$\d|\?/.test(t)) ? texts.join('hole_') : joinSql(texts), holes };
    }
    if (value.kind === 'object') {
      for (const name of ['text', 'sql', 'query']) {
        const inner = this.e.objectMember(value, name);
        if (inner.kind === 'constant' && inner.value === undefined) continue;
        return this.sqlText(inner);
      }
    }
    if (value.kind === 'derived' && value.node && ts.isTaggedTemplateExpression(value.node)) {
      const t = value.node.template;
      const texts = ts.isTemplateExpression(t) ? [t.head.text, ...t.templateSpans.map((s) => s.literal.text)] : [t.text];
      return { text: joinSql(texts), holes: value.parts };
    }
    if (value.kind === 'derived' && value.operator.startsWith('.') && value.parts[0]) return this.sqlText(value.parts[0]);
    if (value.kind === 'union') {
      for (const o of value.options) {
        const found = this.sqlText(o);
        if (found.text !== undefined) return found;
      }
    }
    return { text: undefined, holes: [] };
  }

  /** The JavaScript value in a place of a statement. */
  private valueAt(o: SqlOperand, holes: readonly Value[]): Value | undefined {
    if (o.kind === 'placeholder') return holes[o.index ?? -1];
    return o.kind === 'expression' ? o.operands.map((x) => this.valueAt(x, holes)).find((v) => v !== undefined) : undefined;
  }

  private sqlKey(base: Effect, name: string, o: SqlOperand, holes: readonly Value[], node: CallLike): Key | undefined {
    const value = this.valueAt(o, holes);
    if (value) return this.key(name, value, this.holeNode(node, o) ?? node);
    if (o.kind === 'minted') return { name, stability: 'minted', text: name, place: base.place, because: 'the database' };
    if (o.kind === 'literal') return { name, stability: 'constant', text: String(o.value), place: base.place };
    return undefined;
  }

  private sqlRow(base: Effect, s: SqlStatement, holes: readonly Value[], node: CallLike): Row {
    const columns = s.columns.map((c) => this.sqlKey(base, c.name, c.value, holes, node) ?? { name: c.name, stability: 'unknown' as const });
    return { columns: columns.filter((c) => !/^[*#$]/.test(c.name)), open: s.columns.length === 0 || s.open === true || s.columns.some((c) => /^[*#$]/.test(c.name)) };
  }

  private sqlEffect(base: Effect, s: SqlStatement, holes: Value[], node: CallLike): Effect {
    const at = (o: SqlOperand): Value | undefined => this.valueAt(o, holes);
    const keyOf = (name: string, o: SqlOperand): Key | undefined => this.sqlKey(base, name, o, holes, node);
    const columns = s.verb === 'insert' ? s.columns.map((c) => keyOf(c.name, c.value)) : s.where.map((w) => (w.operator === '=' ? keyOf(w.column, w.value) : undefined));
    const isRead = s.verb === 'select' || s.verb === 'other' || s.verb === 'ddl' || s.verb === 'savepoint';
    const relative = s.deltaColumns.length ? s.deltaColumns : s.columns.filter((c) => { const v = at(c.value); return v !== undefined && this.readBased(v, { library: base.library }); }).map((c) => c.name);
    const writeKind: WriteKind | undefined = s.writeKind === 'absolute' && relative.length ? 'delta' : s.writeKind;
    return {
      ...base,
      kind: isRead ? 'read' : 'write',
      ...(s.table !== undefined && { table: s.table }),
      ...(writeKind && !isRead && { writeKind }),
      ...(relative.length && { deltaColumns: relative }),
      ...(s.gate && { gate: s.gate.kind }),
      ...(s.locking && { locking: true }),
      keys: columns.filter((k) => k !== undefined),
      ...(isRead && s.verb === 'select' && { marker: false }),
      ...expires(sqlExpiry(s, at, base.place)),
      ...((s.verb === 'update' || s.conflictSet) && { sets: setBy(s).flatMap((c) => keyOf(c.name, c.value) ?? []) }),
    };
  }

  private holeNode(node: CallLike, o: SqlOperand): Node | undefined {
    if (o.kind !== 'placeholder' || o.index === undefined) return undefined;
    if (ts.isTaggedTemplateExpression(node)) return ts.isTemplateExpression(node.template) ? node.template.templateSpans[o.index]?.expression : undefined;
    const values = node.arguments?.[1];
    if (values && ts.isArrayLiteralExpression(values)) return values.elements[o.index];
    const first = node.arguments?.[0];
    if (first && ts.isTemplateExpression(first)) return first.templateSpans[o.index]?.expression;
    return undefined;
  }

  // --- Objects with operators (Prisma, MongoDB, ORMs)

  private operators(facts: EffectFacts, base: Effect, args: Args, callee: LibraryValue): ReadEffect {
    const c = facts.classify;
    if (c?.by !== 'operators') return { effect: base, inputs: [] };
    const data = argument(this.e, args, c.data, callee);
    const where = c.where !== undefined ? argument(this.e, args, c.where, callee) : facts.where !== undefined ? argument(this.e, args, facts.where, callee) : undefined;
    const effect: Effect = { ...base };
    const first = args.nodes[0];
    const skip = c.skipDuplicates !== undefined ? argument(this.e, args, c.skipDuplicates, callee) : undefined;
    const upsert = c.upsert !== undefined ? argument(this.e, args, c.upsert, callee) : undefined;
    if (upsert && !(upsert.kind === 'constant' && !upsert.value)) effect.writeKind = 'upsert';
    if (skip && !(skip.kind === 'constant' && !skip.value)) effect.writeKind = 'insert-or-ignore';
    const delta = data ? this.operatorFields(data, c.delta) : [];
    const relative = data ? this.relative(data) : [];
    if (delta.length || relative.length) {
      if (effect.writeKind !== 'insert' && effect.writeKind !== 'insert-or-ignore') effect.writeKind = 'delta';
      effect.deltaColumns = [...delta, ...relative];
    } else if (data?.kind === 'object' && effect.writeKind === 'upsert') {
      const names = propertiesOf(data).map((p) => (p.name ? this.e.propertyName(p.name, data.frame) : undefined));
      if (names.length && names.every((n) => n === '$setOnInsert')) effect.writeKind = 'insert-or-ignore';
    }
    const keyed = effect.writeKind === 'insert' || effect.writeKind === 'insert-or-ignore' ? (facts.data !== undefined ? argument(this.e, args, facts.data, callee) : data) : where;
    if (first) effect.keys = this.keysOf(keyed, first);
    const gate = where && this.gateOf(where, data);
    if (gate) {
      effect.gate = gate;
      if (effect.writeKind === 'absolute') effect.writeKind = 'guarded';
    }
    const row = facts.data !== undefined ? argument(this.e, args, facts.data, callee) : data;
    return { effect, inputs: [data, where].filter((v) => v !== undefined), ...this.rowOf(row, first), ...(where && { filter: first ? this.keysOf(where, first) : [] }) };
  }

  /** Fields changed by an operator: `{ balance: { increment: 5 } }`, `{ $inc: { balance: 5 } }`. */
  private operatorFields(data: Value, delta: readonly string[], depth = 0): string[] {
    if (depth > 4) return [];
    if (data.kind === 'union') return data.options.flatMap((o) => this.operatorFields(o, delta, depth + 1));
    if (data.kind === 'list') return data.elements.flatMap((o) => this.operatorFields(o, delta, depth + 1));
    if (data.kind !== 'object') return [];
    const found: string[] = [];
    for (const p of propertiesOf(data)) {
      if (ts.isSpreadAssignment(p)) {
        found.push(...this.operatorFields(this.e.evaluate(p.expression, data.frame), delta, depth + 1));
        continue;
      }
      const name = this.e.propertyName(p.name, data.frame);
      if (name === undefined) continue;
      const value = this.e.objectMember(data, name);
      if (name.startsWith('$')) {
        if (delta.includes(name)) found.push(...(value.kind === 'object' ? propertiesOf(value).map((x) => x.name?.getText() ?? name) : [name]));
        else found.push(...this.operatorFields(value, delta, depth + 1));
        continue;
      }
      for (const v of options(value)) {
        if (v.kind !== 'object') continue;
        const inner = propertiesOf(v).map((x) => (x.name ? this.e.propertyName(x.name, v.frame) : undefined));
        if (inner.some((n) => n !== undefined && delta.includes(n))) found.push(name);
        else if (inner.some((n) => n === 'update' || n === 'upsert')) found.push(...this.operatorFields(v, delta, depth + 1));
      }
    }
    return found;
  }

  /** A condition on a version, or on a field that the same statement changes. */
  gateOf(where: Value, data: Value | undefined): Effect['gate'] | undefined {
    const conditions = this.conditionNames(where);
    for (const [name, value] of conditions) {
      if (value.kind === 'object') {
        const operators = propertiesOf(value).map((p) => (p.name ? this.e.propertyName(p.name, value.frame) : undefined));
        if (operators.some((o) => o === 'lt' || o === '$lt' || o === 'lte' || o === '$lte') && /ver|seq|rev|time|date|_at$|At$|offset|updated/i.test(name)) return 'order';
      }
      if (data && this.changes(data, name)) return /^(version|rev|revision|seq)/i.test(name) ? 'version' : 'state';
    }
    return undefined;
  }

  private conditionNames(where: Value): [string, Value][] {
    if (where.kind !== 'object') return [];
    const found: [string, Value][] = [];
    for (const p of propertiesOf(where)) {
      const name = p.name ? this.e.propertyName(p.name, where.frame) : undefined;
      if (name === undefined) continue;
      const value = this.e.objectMember(where, name);
      found.push([name, value]);
      if (name === 'AND' || name === '$and') for (const v of value.kind === 'list' ? value.elements : [value]) found.push(...this.conditionNames(v));
    }
    return found;
  }

  private changes(data: Value, name: string): boolean {
    if (data.kind === 'union') return data.options.some((o) => this.changes(o, name));
    if (data.kind !== 'object') return false;
    return propertiesOf(data).some((p) => {
      const own = p.name ? this.e.propertyName(p.name, data.frame) : undefined;
      if (own === name) return true;
      return own?.startsWith('$') ? this.changes(this.e.objectMember(data, own), name) : false;
    });
  }

  /** Fields whose new value is computed from one that was read: `{ stock: row.stock - 1 }`. */
  relative(data: Value, depth = 0): string[] {
    if (depth > 3) return [];
    if (data.kind === 'union') return data.options.flatMap((o) => this.relative(o, depth + 1));
    if (data.kind === 'list') return data.elements.flatMap((o) => this.relative(o, depth + 1));
    if (data.kind !== 'object') return [];
    const found: string[] = [];
    for (const p of propertiesOf(data)) {
      if (ts.isSpreadAssignment(p)) continue;
      const name = this.e.propertyName(p.name, data.frame);
      if (name === undefined) continue;
      const value = this.e.objectMember(data, name);
      if (name === '$set' || name === 'data') found.push(...this.relative(value, depth + 1));
      else if (this.readBased(value, { field: name }) || isSqlArithmetic(value)) found.push(name);
    }
    return found;
  }

  /** Arithmetic, or an appended list, over a value that a store gave: this column of a row, or whatever else this library read. */
  private readBased(value: Value, { field, library }: { field?: string; library?: string }): boolean {
    return options(value).some((v) => {
      if (v.kind !== 'derived' || !ARITHMETIC.has(v.operator)) return false;
      return v.parts.some((p) => ingredients(this.e, p).some((i) => i.kind === 'library' && i.call !== undefined && !i.stability && i.path.length > 0 && (library === undefined || i.library.name === library) && (field === undefined || i.path.at(-1) === field || i.path.at(-1) === snake(field))));
    });
  }

  // --- DynamoDB

  private dynamodb(facts: EffectFacts, base: Effect, args: Args): ReadEffect {
    const c = facts.classify;
    if (c?.by !== 'dynamodb') return { effect: base, inputs: [] };
    const params = argument(this.e, args, c.params);
    const get = (name: string): Value | undefined => {
      const v = params && this.e.member(params, name, args.frame);
      return !v || v.kind === 'unknown' || (v.kind === 'constant' && v.value === undefined) ? undefined : v;
    };
    const textOf = (v: Value | undefined): string => (v?.kind === 'constant' ? String(v.value) : v?.kind === 'text' ? v.parts.map((p) => (typeof p === 'string' ? p : '?')).join('') : '');
    const effect: Effect = { ...base };
    const table = get('TableName');
    if (table) effect.table = nameOfValue(table) ?? textOf(table);
    const condition = textOf(get('ConditionExpression'));
    const first = args.nodes[0];
    const notExists = /attribute_not_exists/i.test(condition);
    if (c.operation === 'put') {
      effect.writeKind = notExists ? 'insert-or-ignore' : condition ? 'guarded' : 'upsert';
      if (condition && !notExists) effect.gate = /<|>/.test(condition) ? 'order' : 'state';
      const item = get('Item');
      if (first) effect.keys = this.keysOf(item, first);
      const relative = item ? this.relative(item) : [];
      if (relative.length) Object.assign(effect, { writeKind: 'delta', deltaColumns: relative });
      return { effect, inputs: params ? [params] : [], ...this.rowOf(item, first) };
    } else if (c.operation === 'update') {
      const update = textOf(get('UpdateExpression'));
      const delta = dynamoDeltas(update);
      effect.writeKind = delta.length ? 'delta' : notExists ? 'insert-or-ignore' : condition ? 'guarded' : 'absolute';
      if (delta.length) effect.deltaColumns = delta;
      if (condition) effect.gate = /<|>/.test(condition) ? 'order' : 'state';
      if (first) effect.keys = this.keysOf(get('Key'), first);
      if (first) effect.sets = this.dynamoSets(update, get, first);
    } else if (c.operation === 'delete') {
      effect.writeKind = 'delete';
      if (first) effect.keys = this.keysOf(get('Key'), first);
    } else if (c.operation === 'transact') {
      effect.writeKind = this.transactKind(get('TransactItems'));
      if (effect.writeKind === 'guarded') effect.gate = 'state';
    } else {
      effect.writeKind = 'upsert';
    }
    return { effect, inputs: params ? [params] : [] };
  }

  /** `SET #status = :status` with the names and values that stand for them. */
  private dynamoSets(update: string, get: (name: string) => Value | undefined, at: Node): Key[] {
    const [values, names] = [get('ExpressionAttributeValues'), get('ExpressionAttributeNames')];
    const set = /\bSET\s+([\s\S]+?)(?=\b(?:ADD|REMOVE|DELETE)\b|$)/i.exec(update)?.[1];
    if (set === undefined || values?.kind !== 'object') return [];
    return splitTop(set).flatMap((part) => {
      const [name = '', value = ''] = part.split('=').map((s) => s.trim());
      // What a condition appends to the expression stands as `?` in its text.
      const placeholder = /^(:\w+)\??$/.exec(value)?.[1];
      if (placeholder === undefined) return [];
      const alias = names?.kind === 'object' ? this.e.objectMember(names, name) : undefined;
      return [this.key(alias?.kind === 'constant' ? String(alias.value) : name, this.e.objectMember(values, placeholder), at)];
    });
  }

  /** A transaction of items: one conditional put makes all of it happen once. */
  private transactKind(items: Value | undefined): WriteKind {
    const list = items?.kind === 'list' ? items.elements : [];
    let delta = false;
    let guarded = false;
    for (const item of list) {
      for (const operation of ['Put', 'Update', 'ConditionCheck', 'Delete']) {
        const inner = this.e.member(item, operation, this.e.fileFrame(this.anySource()));
        if (inner.kind !== 'object') continue;
        const condition = this.e.objectMember(inner, 'ConditionExpression');
        if (condition.kind === 'constant' && typeof condition.value === 'string') guarded = true;
        const update = this.e.objectMember(inner, 'UpdateExpression');
        if (update.kind === 'constant' && typeof update.value === 'string' && dynamoDeltas(update.value).length) delta = true;
      }
    }
    return guarded ? 'guarded' : delta ? 'delta' : 'absolute';
  }

  private anySource(): import('../syntax/compiler.js').SourceFile {
    return this.source;
  }

  source!: import('../syntax/compiler.js').SourceFile;

  // --- Redis SET

  private redisSet(base: Effect, args: Args): ReadEffect {
    const effect: Effect = { ...base, writeKind: 'absolute' };
    const [first] = args.nodes;
    let nx = false;
    args.nodes.forEach((n, i) => {
      if (i < 2) return;
      const v = this.e.evaluate(n, args.frame);
      if (v.kind === 'constant' && typeof v.value === 'string' && v.value.toUpperCase() === 'NX') nx = true;
      if (v.kind === 'object') {
        for (const name of ['NX', 'nx', 'condition']) {
          const flag = this.e.objectMember(v, name);
          if (flag.kind === 'constant' && (flag.value === true || flag.value === 'NX')) nx = true;
        }
      }
    });
    if (nx) {
      effect.writeKind = 'insert-or-ignore';
      effect.marker = true;
      if (!mayExpire(this.e, args)) effect.endless = true;
    }
    if (first) effect.keys = [this.key('key', this.e.evaluate(first, args.frame), first)];
    if (first) effect.carries = identityIn(this.e, this.e.evaluate(first, args.frame));
    Object.assign(effect, expires(redisExpiry(this.e, args)));
    if (effect.keys[0]) effect.table = prefixOf(this.e.evaluate(first as Expression, args.frame)) ?? 'redis';
    const value = args.nodes[1] && this.e.evaluate(args.nodes[1], args.frame);
    if (value && this.readBased(value, { library: base.library })) Object.assign(effect, { writeKind: 'delta', deltaColumns: [effect.table ?? 'value'] });
    return { effect, inputs: args.nodes.slice(0, 2).map((n) => this.e.evaluate(n, args.frame)) };
  }

  // --- HTTP

  private http(facts: EffectFacts, base: Effect, args: Args, callee: LibraryValue): ReadEffect[] {
    const one = facts.classify;
    if (one?.by !== 'http') return [];
    const other = one.or && argument(this.e, args, one.or.options, callee);
    const c = other && other.kind !== 'function' && other.kind !== 'unknown' ? { ...one, ...one.or } : one;
    const verb = this.verb(c.method, args, callee);
    const effect: Effect = { ...base };
    if (verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS') {
      effect.kind = 'read';
      return [{ effect, inputs: [] }];
    }
    const url = this.urlOf(c.url, args, callee);
    if (verb === undefined || ASKS.test(url) || this.isConversion(c.options, args, callee) || asksForToken(this.e, facts, args, callee)) return [{ effect: { ...effect, kind: 'read' }, inputs: [] }];
    const header = c.options === undefined ? undefined : `${c.options}.headers`;
    this.external({ ...facts, content: facts.content ?? facts.data ?? [] }, effect, args, callee);
    const headers = header === undefined ? undefined : argument(this.e, args, header, callee);
    const key = headers && this.headerKey(headers, args);
    if (key) effect.idempotencyKey = key;
    // A body that is written later, and headers from elsewhere, may hold an id.
    const unseen = (facts.content ?? facts.data) === undefined || (headers && headers.kind !== 'object');
    if (unseen) effect.carries = strongest([effect.carries ?? 'nothing', 'unknown']);
    effect.request = { verb, url };
    const host = keyHeaderOf(effect.request.url);
    effect.keyOption = { name: host ?? 'Idempotency-Key', path: header === undefined ? [] : [...header.split('.'), host ?? 'Idempotency-Key'], honoured: host !== undefined };
    if (verb === 'PUT' || verb === 'DELETE') effect.idempotent = true;
    const data = facts.data !== undefined ? argument(this.e, args, facts.data, callee) : undefined;
    return [{ effect, inputs: data ? [data] : [] }];
  }

  /** Bytes as the answer: a document made of what is sent, such as a PDF of a page. */
  private isConversion(config: string | undefined, args: Args, callee: LibraryValue): boolean {
    const made = receiverOf(callee).args;
    const asked = [made && argument(this.e, made, '0.responseType'), config === undefined ? undefined : argument(this.e, args, `${config}.responseType`, callee)];
    return asked.some((v) => v?.kind === 'constant' && (v.value === 'arraybuffer' || v.value === 'stream' || v.value === 'blob'));
  }

  /** Any header whose name says that it is an idempotency key. */
  private headerKey(headers: Value, args: Args): Key | undefined {
    return this.keysOf(headers, args.nodes[0] as Node).find((k) => /idempoten|request-?id|dedup|message-?id|event-?id|nonce/i.test(k.name));
  }

  /** As much of the URL as can be seen, that of the instance in front. */
  private urlOf(url: string | undefined, args: Args, callee: LibraryValue): string {
    const made = receiverOf(callee).args;
    const parts = [made && argument(this.e, made, '0.baseURL'), made && argument(this.e, made, '0.prefixUrl'), url === undefined ? undefined : argument(this.e, args, url, callee)];
    return parts.map((v) => (v ? textOf(v) : '')).join('');
  }

  private verb(method: string, args: Args, callee: LibraryValue): string | undefined {
    if (/^[A-Z]+$/.test(method)) return method;
    const [head, ...rest] = method.split('.');
    const options_ = argument(this.e, args, head ?? '1', callee);
    if (!options_) return 'GET';
    let value: Value | undefined = options_;
    for (const r of rest) value = this.e.member(value, r, args.frame);
    const constants = options(value).filter((v) => v.kind === 'constant');
    const text = constants.map((v) => v.value).find((v) => typeof v === 'string');
    if (typeof text === 'string') return text.toUpperCase();
    if (value.kind === 'constant' && value.value === undefined) return options_.kind === 'object' || options_.kind === 'constant' || options_.kind === 'text' ? 'GET' : undefined;
    return undefined;
  }

  // --- save(entity)

  private entity(facts: EffectFacts, base: Effect, args: Args, callee: LibraryValue, node: CallLike): ReadEffect {
    const c = facts.classify;
    if (c?.by !== 'entity') return { effect: base, inputs: [] };
    const entity = argument(this.e, args, c.entity, callee) ?? (c.entity === 'this' ? callee.parent : undefined);
    const effect: Effect = { ...base, writeKind: facts.writeKind ?? 'upsert' };
    const first = args.nodes[0];
    const at = first ?? node;
    if (entity) {
      const isNew = options(entity).every((v) => (v.kind === 'object' && !this.isCopyOfRow(v)) || (v.kind === 'instance' && v.made !== undefined) || (v.kind === 'library' && isMadeHere(v)));
      if (isNew) effect.writeKind = facts.writeKind ?? 'insert';
      effect.keys = this.keysOf(entity.kind === 'library' && entity.args ? argument(this.e, entity.args, '0') : entity, at);
      const relative = this.relative(entity);
      if (relative.length) Object.assign(effect, { writeKind: 'delta', deltaColumns: relative });
    }
    return { effect, inputs: entity ? [entity] : [], ...(entity && { entity }), ...this.rowOf(entity, at) };
  }

  /** `{ ...row, status }` of a row that was read: it has the row's primary key, so it is written back. */
  private isCopyOfRow(v: ObjectValue): boolean {
    return v.node.properties.some((p) => ts.isSpreadAssignment(p) && options(this.e.evaluate(p.expression, v.frame)).some((row) => row.kind === 'library' && row.call !== undefined && !isMadeHere(row)));
  }

  // --- Builders

  /** The one statement that a chain of calls builds. */
  chain(callee: LibraryValue, links: readonly Link[], node: CallLike): ReadEffect {
    const builder = callee.shape.builder;
    let kind: 'read' | WriteKind | undefined;
    let joined: Value | undefined;
    let locking = false;
    let table: string | undefined;
    const keys: Key[] = [];
    const inputs: Value[] = [];
    const conditions: { name: string; operator: string | undefined; link: Link }[] = [];
    let data: Value | undefined;
    let conflictMerge: Link | undefined;
    const delta: string[] = [];
    for (const link of links) {
      const m = builder?.methods[link.method];
      if (!m) continue;
      if (m.kind) {
        if (m.kind === 'upsert' && kind === 'insert') conflictMerge = link;
        if (m.kind !== 'read' || kind === undefined) kind = m.kind;
        const ignores = m.ignores === undefined ? undefined : argument(this.e, link.args, m.ignores);
        if (ignores?.kind === 'constant' && ignores.value === true) kind = 'insert-or-ignore';
      }
      if (m.locking) locking = true;
      if (m.joins !== undefined) joined = argument(this.e, link.args, m.joins);
      if (m.table !== undefined) table = this.tableName(link.args, m.table) ?? table;
      if (m.data !== undefined) {
        const v = argument(this.e, link.args, m.data);
        if (v) {
          inputs.push(v);
          const relative = this.relative(v);
          if (m.kind === 'delta') delta.push(v.kind === 'constant' ? String(v.value) : (v.kind === 'object' ? (propertiesOf(v)[0]?.name?.getText() ?? '') : ''));
          else delta.push(...relative);
          if (!conflictMerge || link !== conflictMerge) data = v;
        }
        // update('balance', value)
        if (v?.kind === 'constant' && typeof v.value === 'string') {
          const second = argument(this.e, link.args, '1');
          if (second && (this.readBased(second, { library: callee.library.name }) || isSqlArithmetic(second)) && m.kind !== 'delta') delta.push(v.value);
        }
      }
      for (const path of m.where ?? []) {
        const v = argument(this.e, link.args, path);
        const at = argumentNode(link.args, path);
        if (!v || !at) continue;
        inputs.push(v);
        keys.push(...this.keysOf(v, at));
      }
      if (m.where) conditions.push(...this.builderConditions(link));
    }
    if (table === undefined && builder?.table !== undefined && links[0]) {
      table = builder.table === 'receiver' ? (callee.typeArgs?.[0] ?? callee.parent?.typeArgs?.[0] ?? this.literalArgument(callee) ?? callee.parent?.name) : builder.table === 'member' ? callee.parent?.member : this.tableName(links[0].args, builder.table);
    }
    const isWrite = kind !== undefined && kind !== 'read';
    let writeKind = isWrite ? (kind as WriteKind) : undefined;
    if (delta.length && writeKind && writeKind !== 'insert' && writeKind !== 'insert-or-ignore') writeKind = 'delta';
    const gate = this.builderGate(conditions, data);
    if (gate && writeKind === 'absolute') writeKind = 'guarded';
    if (gate === 'order' && writeKind === 'upsert') writeKind = 'guarded';
    if (isWrite && data && (writeKind === 'insert' || writeKind === 'insert-or-ignore' || writeKind === 'upsert')) keys.push(...this.keysOf(data, node));
    return this.keyed({
      ...this.rowOf(data, node),
      ...(links.some((l) => builder?.methods[l.method]?.where !== undefined && this.comparesConstant(l)) && { asksForState: true }),
      effect: {
        kind: isWrite ? 'write' : 'read',
        library: callee.library.name,
        name: chainName(node, links),
        place: this.e.sources.parser.place(node),
        ...(writeKind && { writeKind }),
        ...(table !== undefined && { table }),
        handle: handleOf(joined) ?? callee.root,
        keys,
        ...(delta.length && { deltaColumns: delta }),
        ...(gate && { gate }),
        ...(locking && { locking: true }),
        failure: 'throws',
      },
      inputs,
    });
  }

  private tableName(args: Args, path: string): string | undefined {
    const v = argument(this.e, args, path);
    const name = v && nameOfValue(v);
    return name ?? argumentNode(args, path)?.getText().slice(0, 60);
  }

  /** `where('status', 'open')`, `where({ status: 'open' })`, `where('seq', '<', n)`, `and(eq(t.status, 'open'), lt(t.seq, n))`. */
  private builderConditions(link: Link): { name: string; operator: string | undefined; link: Link }[] {
    const [a, b] = link.args.nodes;
    if (!a) return [];
    const first = this.e.evaluate(a, link.args.frame);
    if (first.kind === 'object') return this.conditionNames(first).map(([name]) => ({ name, operator: '=', link }));
    if (first.kind === 'constant' && typeof first.value === 'string') {
      const second = b && this.e.evaluate(b, link.args.frame);
      const operator = link.args.nodes.length > 2 && second?.kind === 'constant' ? String(second.value) : '=';
      const sqlOrder = /^\W*[\w."]+\s*(<=?|>=?)/.exec(first.value);
      return [{ name: first.value.split(/[\s<>=]/)[0]?.replace(/["`]/g, '').split('.').at(-1) ?? first.value, operator: sqlOrder?.[1] ?? operator, link }];
    }
    return operatorCalls(a).map((c) => ({ name: c.column, operator: c.operator, link }));
  }

  /** `where('status', 'open')`, `where({ status: 'open' })`, `where(eq(orders.status, 'open'))` */
  private comparesConstant({ args }: Link): boolean {
    const [first, ...rest] = args.nodes;
    if (!first) return false;
    // A condition whose value nobody gave is left out.
    const isGiven = (v: Value): boolean => v.kind === 'constant' && v.value !== undefined;
    const isConstant = (n: Node): boolean => ts.isExpression(n) && isGiven(this.e.evaluate(n, args.frame));
    const value = this.e.evaluate(first, args.frame);
    if (value.kind === 'object') return this.conditionNames(value).some(([, v]) => isGiven(v));
    if (value.kind === 'constant') return rest.length > 0 && isConstant(rest.at(-1) as Node);
    let found = false;
    const visit = (n: Node): void => {
      found ||= ts.isCallExpression(n) && n.arguments.length === 2 && isConstant(n.arguments[1] as Node);
      ts.forEachChild(n, visit);
    };
    visit(first);
    return found;
  }

  private builderGate(conditions: readonly { name: string; operator: string | undefined; link: Link }[], data: Value | undefined): Effect['gate'] | undefined {
    for (const c of conditions) {
      if ((c.operator === '<' || c.operator === '>' || c.operator === 'lt' || c.operator === 'gt') && /ver|seq|rev|time|date|_at$|At$|offset|updated/i.test(c.name)) return 'order';
      if (c.link.method === 'whereNull' || (data && this.changes(data, c.name)) || (data && this.changes(data, camel(c.name)))) {
        if (data && (this.changes(data, c.name) || this.changes(data, camel(c.name)))) return /^(version|rev|revision|seq)/i.test(c.name) ? 'version' : 'state';
      }
    }
    return undefined;
  }
}

/** `eq(orders.status, 'open')` inside drizzle-like conditions. */
function operatorCalls(node: Expression): { column: string; operator: string }[] {
  const found: { column: string; operator: string }[] = [];
  const visit = (n: Node): void => {
    if (ts.isCallExpression(n) && ts.isIdentifier(n.expression) && n.arguments[0] && ts.isPropertyAccessExpression(n.arguments[0])) {
      const operator = { eq: '=', ne: '<>', lt: '<', gt: '>', isNull: '=', lte: '<=', gte: '>=' }[n.expression.text];
      if (operator !== undefined) found.push({ column: n.arguments[0].name.text, operator });
    }
    ts.forEachChild(n, visit);
  };
  visit(node);
  return found;
}

/** Raw SQL in a value: sql`${t.n} + 1`, knex.raw('n + 1'). */
function isSqlArithmetic(value: Value): boolean {
  return options(value).some((v) => {
    const node = v.kind === 'derived' ? v.node : v.kind === 'library' ? v.args?.nodes[0]?.parent : undefined;
    // `() => 'n + 1'`: TypeORM's raw expressions.
    if (v.kind === 'function' && ts.isArrowFunction(v.node) && (ts.isStringLiteralLike(v.node.body) || ts.isTemplateExpression(v.node.body))) return sqlTextIsRelative(v.node.body.getText().slice(1, -1));
    if (!node) return false;
    if (ts.isTaggedTemplateExpression(node)) return sqlTextIsRelative(node.template.getText().slice(1, -1));
    if (ts.isCallExpression(node) && /\braw$|literal$|^raw$/.test(node.expression.getText()) && node.arguments[0]) return sqlTextIsRelative(node.arguments[0].getText().slice(1, -1));
    return false;
  });
}

function sqlTextIsRelative(text: string): boolean {
  // `data || $1::jsonb` sets the same keys again.
  if (/::\s*jsonb\b|\bjsonb?_(build_object|set)\b/i.test(text) && !/[\w"`?\])}]\s*[+*/]\s*[\w"`$(:?]/.test(text) && !/jsonb?_build_array|array_append/i.test(text)) return false;
  return /[\w"`?\])}]\s*(\+|-|\*|\/|\|\|)\s*[\w"`$(:?]/.test(text.replace(/\$\{[^}]*\}/g, 'col')) || /array_append|concat\s*\(/i.test(text);
}

/** Attributes that an UpdateExpression changes relative to what is stored. */
export function dynamoDeltas(expression: string): string[] {
  const found: string[] = [];
  const add = /\bADD\s+([\s\S]+?)(?=\b(?:SET|REMOVE|DELETE)\b|$)/i.exec(expression);
  if (add?.[1]) for (const part of add[1].split(',')) found.push(part.trim().split(/\s+/)[0] ?? '');
  const set = /\bSET\s+([\s\S]+?)(?=\b(?:ADD|REMOVE|DELETE)\b|$)/i.exec(expression);
  if (set?.[1]) {
    for (const part of splitTop(set[1])) {
      const [name, value] = part.split('=').map((s) => s.trim());
      if (!name || value === undefined) continue;
      if (/list_append/i.test(value) || /[+-]\s*[:#\w]/.test(value)) found.push(name);
    }
  }
  return found.filter((f) => f !== '');
}

function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

export function handleOf(value: Value | undefined): string | undefined {
  if (!value) return undefined;
  if (value.kind === 'library') return value.root;
  if (value.kind === 'union') return value.options.map(handleOf).find((h) => h !== undefined);
  if (value.kind === 'object') return undefined;
  return undefined;
}

function nameOfValue(value: Value): string | undefined {
  if (value.kind === 'constant' && typeof value.value === 'string') return value.value;
  if (value.kind === 'class') return value.node.name?.text;
  if (value.kind === 'library') return value.name;
  if (value.kind === 'object' && ts.isVariableDeclaration(value.node.parent)) return value.node.parent.name.getText();
  if (value.kind === 'derived' && value.node && ts.isCallExpression(value.node)) {
    const first = value.node.arguments[0];
    if (first && ts.isStringLiteralLike(first)) return first.text;
  }
  return undefined;
}

function isUpdate({ writeKind }: Effect): boolean {
  return writeKind === 'absolute' || writeKind === 'upsert' || writeKind === 'guarded';
}

/** Columns by their own names: without the operators of MongoDB and Prisma, and without what only an insert sets. */
function setColumns(columns: readonly Key[]): Key[] {
  return columns.filter((c) => !/^\$(?!set\.)/.test(c.name)).map((c) => ({ ...c, name: c.name.replace(/^\$set\./, '').replace(/\.set$/, '') }));
}

/** What an UPDATE, or the update of an upsert, assigns. */
function setBy({ columns, conflictSet }: SqlStatement): { name: string; value: SqlOperand }[] {
  if (!conflictSet) return columns;
  return conflictSet.map((c) => {
    const { value } = c;
    return value.kind === 'excluded' ? (columns.find((own) => own.name === value.name) ?? c) : c;
  });
}

function expires(expiry: Effect['expiry']): { expiry?: NonNullable<Effect['expiry']> } {
  return expiry ? { expiry } : {};
}

function listOf(paths: EffectFacts['key']): string[] {
  return paths === undefined ? [] : Array.isArray(paths) ? paths : [paths];
}

function nameOfPath(path: string): string {
  return path.split('.').at(-1) ?? path;
}

/** The place where a key can be written, given the arguments that are there; empty where an edit cannot know it. */
function pathToWrite(paths: readonly string[], args: Args): string[] {
  const split = paths.map((p) => p.split('.')).filter((p) => p.length > 1 && !p.includes('*') && /^\d+$/.test(p[0] ?? ''));
  // Among options that may come second, third or fourth: in the object that is there last, or behind the last argument.
  return split.find((p) => Number(p[0]) === args.nodes.length) ?? split.find((p) => Number(p[0]) === args.nodes.length - 1) ?? split[0] ?? [];
}

/** The constant parts of a text. */
function textOf(value: Value): string {
  if (value.kind === 'constant') return typeof value.value === 'string' ? value.value : '';
  if (value.kind === 'text') return value.parts.map((p) => (typeof p === 'string' ? p : '')).join('');
  if (value.kind === 'union') return value.options.map(textOf).find((t) => t !== '') ?? '';
  return '';
}

function prefixOf(value: Value): string | undefined {
  if (value.kind === 'constant') return String(value.value);
  if (value.kind === 'text' && typeof value.parts[0] === 'string') return value.parts[0];
  return undefined;
}

/** The call in the reader's own names, without its arguments. */
export function callName(node: CallLike): string {
  const e = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  const text = e.getText().replace(/\s+/g, ' ').replace(/\?\./g, '.');
  const name = text.length > 60 ? `…${text.slice(-58)}` : text;
  return ts.isNewExpression(node) ? `new ${name}` : name;
}

/** `knex('orders').increment` for a chain. */
function chainName(node: CallLike, links: readonly Link[]): string {
  const [first] = links;
  const last = links.findLast((l) => l.method !== '' && !/^(where|and|or|returning|then|execute|for)/.test(l.method));
  const head = first ? callName(first.node) : callName(node);
  return last && last !== first ? `${head}(…).${last.method}` : head;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
}
