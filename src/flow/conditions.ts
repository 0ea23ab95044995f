import type { LibraryValue, Value } from '../origin/value.js';
import { enclosingFunction, ts, type Compiler, type Expression } from '../syntax/compiler.js';

/** What a path knows: the values of variables and results, and how calls are taken to have ended. */
export interface Knowledge {
  /** Values of variables and of functions' results on this path, by their keys. */
  values: ReadonlyMap<string, Value>;
  /** For calls: what their results look like on this path, by path in the result. */
  results: ReadonlyMap<string, Record<string, unknown>>;
  /** Facts about values that are not known otherwise: `event.type` is `'paid'`. */
  terms: ReadonlyMap<string, Term>;
  /** The path began with a failure: lists of failed entries are not empty. */
  failing: boolean;
}

export interface Term {
  equals?: unknown;
  not?: readonly unknown[];
}

export const NOTHING: Knowledge = { values: new Map(), results: new Map(), terms: new Map(), failing: false };

/** A JavaScript value, as far as a path knows it. `object` is something truthy without a known content. */
type Known = { known: true; value: unknown } | { known: false; truthy?: boolean };
const NO: Known = { known: false };
const OBJECT: Known = { known: false, truthy: true };

/** Does the condition hold? Undefined: the path does not know. */
export function holds(condition: Value, k: Knowledge): boolean | undefined {
  const c = concrete(condition, k, 0);
  if (c.known) return Boolean(c.value);
  return c.truthy;
}

function concrete(v: Value, k: Knowledge, depth: number): Known {
  if (depth > 16) return NO;
  switch (v.kind) {
    case 'constant':
      return { known: true, value: v.value };
    case 'union':
      return unionValue(v, k, depth);
    case 'library':
      return libraryValue(v, k);
    case 'derived':
      return derived(v, k, depth);
    case 'error':
      return v.path.length ? NO : OBJECT;
    case 'function':
    case 'class':
    case 'instance':
    case 'constructed':
    case 'object':
    case 'list':
    case 'record':
    case 'collection':
    case 'module':
      return OBJECT;
    case 'text':
      return v.parts.some((p) => typeof p === 'string' && p !== '') ? OBJECT : NO;
    default:
      return NO;
  }
}

function unionValue(v: Extract<Value, { kind: 'union' }>, k: Knowledge, depth: number): Known {
  const now = held(v, k);
  if (now) return concrete(now, k, depth + 1);
  const key = unionKey(v);
  if (key !== undefined) {
    const term = k.terms.get(key);
    if (term && 'equals' in term) return { known: true, value: term.equals };
  }
  // A path that went through one of several calls has the result of that one.
  const made = v.options.filter((o) => o.kind === 'library' && o.call !== undefined && k.results.has(o.call));
  const all = (made.length ? made : v.options).map((o) => concrete(o, k, depth + 1));
  const [first] = all;
  if (first?.known && all.every((a) => a.known && a.value === first.value)) return first;
  const truths = all.map((a) => (a.known ? Boolean(a.value) : a.truthy));
  if (truths.every((t) => t === true)) return OBJECT;
  if (truths.every((t) => t === false)) return { known: false, truthy: false };
  return NO;
}

/** What the path has found a union to be: what was assigned or returned last, or a property of that. */
export function held(v: Value, k: Pick<Knowledge, 'values'>): Value | undefined {
  if (v.kind !== 'union') return undefined;
  if (v.of) {
    const base = held(v.of.base, k);
    return base && v.of.read(base);
  }
  const key = unionKey(v);
  return key === undefined ? undefined : k.values.get(key);
}

export function unionKey(v: Extract<Value, { kind: 'union' }>): string | undefined {
  if (v.of) {
    const base = unionKey(v.of.base);
    return base === undefined ? undefined : `${base}.${v.of.property}`;
  }
  if (v.variable !== undefined) return `v${v.variable}`;
  return v.result === undefined ? undefined : `r${v.result}`;
}

function libraryValue(v: LibraryValue, k: Knowledge): Known {
  if (v.call !== undefined) {
    const result = k.results.get(v.call);
    if (result) {
      const path = v.path.filter((p) => p !== '*').join('.');
      if (path in result) return { known: true, value: result[path] };
      if ('' in result && (result[''] === null || result[''] === undefined || result[''] === false) && v.path.length) return { known: true, value: undefined };
      // rows[0] of no rows
      const list = v.path.slice(0, -1).join('.');
      const length = result[list === '' ? 'length' : `${list}.length`];
      if (/^\d+$/.test(v.path.at(-1) ?? '') && typeof length === 'number') return length > Number(v.path.at(-1)) ? OBJECT : { known: true, value: undefined };
      if (path === '' && Object.keys(result).length > 0) return OBJECT;
    }
  }
  const term = k.terms.get(termKey(v) ?? '');
  if (term && 'equals' in term) return { known: true, value: term.equals };
  if (v.call === undefined && v.path.length === 0) return OBJECT;
  return NO;
}

