import type { ProgramIndex } from '../discovery/program-index.js';
import { schemasOf } from '../keys/schemas.js';
import { plainName } from '../keys/table.js';
import type { Place } from '../model/place.js';
import { aheadOfNow, durationOf, numberOf } from '../origin/amount.js';
import { ingredients } from '../origin/stability.js';
import { options, type LibraryValue, type Value } from '../origin/value.js';
import { ts, type CallLike, type Expression, type Node, type SourceFile } from '../syntax/compiler.js';
import { EffectReader, type ReadEffect } from './effects.js';
import { intervalIn } from './expiry.js';

/** What the program does about old rows of a table. */
export interface Prune {
  /** The age in milliseconds at which rows go, and where that is written; undefined where some go, and nobody can tell which. */
  after?: { ms: number; place: Place };
}

const REMOVES = /delete|remove|destroy|purge|prune|truncate|\bdrop|\.del\(|expire|partition|cleanup|ttl/i;

/** Finds what removes the old rows of a table, wherever the program does it. Nothing is read before the first question. */
export class Prunes {
  private readonly known = new Map<string, Prune | 'never' | undefined>();
  private readonly reader: EffectReader;

  constructor(
    private readonly index: ProgramIndex,
    /** These files are the whole program, whatever stands beside them. */
    private readonly alone?: readonly string[],
  ) {
    this.reader = new EffectReader(index.e);
  }

  /** `never`: the table belongs to the program, and nothing in it removes a row; undefined where that cannot be told. */
  of(table: string): Prune | 'never' | undefined {
    const name = plainName(table);
    if (!this.known.has(name)) this.known.set(name, this.find(name));
    return this.known.get(name);
  }

  private find(name: string): Prune | 'never' | undefined {
    const { files } = this.index.e.sources;
    const mentions = mentioning(name);
    this.index.asked.add(name);
    const texts = (this.alone ?? [...files.list(), ...files.beside()]).flatMap((file) => {
      const text = files.text(file);
      return text !== undefined && REMOVES.test(text) && mentions.test(text) ? [{ file, text }] : [];
    });
    const found = texts.flatMap(({ file, text }): Prune[] => {
      if (!/\.(sql|ya?ml|json|prisma)$/.test(file)) {
        const source = this.index.e.sources.parser.parse(file);
        return source ? [...this.inCode(source, name), ...this.byIndex(source, text)] : [];
      }
      // A job of the database, partitions, a scheduled statement: how old the rows get is not worked out.
      return file.endsWith('.sql') && /\bdelete\s+from\b|\bpartition\b|drop_chunks|\btruncate\b/i.test(text) ? [{}] : [];
    });
    const [longest] = found.flatMap((p) => p.after ?? []).sort((a, b) => b.ms - a.ms);
    if (found.some((p) => !p.after)) return {};
    if (longest) return { after: longest };
    return schemasOf(this.index.e).declared(name).length > 0 ? 'never' : undefined;
  }

  private inCode(source: SourceFile, name: string): Prune[] {
    const found: Prune[] = [];
    this.reader.source = source;
    const visit = (n: Node): void => {
      if (ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n)) {
        for (const read of this.effectsOf(n)) {
          const { effect } = read;
          if (effect.writeKind === 'delete' && effect.table !== undefined && plainName(effect.table).replace(/s$/, '') === name.replace(/s$/, '')) found.push(this.pruneBy(read, n));
        }
      }
      ts.forEachChild(n, visit);
    };
    visit(source);
    return found;
  }

  private effectsOf(node: CallLike): ReadEffect[] {
    const { e } = this.index;
    const frame = e.openFrame(node);
    const result = ts.isCallExpression(node) ? e.evaluate(node, frame) : undefined;
    if (result?.kind === 'library' && result.chain && result.shape.builder) {
      const { parent } = node;
      const continues = ts.isPropertyAccessExpression(parent) && ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
      return continues ? [] : [this.reader.chain(result, result.chain, node)];
    }
    const called = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
    return options(e.evaluate(called, frame)).flatMap((callee) => {
      const facts = callee.kind === 'library' ? callee.shape.call?.effect : undefined;
      if (!facts || callee.kind !== 'library') return [];
      const nodes = ts.isTaggedTemplateExpression(node) ? (ts.isTemplateExpression(node.template) ? node.template.templateSpans.map((s) => s.expression) : []) : (node.arguments ?? []);
      return this.reader.read(facts, callee satisfies LibraryValue, { nodes, frame }, node);
    });
  }

  /** How old a row is when this deletes it. */
  private pruneBy({ inputs, statement }: ReadEffect, node: CallLike): Prune {
    const { e } = this.index;
    const place = e.sources.parser.place(node);
    const moments = inputs.flatMap((v) => this.leaves(v)).flatMap((v) => aheadOfNow(v) ?? []).filter((ms) => ms < 0);
    const [moment] = moments;
    const ms = moment !== undefined ? -moment : statement && intervalIn(this.sqlOf(node));
    return ms === undefined ? {} : { after: { ms, place } };
  }

  /** The text of a statement; a hole in it is not written out. */
  private sqlOf(node: CallLike): string {
    const [first] = ts.isTaggedTemplateExpression(node) ? [node.template] : (node.arguments ?? []);
    if (!first) return '';
    const value = ts.isTaggedTemplateExpression(node) ? undefined : this.index.e.evaluate(first as Expression, this.index.e.openFrame(node));
    return value?.kind === 'constant' ? String(value.value) : first.getText();
  }

  private leaves(value: Value, depth = 0): Value[] {
    if (depth > 5) return [];
    if (value.kind === 'object') return this.index.e.propertyValues(value).flatMap((v) => this.leaves(v, depth + 1));
    if (value.kind === 'list') return value.elements.flatMap((v) => this.leaves(v, depth + 1));
    return ingredients(this.index.e, value);
  }

  /** An index or a field of Mongoose that lets documents go: `{ expireAfterSeconds: 60 }`, `expires: '1d'`. */
  private byIndex(source: SourceFile, text: string): Prune[] {
    return /expireAfterSeconds|\bexpires\s*:/.test(text) ? [this.expiring(source)] : [];
  }

  private expiring(source: SourceFile): Prune {
    let after: Prune['after'];
    const visit = (n: Node): void => {
      if (ts.isPropertyAssignment(n) && /^(expireAfterSeconds|expires)$/.test(n.name.getText())) {
        const value = this.index.e.evaluate(n.initializer, this.index.e.openFrame(n));
        const seconds = amountOf(value);
        if (seconds !== undefined && seconds > 0) after ??= { ms: seconds * 1000, place: this.index.e.sources.parser.place(n.initializer) };
      }
      ts.forEachChild(n, visit);
    };
    visit(source);
    return after ? { after } : {};
  }
}

function amountOf(value: Value): number | undefined {
  if (value.kind === 'constant' && typeof value.value === 'string') return (durationOf(value.value) ?? Number.NaN) / 1000;
  return numberOf(value);
}

/** A name in any of its spellings: `processed_events`, `processedEvent`, `ProcessedEvents`. */
function mentioning(name: string): RegExp {
  const letters = [...name.replace(/s$/, '')].map((c) => c.replace(/[^\p{L}\p{N}]/u, '\\$&'));
  return new RegExp(letters.join('[_-]?'), 'i');
}
