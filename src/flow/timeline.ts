import type { TimelineStep } from '../model/handler.js';
import { walk, type HandlerModel } from './query.js';
import type { FlowNode } from './ir.js';

/** One representative path, in order: the longest one that acknowledges. */
export function timeline(model: HandlerModel): TimelineStep[] {
  let best: number[] = [];
  walk<{ path: number[] }>({
    graph: model.graph,
    from: model.graph.entry,
    state: { path: [] },
    // Paths that meet are the same from there on: only the first is followed.
    keyOf: () => '',
    visit: (n, s) => {
      const shown = stepOf(n) !== undefined;
      const path = shown ? [...s.path, n.id] : s.path;
      if (n.event.kind === 'end' && path.length > best.length) best = path;
      return { path };
    },
    ways: (_, __, allowed) => allowed.filter((w) => !w.thrown),
  });
  return best.map((id) => model.graph.nodes[id]).flatMap((n) => (n ? (stepOf(n) ?? []) : []));
}

function stepOf(n: FlowNode): TimelineStep | undefined {
  const { event } = n;
  switch (event.kind) {
    case 'effect': {
      const { effect } = event;
      if (event.negligible && !effect.marker) return undefined;
      const kind = effect.kind === 'external' ? 'external' : effect.kind === 'read' ? (effect.marker ? 'dedup-check' : 'read') : effect.marker ? 'dedup-record' : 'write';
      return { kind, detail: effect.name, place: effect.place, ...(effect.writeKind && { writeKind: effect.writeKind }) };
    }
    case 'settle':
      return { kind: event.by === 'return' && event.as === 'ack' ? 'return' : event.by === 'throw' ? 'throw' : event.as, detail: event.name, place: event.place };
    case 'begin':
    case 'commit':
    case 'rollback':
      return { kind: event.kind, detail: event.name, place: event.place };
    default:
      return undefined;
  }
}
