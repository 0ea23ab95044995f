import type { Remark } from '../../model/explanation.js';
import type { Evaluator } from '../../origin/evaluate.js';
import type { Node } from '../../syntax/compiler.js';

/** What keeps a handler from being moved: nothing is changed then. `says` tells what is in the way and what to do. */
export class Obstacle extends Error {
  constructor(
    readonly node: Node,
    says: string,
  ) {
    super(says);
  }

  remark(e: Evaluator): Remark {
    return { place: e.sources.parser.place(this.node), name: heading(this.node), says: this.message };
  }
}

function heading(node: Node): string {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 50 ? `${text.slice(0, 49)}…` : text;
}
