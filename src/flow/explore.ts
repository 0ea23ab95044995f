import type { Union, Value } from '../origin/value.js';
import { NOTHING, held, holds, learn, termKey, unionKey, type Knowledge, type Term } from './conditions.js';
import type { FlowGraph, FlowNode } from './ir.js';

/** More states than this and the question is given up: no answer is better than a slow or a wrong one. */
const MAX_STATES = 6_000;

/** Facts that a path remembers, the latest ones. */
const MAX_TERMS = 8;

export interface Walk<S> {
  graph: FlowGraph;
  from: number;
  state: S;
  knowledge?: Partial<Knowledge>;
  /** The state after a node; undefined ends the path there. */
  visit: (node: FlowNode, state: S) => S | undefined;
  /** Which ways a path may take from a node; by default all that its knowledge allows. */
  ways?: (node: FlowNode, state: S, allowed: Way[]) => Way[];
  /** The state on one of the ways, where it depends on that. */
  along?: (node: FlowNode, state: S, way: Way, ways: readonly Way[]) => S;
  keyOf?: (state: S) => string;
}

export interface Way {
  to: number;
  /** Along the way of failure. */
  thrown: boolean;
  /** For branches: the condition holds. */
  taken?: boolean;
}

/** Follows all paths from a node, each as far as the conditions on it can hold together. False: too many to follow. */
export function walk<S>(w: Walk<S>): boolean {
  const relevant = relevantKeys(w.graph);
  const keyOf = w.keyOf ?? String;
  const seen = new Map<number, Set<string>>();
  const numbers = new Map<string, number>();
  let states = 0;
  const work: { id: number; state: S; k: Knowledge; known: number }[] = [{ id: w.from, state: w.state, k: { ...NOTHING, ...w.knowledge }, known: 0 }];
  while (work.length) {
    const at = work.pop();
    if (!at) break;
    let here = seen.get(at.id);
    if (!here) seen.set(at.id, (here = new Set()));
    const key = `${at.known}|${keyOf(at.state)}`;
    if (here.has(key)) continue;
    here.add(key);
    if (++states > MAX_STATES) return false;
    const node = w.graph.nodes[at.id];
    if (!node) continue;
    const state = w.visit(node, at.state);
    if (state === undefined) continue;
    const k = after(node, at.k, relevant);
    let ways = waysFrom(node, k);
    if (w.ways) ways = w.ways(node, state, ways);
    for (const way of ways) {
      const known = node.event.kind === 'branch' && way.taken !== undefined ? learned(node.event.condition, way.taken, k, relevant) : k;
      work.push({ id: way.to, state: w.along ? w.along(node, state, way, ways) : state, k: known, known: known === at.k ? at.known : numberOf(knowledgeKey(known), numbers) });
    }
  }
  return true;
}

function numberOf(key: string, numbers: Map<string, number>): number {
  let n = numbers.get(key);
  if (n === undefined) numbers.set(key, (n = numbers.size + 1));
  return n;
}

function waysFrom(node: FlowNode, k: Knowledge): Way[] {
  const { event } = node;
  if (event.kind === 'branch') {
    const truth = holds(event.condition, k);
    const [yes, no] = node.next;
    const ways: Way[] = [];
    if (truth !== false && yes !== undefined) ways.push({ to: yes, thrown: false, taken: true });
    if (truth !== true && no !== undefined) ways.push({ to: no, thrown: false, taken: false });
    return ways;
  }
  const ways: Way[] = node.next.map((to) => ({ to, thrown: false }));
  if (node.thrown !== undefined) ways.push({ to: node.thrown, thrown: true });
  return ways;
}

function after(node: FlowNode, k: Knowledge, relevant: Relevant): Knowledge {
  const { event } = node;
  if (event.kind === 'assign') return holding(`v${event.variable}`, event.value, k, relevant);
  if (event.kind === 'return') return holding(`r${event.frame}`, event.value, k, relevant);
  return k;
}

/** From here on the variable or the result is this value. What that stands for now is kept, since a later turn may change it. */
function holding(key: string, value: Value, k: Knowledge, relevant: Relevant): Knowledge {
  if (!relevant.values.has(key)) return k;
  return { ...k, values: new Map(k.values).set(key, held(value, k) ?? value), terms: without(k.terms, key) };
}

/** Without what was known of the value and of its properties. */
function without(terms: Knowledge['terms'], key: string): Knowledge['terms'] {
  const lost = [...terms.keys()].filter((t) => t === key || t.startsWith(`${key}.`));
  if (lost.length === 0) return terms;
  const next = new Map(terms);
  for (const t of lost) next.delete(t);
  return next;
}

function learned(condition: Value, taken: boolean, k: Knowledge, relevant: Relevant): Knowledge {
  const terms = learn(condition, taken, k.terms);
  if (terms === k.terms) return k;
  // Facts that no other branch asks for only multiply the states.
  const kept = new Map<string, Term>();
  const asked = [...terms].filter(([key]) => (relevant.terms.get(key) ?? 0) > 1);
  for (const [key, term] of asked.slice(-MAX_TERMS)) kept.set(key, term);
  return { ...k, terms: kept };
}

interface Relevant {
  values: ReadonlySet<string>;
  terms: ReadonlyMap<string, number>;
}

const relevance = new WeakMap<FlowGraph, Relevant>();

/** The variables and values that conditions of the graph ask about. */
function relevantKeys(graph: FlowGraph): Relevant {
  let found = relevance.get(graph);
  if (found) return found;
  const values = new Set<string>();
  const terms = new Map<string, number>();
  const places = new Map<string, Set<string>>();
  let place = '';
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
    if (term === undefined) return;
    // The same condition in copies of one piece of code asks once.
    let asked = places.get(term);
    if (!asked) places.set(term, (asked = new Set()));
    asked.add(place);
    terms.set(term, asked.size);
  };
  for (const n of graph.nodes) {
    if (n.event.kind !== 'branch') continue;
    place = `${n.event.place.file}:${n.event.place.start}`;
    visit(n.event.condition, 0);
  }
  // Values that a relevant value may stand for matter as well.
  const holders = graph.nodes.flatMap(({ event }) => (event.kind === 'assign' ? [{ key: `v${event.variable}`, value: event.value }] : event.kind === 'return' ? [{ key: `r${event.frame}`, value: event.value }] : []));
  for (let before = -1; before < values.size; ) {
    before = values.size;
    for (const h of holders) if (values.has(h.key)) visit(h.value, 1);
  }
  found = { values, terms };
  relevance.set(graph, found);
  return found;
}

function knowledgeKey(k: Knowledge): string {
  const values = [...k.values].map(([key, v]) => `${key}=${valueKey(v)}`).sort().join(';');
  const terms = [...k.terms].map(termId).sort().join(';');
  return `${values}#${terms}`;
}

/** A short name for a fact: the facts themselves carry long texts. */
function termId([key, t]: [string, Term]): string {
  let id = termIds.get(key);
  if (id === undefined) termIds.set(key, (id = termIds.size));
  return 'equals' in t ? `${id}=${String(t.equals)}` : `${id}!${String(t.not)}`;
}
const termIds = new Map<string, number>();

const valueIds = new WeakMap<Value, number>();
let nextValue = 0;

function valueKey(v: Value): string {
  if (v.kind === 'constant') return `c${String(v.value)}`;
  let id = valueIds.get(v);
  if (id === undefined) valueIds.set(v, (id = nextValue++));
  return `#${id}`;
}
