import type { TimelineStep } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { isAck, isEffect, isWithin, walk, type HandlerModel } from './query.js';
import type { FlowNode } from './ir.js';

/** One representative path, in order: the one that passes most of the given places, and of those the longest. */
export function timeline(model: HandlerModel, places: readonly Place[] = []): TimelineStep[] {
  const wanted = new Set(places.map((p) => `${p.file}:${p.start}`));
  let best: Path = { ids: [], passed: 0 };
  walk<Path>({
    graph: model.graph,
    from: model.graph.entry,
    state: best,
    // Of paths that meet, one for each length is followed on.
    keyOf: (s) => `${s.passed}:${s.ids.length}`,
    visit: (n, s) => {
      if (n.event.kind === 'end' && (s.passed > best.passed || (s.passed === best.passed && s.ids.length > best.ids.length))) best = s;
      const step = stepOf(n);
      if (!step) return s;
      // A second turn of a loop shows nothing new.
      if (s.ids.includes(n.id)) return undefined;
      return { ids: [...s.ids, n.id], passed: s.passed + (wanted.has(`${step.place.file}:${step.place.start}`) ? 1 : 0) };
    },
    ways: (_, __, allowed) => allowed.filter((w) => !w.thrown),
  });
  const path = best.ids.flatMap((id) => model.graph.nodes[id] ?? []);
  const acks = path.filter(isAck);
  return path.flatMap((n) => {
    const step = stepOf(n);
    if (!step) return [];
    const detached = isEffect(n) && acks.some((a) => !isWithin(a.event.task, n.event.task));
    return [detached ? { ...step, detached } : step];
  });
}

interface Path {
  ids: number[];
  passed: number;
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
