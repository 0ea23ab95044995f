import { heldAt, askedIn } from './relevance.js';
import type { FlowEvent, FlowNode } from './ir.js';

/** Events that change nothing and settle nothing. */
const SILENT: ReadonlySet<FlowEvent['kind']> = new Set(['nothing', 'branch', 'assign', 'return', 'catch', 'caught', 'unresolved']);

/**
 * Tells code of no consequence while a graph is built, from its end to its start: code that does nothing on any way, comes to
 * one place unless it fails, and computes nothing that a later condition asks for. Most of what a handler runs through is such
 * code (what formats, logs, tells errors apart), and copies of it would hide the rest.
 */
export class Silence {
  /** For each variable or result that a condition asks for, the first node that does. Nodes come in ascending order. */
  private readonly asked = new Map<string, number>();
  private readonly order: string[] = [];

  /** Takes notice of a new node. */
  add(node: FlowNode): void {
    const held = heldAt(node);
    const value = node.event.kind === 'branch' ? node.event.condition : held && this.asked.has(held.key) ? held.value : undefined;
    if (!value) return;
    for (const key of askedIn(value).values) {
      if (this.asked.has(key)) continue;
      this.asked.set(key, node.id);
      this.order.push(key);
    }
  }

  /**
   * Takes the nodes from `first` on out again if all from `entry` to `next` lies among them and is of no consequence.
   * Returns one by which it may fail, or null if it cannot; undefined if the nodes stay.
   */
  drop(nodes: FlowNode[], entry: number, first: number, next: number): FlowNode | null | undefined {
    const failure = this.failureOf(nodes, entry, first, next);
    if (failure === undefined) return undefined;
    nodes.length = first;
    for (let key = this.order.at(-1); key !== undefined && (this.asked.get(key) ?? 0) >= first; key = this.order.at(-1)) {
      this.asked.delete(key);
      this.order.pop();
    }
    return failure;
  }

  private failureOf(nodes: readonly FlowNode[], entry: number, first: number, next: number): FlowNode | null | undefined {
    let failure: FlowNode | null = null;
    const seen = new Set<number>();
    const work = [entry];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (id === next || seen.has(id)) continue;
      seen.add(id);
      const node = nodes[id];
      if (id < first || !node || !SILENT.has(node.event.kind)) return undefined;
      const held = heldAt(node);
      if (held && (this.asked.get(held.key) ?? first) < first) return undefined;
      work.push(...node.next);
      if (node.thrown === undefined || node.thrown === next) continue;
      if (node.thrown >= first) work.push(node.thrown);
      else if (failure && failure.thrown !== node.thrown) return undefined;
      else if (failure?.event.kind !== 'unresolved') failure = node;
    }
    return failure;
  }
}