function derived(v: Extract<Value, { kind: 'derived' }>, k: Knowledge, depth: number): Known {
  const [a, b] = v.parts;
  const answered = v.call === undefined ? undefined : k.results.get(v.call);
  if (answered && '' in answered) return { known: true, value: answered[''] };
  const left = a ? concrete(a, k, depth + 1) : NO;
  switch (v.operator) {
    case '!': {
      const t = left.known ? Boolean(left.value) : left.truthy;
      return t === undefined ? NO : { known: true, value: !t };
    }
    case 'error':
      return OBJECT;
    case 'call':
      // Boolean(x), Number(x): as truthy as x.
      if (v.parts.length === 1 && v.node && ts.isCallExpression(v.node) && ts.isIdentifier(v.node.expression) && /^(Boolean|Number|parseInt)$/.test(v.node.expression.text)) return left;
      return NO;
    case '&&':
    case '||': {
      const right = b ? concrete(b, k, depth + 1) : NO;
      const l = left.known ? Boolean(left.value) : left.truthy;
      const r = right.known ? Boolean(right.value) : right.truthy;
      const stop = v.operator === '||';
      if (l === stop || r === stop) return { known: true, value: stop };
      return l === !stop && r === !stop ? { known: true, value: !stop } : NO;
    }
    case '.length':
    case 'length':
    case '.size': {
      const list = a && entriesOf(a);
      if (list?.kind === 'library' && list.call !== undefined) {
        const result = k.results.get(list.call);
        const path = [...list.path.filter((p) => p !== '*'), 'length'].join('.');
        if (result && path in result) return { known: true, value: result[path] };
      }
      return NO;
    }
    case '.some':
    case '.includes':
    case '.has':
      return NO;
    case 'answers':
      return a ? answers(a, k) : NO;
  }
  const right = b ? concrete(b, k, depth + 1) : NO;
  return compare(v, left, right, k);
}

/** `Object.keys(x)` and its kind are as long as `x`. */
function entriesOf(v: Value): Value {
  if (v.kind !== 'derived' || v.operator !== 'call' || !v.node || !ts.isCallExpression(v.node)) return v;
  return /^Object\.(keys|values|entries)$/.test(v.node.expression.getText()) ? (v.parts[0] ?? v) : v;
}

function compare(v: Extract<Value, { kind: 'derived' }>, left: Known, right: Known, k: Knowledge): Known {
  const [a, b] = v.parts;
  if (left.known && right.known) {
    const x = left.value as number;
    const y = right.value as number;
    switch (v.operator) {
      case '===':
        return { known: true, value: x === y };
      case '!==':
        return { known: true, value: x !== y };
      case '==':
        return { known: true, value: x == y };
      case '!=':
        return { known: true, value: x != y };
      case '<':
        return { known: true, value: x < y };
      case '>':
        return { known: true, value: x > y };
      case '<=':
        return { known: true, value: x <= y };
      case '>=':
        return { known: true, value: x >= y };
      default:
        return NO;
    }
  }
  const equality = v.operator === '===' || v.operator === '==' ? true : v.operator === '!==' || v.operator === '!=' ? false : undefined;
  if (equality === undefined || !a || !b) return NO;
  const [known, other, otherValue] = left.known ? [left, right, b] : [right, left, a];
  if (!known.known) return NO;
  // Something truthy is not null, undefined, false, 0 or ''.
  if (!other.known && other.truthy === true && !known.value) return { known: true, value: !equality };
  const term = k.terms.get(termKey(otherValue) ?? '');
  if (term) {
    if ('equals' in term) return { known: true, value: (term.equals === known.value) === equality };
    if (term.not?.includes(known.value)) return { known: true, value: !equality };
  }
  return NO;
}

/** A name for a value that stays the same on a path, so that what one branch learned holds for the next. */
export function termKey(v: Value): string | undefined {
  switch (v.kind) {
    case 'library':
      return v.stability || v.call !== undefined ? `${v.call ?? v.root}/${v.name}/${v.path.join('.')}` : undefined;
    case 'derived': {
      if (v.minted || v.operator === 'namespace') return undefined;
      const parts = v.parts.map(termKey);
      if (parts.length === 0 || parts.some((p) => p === undefined)) return undefined;
      return `${v.operator}${v.operator === 'call' && v.node ? v.node.pos : ''}(${parts.join(',')})`;
    }
    case 'parameter':
      return `p${v.frame.id}:${v.index}.${v.path.join('.')}`;
    case 'constant':
      return `c:${String(v.value)}`;
    case 'union':
      return unionKey(v);
    default:
      return undefined;
  }
}

