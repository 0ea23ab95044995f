import { RepeatedConditions, asksForGiven, distinct, isChange, reachable, reachesSettlement, walk, where, type BranchEvent, type FlowNode, type HandlerModel, type SettleNode } from '../src/flow/query.js';
import type { Place } from '../src/model/place.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'settle-once',
  description: 'require that every path settles its message exactly once',
  preset: 'recommended',
  severity: 'error',
  messages: {
    exit: 'This way out neither acknowledges nor refuses the message: it stays with this consumer and out of everybody’s reach {{until}}, and counts against what it may hold at a time. Refuse or acknowledge it first.',
    caught: '{{failure}} ends here, and the message is neither acknowledged nor refused: it stays with this consumer and out of everybody’s reach {{until}}, and counts against what it may hold at a time. Refuse it.',
    branch: 'One way from here neither acknowledges nor refuses the message: it stays with this consumer and out of everybody’s reach {{until}}, and counts against what it may hold at a time. Settle it on both ways.',
    never: 'Nothing settles the message once its work is done: it stays with this consumer and out of everybody’s reach {{until}}. Once it holds as many as it may, no other comes.',
    thrown: '{{failure}} is caught by nobody: {{client}} does not look at the promise of its handler, and the message is neither acknowledged nor refused. If the process lives on, the message stays with this consumer {{until}}. Catch the error and refuse the message.',
    leased: 'This way out neither acknowledges nor refuses the message: it comes back each time its lease ends, and never gets any further. Acknowledge or terminate it.',
    twice: 'The message is settled a second time here, after `{{first}}` on {{where}}: the broker answers with an error and closes the channel, and whatever is not settled yet comes back. Return after the first.',
    twiceThrows: 'The message is settled a second time here, after `{{first}}` on {{where}}: this call fails. Return after the first.',
    onDelivery: 'The option on {{where}} has this message acknowledged on delivery: the broker answers a second settlement with an error and closes the channel. Switch the option off, or leave this call out.',
  },
  looksAt: { what: 'acknowledgements or refusals by a call', in: ({ graph }) => reachable(graph).filter((n) => n.event.kind === 'settle' && n.event.by !== 'return' && n.event.by !== 'throw') },
  check(handler) {
    if (handler.graph.truncated) return [];
    return [...leftUnsettled(handler), ...settledTwice(handler), ...settledOnDelivery(handler)];
  },
});

// --- Left unsettled

/** What a path has seen. */
interface Path {
  /** It is the path of a message, and not one on which none came. */
  live: boolean;
  /** The last place where another way would have settled the message. */
  cause: number;
  /** The statement that left, after that. */
  exit: number;
  /** The catch clause that was entered, after that. */
  clause: number;
  /** A failure that nobody has caught so far. */
  uncaught: number;
  failed: boolean;
  answers: string;
}

const FRESH = { cause: -1, exit: -1, clause: -1, uncaught: -1, failed: false };

/** Calls that end the process: the broker takes its messages back. */
const ENDS_PROCESS = /^process\.(exit|abort|kill)$/;

/** A function that does nothing but settle, by its name. */
const SETTLES = /(^|\.)(ack|nack|acknowledge|reject|settle|release)[A-Z_]?\w*$/i;

/** The consumer is on its way out, and its messages go back. */
const ON_SHUTDOWN = /shut|stop|clos|abort|drain|cancel|terminat|exiting/i;

