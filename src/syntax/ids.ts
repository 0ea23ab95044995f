import type { Node } from './compiler.js';

const ids = new WeakMap<Node, number>();
let next = 1;

/** A number for a node, the same for the life of the process. */
export function nodeId(node: Node): number {
  let id = ids.get(node);
  if (id === undefined) ids.set(node, (id = next++));
  return id;
}
