import type { Union, Value } from '../origin/value.js';
import { termKey, unionKey } from './conditions.js';
import type { FlowGraph, FlowNode } from './ir.js';

/** What the conditions of a graph ask about, and from where on that can still be asked. */
export interface Relevance {
  /** Keys of the variables and results that some condition asks for. */
  values: ReadonlySet<string>;
  /** For each fact that conditions ask for, how many of them do. */
  terms: ReadonlyMap<string, number>;
  /** A number for all that can be asked from a node on: nodes with the same number ask for the same. */
  futureOf: (node: number) => number;
  /** Whether a condition on some way on from such a node asks for the key, before it is set anew. */
  isAsked: (key: string, future: number) => boolean;
}

const known = new WeakMap<FlowGraph, Relevance>();

export function relevanceOf(graph: FlowGraph): Relevance {
  let found = known.get(graph);
  if (!found) known.set(graph, (found = { ...relevantKeys(graph.nodes), ...futuresOf(graph) }));
  return found;
}

/** The variables and values that conditions of these nodes ask about, and what those may stand for. */
export function relevantKeys(nodes: readonly FlowNode[]): Pick<Relevance, 'values' | 'terms'> {
  const values = new Set<string>();
  const terms = new Map<string, number>();
  const places = new Map<string, Set<string>>();
  let place = '';
  const visit = (v: Value): void => {
    const asked = askedIn(v);
    for (const key of asked.values) values.add(key);
    for (const term of asked.terms) {
      // The same condition in copies of one piece of code asks once.
      let at = places.get(term);
      if (!at) places.set(term, (at = new Set()));
      at.add(place);
      terms.set(term, at.size);
    }
  };
  for (const n of nodes) {
    if (n.event.kind !== 'branch') continue;
    place = `${n.event.place.file}:${n.event.place.start}`;
    visit(n.event.condition);
  }
  // Values that a relevant value may stand for matter as well.
  const holders = nodes.flatMap((n) => heldAt(n) ?? []);
  for (let before = -1; before < values.size; ) {
    before = values.size;
    for (const h of holders) if (values.has(h.key)) visit(h.value);
  }
  return { values, terms };
}

/** The variable or result that a node sets. */
export function heldAt({ event }: FlowNode): { key: string; value: Value } | undefined {
  if (event.kind === 'assign') return { key: `v${event.variable}`, value: event.value };
  return event.kind === 'return' ? { key: `r${event.frame}`, value: event.value } : undefined;
}

interface Asked {
  values: Set<string>;
  terms: Set<string>;
}

/** The keys of all that a value is made of. */
export function askedIn(value: Value): Asked {
  let asked = askedOf.get(value);
  if (asked) return asked;
  asked = { values: new Set(), terms: new Set() };
  askedOf.set(value, asked);
  const { values, terms } = asked;
  const visit = (v: Value, depth: number): void => {
    if (depth > 10) return;
    if (v.kind === 'union') {
      for (let u: Union | undefined = v; u; u = u.of?.base) {
        const key = unionKey(u);
        if (key !== undefined && !u.of) values.add(key);
      }
      for (const o of v.options) visit(o, depth + 1);
    } else if (v.kind === 'derived') for (const p of v.parts) visit(p, depth + 1);
    const term = termKey(v);
    if (term !== undefined) terms.add(term);
  };
  visit(value, 0);
  return asked;
}
const askedOf = new WeakMap<Value, Asked>();

/** From each node, against the flow: what the conditions on the ways on ask for. A set of keys is the bits of some words. */
function futuresOf(graph: FlowGraph): Pick<Relevance, 'futureOf' | 'isAsked'> {
  const { nodes } = graph;
  const numbers = new Map<string, number>();
  const numbered = (v: Value): number[] => {
    const { values, terms } = askedIn(v);
    return [...values, ...terms].map((key) => {
      let n = numbers.get(key);
      if (n === undefined) numbers.set(key, (n = numbers.size));
      return n;
    });
  };
  const asks = nodes.map(({ event }) => (event.kind === 'branch' ? numbered(event.condition) : []));
  const sets = nodes.map((n) => {
    const held = heldAt(n);
    return held && { key: held.key, asks: numbered(held.value) };
  });
  // Who asks for a variable asks for all that it may stand for.
  const behind = new Map<number, Set<number>>();
  for (const held of sets) {
    const key = held && numbers.get(held.key);
    if (key === undefined) continue;
    let of = behind.get(key);
    if (!of) behind.set(key, (of = new Set()));
    for (const a of held?.asks ?? []) of.add(a);
  }
  const words = Math.ceil(numbers.size / 32);
  const asked = new Uint32Array(nodes.length * words);
  const add = (node: number, keys: Iterable<number>): void => {
    const work = [...keys];
    const seen = new Set<number>();
    for (let key = work.pop(); key !== undefined; key = work.pop()) {
      if (seen.has(key)) continue;
      seen.add(key);
      const at = node * words + (key >> 5);
      asked[at] = (asked[at] ?? 0) | (1 << (key & 31));
      work.push(...(behind.get(key) ?? []));
    }
  };
  asks.forEach((keys, node) => {
    if (keys.length) add(node, keys);
  });
  const before: number[][] = nodes.map(() => []);
  for (const n of nodes) for (const to of n.thrown === undefined ? n.next : [...n.next, n.thrown]) before[to]?.push(n.id);
  const work = nodes.map((n) => n.id);
  const isWaiting = new Uint8Array(nodes.length).fill(1);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    isWaiting[id] = 0;
    for (const from of before[id] ?? []) {
      const key = numbers.get(sets[from]?.key ?? '');
      let grew = false;
      for (let w = 0; w < words; w += 1) {
        let bits = asked[id * words + w] ?? 0;
        // What is set here is not what was set before, unless the new value is made of the old one.
        if (key !== undefined && key >> 5 === w && !sets[from]?.asks.includes(key)) bits &= ~(1 << (key & 31));
        const old = asked[from * words + w] ?? 0;
        const now = (old | bits) >>> 0;
        if (now === old) continue;
        asked[from * words + w] = now;
        grew = true;
      }
      if (grew && !isWaiting[from]) {
        isWaiting[from] = 1;
        work.push(from);
      }
    }
  }
  const futures = new Map<string, number>();
  const example: number[] = [];
  const future = nodes.map((_, id) => {
    const text = asked.subarray(id * words, (id + 1) * words).join();
    let n = futures.get(text);
    if (n === undefined) {
      futures.set(text, (n = futures.size));
      example.push(id);
    }
    return n;
  });
  return {
    futureOf: (node) => future[node] ?? -1,
    isAsked: (key, f) => {
      const n = numbers.get(key);
      const node = example[f];
      return n !== undefined && node !== undefined && ((asked[node * words + (n >> 5)] ?? 0) & (1 << (n & 31))) !== 0;
    },
  };
}