function leftUnsettled(handler: HandlerModel): RuleFinding[] {
  const { graph } = handler;
  if (handler.heldUntil === undefined && !handler.leased) return [];
  const nodes = reachable(graph);
  const settles = nodes.filter((n): n is SettleNode => n.event.kind === 'settle' && n.event.by !== 'throw');
  // A later message may settle this one.
  if (settles.some((n) => n.event.upTo && n.event.as === 'ack')) return [];
  const conditions = new RepeatedConditions(nodes);
  const channels = new Set(settles.map((n) => n.event.name.replace(/\.\w+$/, '')));
  const received = new Map(nodes.flatMap((n) => (n.event.kind === 'message' && n.event.call !== undefined ? [[n.event.call, { '': {} }] as const] : [])));
  const found = new Map<string, RuleFinding>();
  const add = (f: RuleFinding | undefined): void => {
    if (!f) return;
    const key = f.messageId === 'thrown' ? f.messageId : `${f.place.file}:${f.place.start}`;
    const before = found.get(key);
    if (!before || f.place.start < before.place.start) found.set(key, f);
  };
  walk<Path>({
    graph,
    from: graph.entry,
    knowledge: { results: received },
    state: { live: !handler.receives, ...FRESH, answers: '' },
    keyOf: (s) => Object.values(s).join(' '),
    visit: (n, s) => {
      const { event } = n;
      switch (event.kind) {
        case 'message':
          return { ...s, ...FRESH, live: true };
        case 'escape':
        case 'release':
          return undefined;
        case 'unresolved':
          return ENDS_PROCESS.test(event.name) ? undefined : s;
        case 'settle':
          if (event.by === 'throw' && s.live && handler.losesThrow) add(thrown(handler, s));
          return undefined;
        case 'return':
          return event.statement && s.exit < 0 && event.frame === frameOf(graph.nodes[s.clause < 0 ? s.cause : s.clause]) ? { ...s, exit: n.id } : s;
        case 'catch':
          return { ...s, clause: n.id, uncaught: -1, failed: true };
        case 'throw':
          return { ...s, uncaught: n.id };
        case 'end':
          if (s.live && event.by === 'return') add(s.uncaught >= 0 ? thrown(handler, s) : left(handler, s));
          return undefined;
        default:
          return s;
      }
    },
    ways: (n, s, allowed) => {
      const open = isOnOwnChannel(handler, n) ? allowed.filter((w) => !w.thrown) : allowed;
      const ways = conditions.consistent(n, s.answers, open);
      if (n.event.kind !== 'branch' || !isAside(n.event, channels)) return ways;
      const working = ways.filter((w) => reachesSettlement(graph, w.to));
      return working.length ? working : ways;
    },
    along: (n, s, way, ways) => {
      const others = n.next.filter((to) => to !== way.to);
      return {
        ...s,
        ...(others.some((to) => reachesSettlement(graph, to)) && { cause: n.id, exit: -1, clause: -1 }),
        ...(way.thrown && { uncaught: n.id }),
        answers: conditions.after(n, s.answers, way, ways),
      };
    },
  });
  return [...found.values()];
}

/** Asks for what is there whenever a message is, or whether the consumer is being stopped. */
function isAside({ text, condition }: BranchEvent, channels: ReadonlySet<string>): boolean {
  return ON_SHUTDOWN.test(text) || asksForGiven(condition) || channels.has(text.replace(/\?\./g, '.').replace(/\s*[!=]==?\s*(null|undefined)$/, ''));
}

function frameOf(n: FlowNode | undefined): number {
  return n?.event.kind === 'branch' || n?.event.kind === 'catch' ? n.event.frame : -1;
}

function left(handler: HandlerModel, s: Path): RuleFinding | undefined {
  const { nodes } = handler.graph;
  const cause = nodes[s.cause]?.event;
  const clause = nodes[s.clause]?.event;
  const exit = nodes[s.exit]?.event;
  const until = handler.heldUntil;
  if (until === undefined) {
    // After a failure the end of the lease is the retry.
    if (s.failed || cause?.kind !== 'branch' || exit?.kind !== 'return') return undefined;
    return { messageId: 'leased', place: exit.place, data: {}, preset: 'strict' };
  }
  if (!cause) {
    if (handler.receives || reachesSettlement(handler.graph, handler.graph.entry)) return undefined;
    return { messageId: 'never', place: handler.place, data: { until } };
  }
  if (clause?.kind === 'catch') {
    // What fails there is the settlement itself: the channel is gone, and the message with it.
    if (SETTLES.test(clause.function)) return undefined;
    const failure = failureOf(nodes[s.cause], clause.place);
    return { messageId: 'caught', place: clause.place, data: { until, failure: failure ?? 'A failure' }, fix: { kind: 'settle', at: clause.place, failed: true } };
  }
  if (cause.kind !== 'branch') return undefined;
  if (exit?.kind === 'return') return { messageId: 'exit', place: exit.place, data: { until }, fix: { kind: 'settle', at: exit.place, failed: s.failed } };
  // One of several known values that a chain of comparisons asks for: there may be no other.
  if (cause.condition.kind === 'derived' && /^[!=]==?$/.test(cause.condition.operator)) return undefined;
  return { messageId: 'branch', place: cause.place, data: { until } };
}

