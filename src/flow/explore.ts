import type { Value } from '../origin/value.js';
import { NOTHING, held, holds, learn, type Knowledge, type Term } from './conditions.js';
import type { FlowGraph, FlowNode } from './ir.js';
import { relevanceOf, type Relevance } from './relevance.js';

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
  /** The nodes that matter to the question: paths that leave them are not followed. */
  within?: ReadonlySet<number>;
  /** Whether the question is answered, and no more paths need to be followed. */
  isDone?: () => boolean;
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
  const relevant = relevanceOf(w.graph);
  const keyOf = w.keyOf ?? String;
  const seen = new Map<number, Set<string>>();
  const knowledges = new Knowledges(relevant);
  let states = 0;
  const work = [{ id: w.from, state: w.state, known: knowledges.at(w.from, { ...NOTHING, ...w.knowledge }) }];
  while (work.length && !w.isDone?.()) {
    const at = work.pop();
    if (!at) break;
    let here = seen.get(at.id);
    if (!here) seen.set(at.id, (here = new Set()));
    const key = `${at.known.id}|${keyOf(at.state)}`;
    if (here.has(key)) continue;
    here.add(key);
    if (++states > MAX_STATES) return false;
    const node = w.graph.nodes[at.id];
    if (!node) continue;
    const state = w.visit(node, at.state);
    if (state === undefined) continue;
    const k = after(node, at.known.k, relevant);
    const allowed = waysFrom(node, k);
    const ways = w.ways ? w.ways(node, state, allowed) : allowed;
    for (const way of ways) {
      if (w.within && !w.within.has(way.to)) continue;
      // What the path knows already teaches nothing.
      const learnt = node.event.kind === 'branch' && way.taken !== undefined && allowed.length > 1 ? learned(node.event.condition, way.taken, k, relevant) : k;
      work.push({ id: way.to, state: w.along ? w.along(node, state, way, ways) : state, known: knowledges.at(way.to, learnt, at.known) });
    }
  }
  return true;
}

interface Known {
  id: number;
  k: Knowledge;
  /** What is left of it, by what can still be asked. */
  rest: Map<number, Known>;
}

/** What the paths of one walk know. Paths that know the same of all that can still be asked are one. */
class Knowledges {
  private readonly byText = new Map<string, Known>();

  constructor(private readonly relevant: Relevance) {}

  /** What is worth knowing at a node; `before`: what the path knew one step earlier, most often the same. */
  at(node: number, k: Knowledge, before?: Known): Known {
    const all = before?.k === k ? before : this.known(k);
    const future = this.relevant.futureOf(node);
    let rest = all.rest.get(future);
    if (!rest) all.rest.set(future, (rest = this.rest(all, future)));
    return rest;
  }

  private rest(all: Known, future: number): Known {
    const isAsked = (key: string): boolean => this.relevant.isAsked(key, future);
    const { values, terms } = all.k;
    if ([...values.keys()].every(isAsked) && [...terms.keys()].every(isAsked)) return all;
    return this.known({ ...all.k, values: new Map([...values].filter(([key]) => isAsked(key))), terms: new Map([...terms].filter(([key]) => isAsked(key))) });
  }

  private known(k: Knowledge): Known {
    const text = knowledgeKey(k);
    let found = this.byText.get(text);
    if (!found) this.byText.set(text, (found = { id: this.byText.size, k, rest: new Map() }));
    return found;
  }
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

function after(node: FlowNode, k: Knowledge, relevant: Relevance): Knowledge {
  const { event } = node;
  if (event.kind === 'assign') return holding(`v${event.variable}`, event.value, k, relevant);
  if (event.kind === 'return') return holding(`r${event.frame}`, event.value, k, relevant);
  return k;
}

/** From here on the variable or the result is this value. What that stands for now is kept, since a later turn may change it. */
function holding(key: string, value: Value, k: Knowledge, relevant: Relevance): Knowledge {
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

function learned(condition: Value, taken: boolean, k: Knowledge, relevant: Relevance): Knowledge {
  const terms = learn(condition, taken, k.terms);
  if (terms === k.terms) return k;
  // Facts that no other branch asks for only multiply the states.
  const kept = new Map<string, Term>();
  const asked = [...terms].filter(([key]) => (relevant.terms.get(key) ?? 0) > 1);
  for (const [key, term] of asked.slice(-MAX_TERMS)) kept.set(key, term);
  return { ...k, terms: kept };
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
