import type { Key } from '../model/effect.js';
import type { Row } from '../keys/row-key.js';
import { isInside, type Evaluator } from '../origin/evaluate.js';
import type { Frame } from '../origin/frame.js';
import { argument } from '../origin/library.js';
import { propertiesOf, type Instance, type LibraryValue, type Value } from '../origin/value.js';
import { ts, type Node, type SourceFile } from '../syntax/compiler.js';
import { indexOf, lookup } from '../syntax/scope.js';

export type { Row };

const MAX_DEPTH = 4;

/** Reads the row that an insert adds: its columns, as far as the code writes them out. */
export class RowReader {
  constructor(
    private readonly e: Evaluator,
    private readonly key: (name: string, value: Value, node: Node) => Key,
  ) {}

  read(value: Value, at: Node, depth = 0): Row {
    if (depth > MAX_DEPTH) return OPEN;
    switch (value.kind) {
      case 'object':
        return this.object(value, depth);
      case 'list':
        return together(value.elements.map((v) => this.read(v, at, depth + 1)));
      case 'union':
        return together(value.options.map((v) => this.read(v, at, depth + 1)));
      case 'collection': {
        if (value.of === 'list') return together(this.e.contents(value).map((v) => this.read(v, at, depth + 1)));
        const source = ts.isSourceFile(value.scope as Node) ? (value.scope as SourceFile) : value.scope.getSourceFile();
        return value.of === 'object' ? this.assigned(source, (n) => ts.isIdentifier(n) && n.text === value.holder, value.frame) : OPEN;
      }
      case 'instance':
        return this.instance(value, at, depth);
      case 'library': {
        // `new Order({ … })`, `Order.build({ … })`
        const given = value.args && isMadeHere(value) ? argument(this.e, value.args, '0') : undefined;
        return given ? this.read(given, at, depth + 1) : OPEN;
      }
      case 'derived': {
        // DynamoDB's own way of writing an item.
        const [item] = value.parts;
        return item && value.node && ts.isCallExpression(value.node) && /\bmarshall$/.test(value.node.expression.getText()) ? this.read(item, at, depth + 1) : OPEN;
      }
      case 'constant':
        return value.value == null ? EMPTY : OPEN;
      default:
        return OPEN;
    }
  }

  private object(value: Extract<Value, { kind: 'object' }>, depth: number): Row {
    const rows = propertiesOf(value).map((p): Row => {
      if (ts.isSpreadAssignment(p)) return this.read(this.e.evaluate(p.expression, value.frame), p, depth + 1);
      const name = this.e.propertyName(p.name, value.frame);
      return name === undefined ? OPEN : { columns: this.columns(name, this.e.objectMember(value, name), ts.isPropertyAssignment(p) ? p.initializer : p, depth), open: false };
    });
    const holder = value.node.parent;
    if (ts.isVariableDeclaration(holder)) rows.push(this.assigned(holder.getSourceFile(), (n) => ts.isIdentifier(n) && lookup(n.text, n) === holder, value.frame));
    return together(rows);
  }

  /** `order: { connect: { id } }` is `order.connect.id`. */
  private columns(name: string, value: Value, node: Node, depth: number): Key[] {
    if (value.kind !== 'object' || depth > MAX_DEPTH) return [this.key(name, value, node)];
    const inner = this.object(value, depth + 1).columns as Key[];
    return inner.length ? inner.map((k) => ({ ...k, name: `${name}.${k.name}` })) : [this.key(name, value, node)];
  }

  /** `order.total = …`, wherever the file writes to what holds the row. */
  private assigned(source: SourceFile, holds: (object: Node) => boolean, frame: Frame): Row {
    const columns = indexOf(source).memberWrites.flatMap((w) => {
      if (w.name === undefined || !holds(w.object)) return [];
      const at = frame.fn && isInside(w.node, frame.fn) ? frame : this.e.openFrame(w.node);
      return this.columns(w.name, this.e.evaluate(w.value, at), w.value, 0);
    });
    return { columns, open: false };
  }

  /** An entity: what its class and its constructor fill, and what is assigned to it. */
  private instance(value: Instance, at: Node, depth: number): Row {
    if (!value.made) return OPEN;
    const { node, frame } = value.made;
    const fields = value.node.members.flatMap((m) => {
      if (!ts.isPropertyDeclaration(m) || !ts.isIdentifier(m.name)) return [];
      const found = this.e.instanceMember(value, m.name.text);
      return found.kind === 'unknown' ? [] : this.columns(m.name.text, found, m, depth);
    });
    const holder = node.parent;
    const rows: Row[] = [{ columns: fields, open: false }];
    if (ts.isVariableDeclaration(holder)) rows.push(this.assigned(holder.getSourceFile(), (n) => ts.isIdentifier(n) && lookup(n.text, n) === holder, frame));
    const [first] = value.args ?? [];
    if (first) rows.push(fields.length ? { columns: [], open: false } : this.read(first(), at, depth + 1));
    return together(rows);
  }
}

/** An entity that the call itself made, not one that was fetched by what a constructor made. */
export function isMadeHere(value: LibraryValue): boolean {
  if (value.path.length > 0) return false;
  return /\.(create|build)$/.test(value.name) || (value.name.startsWith('new ') && value.parent?.name.startsWith('new ') !== true);
}

const EMPTY: Row = { columns: [], open: false };
const OPEN: Row = { columns: [], open: true };

function together(rows: readonly Row[]): Row {
  return { columns: rows.flatMap((r) => r.columns), open: rows.some((r) => r.open) };
}
