import { ts, unwrap, type Expression, type SourceFile } from '../syntax/compiler.js';
import { indexOf, lookup } from '../syntax/scope.js';
import type { Evaluator } from './evaluate.js';
import { turnsOf } from './turns.js';
import { UNKNOWN, union, type Thunk, type Value } from './value.js';

/** A file that puts something onto the global object. */
export const WRITES_GLOBAL = /\bglobal(?:This)?(?:\s+as\s+\w+\))?\s*(?:\.\s*[\w$]+\s*=[^=]|\[[^\]\n]{1,80}\]\s*=[^=])|\bObject\.assign\(\s*global(?:This)?\b/;

/** `global.orders = require('./orders')`: what the program puts onto the global object, and reads as a free name anywhere. */
export class ProgramGlobals {
  private written: Map<string, Thunk[]> | undefined;
  /** Objects all of whose properties become globals. */
  private readonly spread: Thunk[] = [];
  private readonly values = new Map<string, Value | undefined>();

  constructor(
    private readonly e: Evaluator,
    private readonly sources: () => readonly SourceFile[],
  ) {}

  value(name: string): Value | undefined {
    // What Node has of its own is that, whatever a test puts in its place.
    if (name in globalThis) return undefined;
    if (!this.written) this.collect((this.written = new Map()));
    if (this.values.has(name)) return this.values.get(name);
    // A global that is made of itself.
    this.values.set(name, UNKNOWN);
    const value = this.find(name);
    this.values.set(name, value);
    return value;
  }

  private find(name: string): Value | undefined {
    const given = this.written?.get(name);
    if (given) return union(given.map((g) => g()));
    for (const s of this.spread) {
      const object = s();
      const value = this.e.member(object, name, this.e.fileFrame(this.sources()[0] as SourceFile));
      if (value.kind !== 'unknown' && value.kind !== 'derived' && !(value.kind === 'constant' && value.value === undefined)) return value;
    }
    return undefined;
  }

  private collect(into: Map<string, Thunk[]>): void {
    const add = (name: string, value: Thunk): void => {
      const before = into.get(name);
      if (before) before.push(value);
      else into.set(name, [value]);
    };
    const writes = this.sources().flatMap((s) => indexOf(s).memberWrites.filter((w) => isGlobalObject(w.object)));
    for (const w of writes) if (w.name !== undefined) add(w.name, () => this.e.assigned(w));
    for (const source of this.sources()) {
      for (const call of indexOf(source).calls.get('assign') ?? []) {
        const [to, ...from] = call.arguments ?? [];
        if (call.expression.getText() === 'Object.assign' && to && isGlobalObject(to)) this.spread.push(...from.map((f) => () => this.e.evaluate(f, this.e.openFrame(f))));
      }
    }
    // Last, since the names may be made of other globals.
    for (const w of writes) {
      if (w.name !== undefined) continue;
      for (const turn of turnsOf(this.e, w.node)) {
        const name = this.e.keyOf(w, turn);
        if (name !== undefined) add(name, () => this.e.evaluate(w.value, turn));
      }
    }
  }
}

/** `global` or `globalThis`, if nothing in the file hides it. */
export function isGlobalObject(expression: Expression): boolean {
  const n = unwrap(expression);
  return ts.isIdentifier(n) && (n.text === 'global' || n.text === 'globalThis') && !lookup(n.text, n);
}
