import { holds, NOTHING } from './conditions.js';
import type { FlowGraph, FlowNode } from './ir.js';
import { heldAt, relevantKeys } from './relevance.js';

/** The graph without the nodes that make no difference to any path: rules follow paths, and each such node costs on each of them. */
export function condense(graph: FlowGraph): FlowGraph {
  const passed = new Passed(graph);
  const live = passed.live();
  const numbers = new Map(live.map((n, i) => [n.id, i]));
  const renumbered = (id: number): number => numbers.get(passed.target(id)) ?? 0;
  const nodes = live.map((n, id) => ({ ...n, id, next: n.next.map(renumbered), ...(n.thrown !== undefined && { thrown: renumbered(n.thrown) }) }));
  return { ...graph, nodes, entry: renumbered(graph.entry) };
}

/** The nodes that paths may pass by. */
class Passed {
  private readonly to = new Map<number, number>();
  /** Whether the message is settled by a call: then it matters where a path leaves, and what may stop it. */
  private readonly isSettled: boolean;

  constructor(private readonly graph: FlowGraph) {
    this.isSettled = graph.nodes.some(({ event }) => event.kind === 'settle' && event.by !== 'return' && event.by !== 'throw');
    // A condition that decides nothing asks for nothing, which may make more nodes pointless.
    for (let before = -1; before < this.to.size; ) {
      before = this.to.size;
      const live = this.live();
      const asked = relevantKeys(live).values;
      for (const n of live) {
        const to = this.wayOn(n, asked);
        if (to !== undefined && this.target(to) !== n.id) this.to.set(n.id, to);
      }
    }
  }

  target(id: number): number {
    for (let to = this.to.get(id); to !== undefined; to = this.to.get(id)) id = to;
    return id;
  }

  live(): FlowNode[] {
    const seen = new Set<number>();
    const work = [this.target(this.graph.entry)];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      const n = this.graph.nodes[id];
      if (!n || seen.has(id)) continue;
      seen.add(id);
      for (const to of n.thrown === undefined ? n.next : [...n.next, n.thrown]) work.push(this.target(to));
    }
    return this.graph.nodes.filter((n) => seen.has(n.id));
  }

  /** Where all paths through a node go on, if the node makes no difference to them. */
  private wayOn(n: FlowNode, asked: ReadonlySet<string>): number | undefined {
    // Where a call settles the message, a condition that decides against it is the place to name.
    const only = this.isSettled ? undefined : onlyWay(n);
    if (only !== undefined) return this.target(only);
    const [next, ...others] = new Set(n.next.map((to) => this.target(to)).filter((to) => to !== n.id));
    if (next === undefined || others.length > 0 || !this.isPointless(n, asked)) return undefined;
    const thrown = n.thrown === undefined ? next : this.target(n.thrown);
    if (thrown === next) return next;
    // Of two in a row that fail to the same place, one is enough.
    const following = this.graph.nodes[next];
    return !this.isSettled && following && canOnlyFail(following) && following.thrown !== undefined && this.target(following.thrown) === thrown ? next : undefined;
  }

  private isPointless(n: FlowNode, asked: ReadonlySet<string>): boolean {
    const { event } = n;
    switch (event.kind) {
      case 'nothing':
      case 'branch':
        return true;
      case 'unresolved':
        return !this.isSettled;
      case 'return':
        if (this.isSettled && event.statement) return false;
        break;
      case 'assign':
        break;
      default:
        return false;
    }
    const held = heldAt(n);
    return held !== undefined && !asked.has(held.key);
  }
}

/** The way of a branch whose condition is decided, whatever a path knows: code behind the other one never runs. */
function onlyWay({ event, next }: FlowNode): number | undefined {
  if (event.kind !== 'branch') return undefined;
  const truth = holds(event.condition, NOTHING);
  if (truth === undefined || holds(event.condition, { ...NOTHING, failing: true }) !== truth) return undefined;
  return next[truth ? 0 : 1];
}

function canOnlyFail({ event }: FlowNode): boolean {
  return event.kind === 'nothing' || event.kind === 'unresolved';
}
