import type { Way } from './explore.js';
import type { FlowNode } from './ir.js';

/**
 * Conditions that are asked in several places of a handler, of values that nothing is known of: a path answers each
 * of them the same way wherever it is asked.
 */
export class RepeatedConditions {
  private readonly places = new Map<string, Set<string>>();

  constructor(nodes: readonly FlowNode[]) {
    for (const n of nodes) {
      if (n.event.kind !== 'branch') continue;
      const { text } = normal(n.event.text);
      let places = this.places.get(text);
      if (!places) this.places.set(text, (places = new Set()));
      places.add(`${n.event.place.file}:${n.event.place.start}`);
    }
  }

  /** The ways that agree with what a path has answered before. */
  consistent(n: FlowNode, answers: string, ways: Way[]): Way[] {
    const asked = this.asked(n, ways);
    if (!asked) return ways;
    const before = answers.split('\n').find((a) => a.startsWith(`${asked.text}\t`));
    return before === undefined ? ways : ways.filter((w) => (w.taken !== asked.negated) === before.endsWith('\tyes'));
  }

  /** The answers of a path that takes this way. */
  after(n: FlowNode, answers: string, way: Way, ways: readonly Way[]): string {
    const asked = this.asked(n, ways);
    if (!asked || answers.includes(`${asked.text}\t`)) return answers;
    return `${answers}${asked.text}\t${way.taken !== asked.negated ? 'yes' : 'no'}\n`;
  }

  private asked(n: FlowNode, ways: readonly Way[]): { text: string; negated: boolean } | undefined {
    if (n.event.kind !== 'branch' || ways.length < 2) return undefined;
    const asked = normal(n.event.text);
    return (this.places.get(asked.text)?.size ?? 0) > 1 ? asked : undefined;
  }
}

function normal(text: string): { text: string; negated: boolean } {
  const bare = text.replace(/\s+/g, ' ');
  const negated = /!==?/.test(bare);
  return { text: bare.replace(/!(==?)/g, '=$1'), negated };
}