/** A publish throws where the channel is closed, and then its messages go back by themselves. */
function isOnOwnChannel({ client }: HandlerModel, { event }: FlowNode): boolean {
  return event.kind === 'effect' && event.effect.library === client && event.effect.kind === 'external';
}

function thrown(handler: HandlerModel, s: Path): RuleFinding | undefined {
  const until = handler.heldUntil;
  if (until === undefined || handler.receives) return undefined;
  const n = handler.graph.nodes[s.uncaught];
  const place = n && placeOf(n);
  if (!n || !place) return undefined;
  const failure = n.event.kind === 'throw' ? 'What is thrown here' : n.event.kind === 'effect' ? `A failure of \`${n.event.effect.name}\`` : undefined;
  if (failure === undefined) return undefined;
  return { messageId: 'thrown', place, data: { failure, client: handler.client, until }, preset: 'strict' };
}

function placeOf(n: FlowNode): Place | undefined {
  return n.event.kind === 'effect' ? n.event.effect.place : 'place' in n.event ? n.event.place : undefined;
}

function failureOf(n: FlowNode | undefined, from: Place): string | undefined {
  if (n?.event.kind === 'effect') return `A failure of \`${n.event.effect.name}\` on ${where(n.event.effect.place, from)}`;
  if (n?.event.kind === 'commit') return `A failure of \`${n.event.name}\` on ${where(n.event.place, from)}`;
  return undefined;
}

// --- Settled twice

interface Settled {
  /** The first settlement of the path's message. */
  first: number;
  answers: string;
}

function settledTwice(handler: HandlerModel): RuleFinding[] {
  const { graph } = handler;
  // One settlement too many there is on every path: the option is to blame.
  if (handler.autoAck) return [];
  const nodes = reachable(graph);
  const conditions = new RepeatedConditions(nodes);
  const found = new Map<string, RuleFinding>();
  walk<Settled>({
    graph,
    from: graph.entry,
    state: { first: -1, answers: '' },
    keyOf: (s) => `${s.first} ${s.answers}`,
    visit: (n, s) => {
      if (n.event.kind === 'message') return { ...s, first: -1 };
      if (n.event.kind !== 'settle' || n.event.again === undefined) return s;
      // Whether and when it runs is not known.
      if (n.event.upTo || n.event.assumed || n.event.message === undefined || isLater(n.event)) return undefined;
      const first = graph.nodes[s.first];
      if (first?.event.kind !== 'settle') return { ...s, first: n.id };
      if (first.event.message !== n.event.message) return undefined;
      const f = again(n.event, first.event);
      found.set(`${f.place.file}:${f.place.start}`, f);
      return undefined;
    },
    ways: (n, s, allowed) => {
      const ways = conditions.consistent(n, s.answers, allowed);
      // That work comes after the acknowledgement is one matter, that its failure settles again no other.
      return s.first >= 0 && (isChange(n) || n.event.kind === 'unresolved') ? ways.filter((w) => !w.thrown) : ways;
    },
    along: (n, s, way, ways) => ({ ...s, answers: conditions.after(n, s.answers, way, ways) }),
  });
  return [...found.values()];
}

function isLater({ task }: SettleNode['event']): boolean {
  for (let t = task; t; t = t.parent) if (t.how === 'timer' || t.how === 'detached') return true;
  return false;
}

function again(second: SettleNode['event'], first: SettleNode['event']): RuleFinding {
  return {
    messageId: second.again === 'throws' ? 'twiceThrows' : 'twice',
    place: second.place,
    data: { first: first.name, where: first.place.start === second.place.start && first.place.file === second.place.file ? 'an earlier turn of the loop' : where(first.place, second.place) },
    trace: [{ place: first.place, message: 'it is settled here first' }],
    fix: { kind: 'return-after', first: first.place, second: second.place },
  };
}

/** Settled by hand although delivery has acknowledged it. */
function settledOnDelivery(handler: HandlerModel): RuleFinding[] {
  const option = handler.autoAck;
  if (!option) return [];
  const settles = reachable(handler.graph).filter((n): n is SettleNode => n.event.kind === 'settle' && n.event.again === 'closes-channel' && !n.event.assumed);
  return distinct(settles).map((n) => ({ messageId: 'onDelivery', place: n.event.place, data: { where: where(option, n.event.place) } }));
}