/** What a branch teaches: `x === 'a'` taken means that x is 'a'; `x` taken means that it is truthy. */
export function learn(condition: Value, taken: boolean, terms: ReadonlyMap<string, Term>): ReadonlyMap<string, Term> {
  if (condition.kind === 'derived' && condition.operator === '!') return condition.parts[0] ? learn(condition.parts[0], !taken, terms) : terms;
  if (condition.kind === 'derived' && ['===', '==', '!==', '!='].includes(condition.operator)) {
    const [a, b] = condition.parts;
    if (!a || !b) return terms;
    const [known, other] = a.kind === 'constant' ? [a, b] : [b, a];
    if (known.kind !== 'constant') return terms;
    const key = termKey(other);
    if (key === undefined) return terms;
    const equal = taken === (condition.operator === '===' || condition.operator === '==');
    const before = terms.get(key);
    // Another turn of a loop learns nothing new.
    if (!equal && before?.not?.includes(known.value)) return terms;
    return new Map(terms).set(key, equal ? { equals: known.value } : { ...before, not: [...(before?.not ?? []), known.value] });
  }
  const key = termKey(condition);
  if (key === undefined) return terms;
  return new Map(terms).set(key, taken ? { not: [false, null, undefined, 0, ''] } : { equals: false });
}

/** An HTTP answer or a partial-batch answer: does it acknowledge? */
function answers(v: Value, k: Knowledge): Known {
  switch (v.kind) {
    case 'union': {
      const now = held(v, k);
      if (now) return answers(now, k);
      const all = v.options.map((o) => answers(o, k));
      const [first] = all;
      return first?.known && all.every((a) => a.known && a.value === first.value) ? first : NO;
    }
    case 'library':
      return answered(v.args?.nodes ?? [], k);
    case 'object': {
      const failures = propertyOf(v, /^batchItemFailures$/);
      if (failures) {
        const isEmpty = ts.isPropertyAssignment(failures) && ts.isArrayLiteralExpression(failures.initializer) && failures.initializer.elements.length === 0;
        return { known: true, value: isEmpty || !k.failing };
      }
      const status = propertyOf(v, /^status(Code)?$/);
      const written = status && ts.isPropertyAssignment(status) && ts.isNumericLiteral(status.initializer) ? Number(status.initializer.text) : undefined;
      return { known: true, value: written === undefined || isSuccess(written) };
    }
    case 'constant':
      return { known: true, value: true };
    case 'derived':
      if (v.operator === 'call' && v.node && ts.isCallExpression(v.node) && v.parts.length === 0) return { known: true, value: !v.node.arguments.some((a) => /(^|\bstatus:\s*)[345]\d\d\b/.test(a.getText())) };
      if (v.operator === 'result' && v.node && ts.isCallExpression(v.node) && isAnswer(v)) return answered(v.node.arguments, k);
      return k.failing ? NO : { known: true, value: true };
    default:
      return k.failing ? NO : { known: true, value: true };
  }
}

/** `c.json({ received: true })` of a context that nobody knows: without a status it is a success. */
function isAnswer({ parts }: Extract<Value, { kind: 'derived' }>): boolean {
  const [callee] = parts;
  return callee?.kind === 'parameter' && /^(json|text|body|html)$/.test(callee.path.at(-1) ?? '');
}

/**
 * What an answer made by these arguments says by its status: `(body, 500)`, `(body, { status: 500 })`. Without one it is a
 * success, unless the function sets it beforehand (`c.status(500)`).
 */
function answered([first, second]: readonly Expression[], k: Knowledge): Known {
  const open: Known = k.failing ? NO : { known: true, value: true };
  const status = [first, second].map((n) => (n && ts.isObjectLiteralExpression(n) ? n.properties.find((p) => p.name?.getText() === 'status') : undefined)).find((p) => p !== undefined);
  const given = status ? (ts.isPropertyAssignment(status) ? status.initializer : status.name) : second && !ts.isObjectLiteralExpression(second) ? second : undefined;
  if (given) return ts.isNumericLiteral(given) ? { known: true, value: isSuccess(Number(given.text)) } : open;
  return first && setsStatus(first) ? open : { known: true, value: true };
}

function setsStatus(argument: Expression): boolean {
  const fn = enclosingFunction(argument);
  return fn !== undefined && /\.status\(/.test(fn.getText());
}

function propertyOf(v: Extract<Value, { kind: 'object' }>, name: RegExp): Compiler.ObjectLiteralElementLike | undefined {
  return v.node.properties.find((p) => name.test(p.name?.getText().replace(/['"]/g, '') ?? ''));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
