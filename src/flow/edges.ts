import type { FlowGraph, FlowNode } from './ir.js';

/** Which edges of a graph a plain search follows; it knows nothing of the conditions on them. */
export interface Edges {
  /** Where paths end. */
  isEnd?: (n: FlowNode) => boolean;
  /** Without the ways of failure. */
  success?: boolean;
  /** Of this node only the way of failure. */
  failing?: FlowNode;
}

function edgesFrom(n: FlowNode, { isEnd, success, failing }: Edges): number[] {
  if (isEnd?.(n)) return [];
  const next = n === failing ? [] : n.next;
  return n.thrown === undefined || success ? next : [...next, n.thrown];
}

/** All nodes that paths from a node could reach, were each condition open. */
export function plainlyReached(graph: FlowGraph, from: number, edges: Edges = {}): Set<number> {
  const seen = new Set<number>();
  const work = [from];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const n = graph.nodes[id];
    if (!n || seen.has(id)) continue;
    seen.add(id);
    work.push(...edgesFrom(n, edges));
  }
  return seen;
}

/** All nodes from which a path could come to a goal, were each condition open; the goals are among them. */
export function leadingTo(graph: FlowGraph, isGoal: (n: FlowNode) => boolean, edges: Edges = {}): Set<number> {
  const before = new Map<number, number[]>();
  for (const n of graph.nodes) {
    for (const to of edgesFrom(n, edges)) {
      const list = before.get(to);
      if (list) list.push(n.id);
      else before.set(to, [n.id]);
    }
  }
  const seen = new Set<number>();
  const work = graph.nodes.filter(isGoal).map((n) => n.id);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    work.push(...(before.get(id) ?? []));
  }
  return seen;
}
