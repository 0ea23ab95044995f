import { changes, dedups, distinct, failureHandling, guardsOf, isAskedFor, isBypassed, isFromWorkList, isReplacing, isTemporary, transactionOf, type EffectNode, type HandlerModel } from '../src/flow/query.js';
import { defineRule, type RuleFinding } from './define.js';

export default defineRule({
  name: 'no-unkeyed-insert',
  description: 'disallow inserts whose row has no unique key that comes from the message',
  preset: 'recommended',
  severity: 'error',
  messages: {
    unkeyed: 'A repeat of this message adds a second row to {{table}}: `{{effect}}` gives it no unique key that comes from the message{{made}}. Take a key from the message, and insert or ignore, or upsert, by it.',
    unseen: 'A repeat of this message may add a second row to {{table}}: no schema in sight has a unique key over what `{{effect}}` takes from the message. Insert or ignore, or upsert, by such a key.',
  },
  looksAt: { what: 'inserts', in: ({ graph }) => changes(graph).filter((n) => n.event.effect.rowKey !== undefined || n.event.effect.writeKind === 'insert') },
  check(handler) {
    if (handler.projection) return [];
    const bare = distinct(changes(handler.graph)).filter((n) => isUnkeyed(n) && !isSafe(handler, n));
    // A row that hangs on another new row is repeated with it.
    return bare.filter((n) => !bare.some((x) => x !== n && n.event.rowFrom?.some((r) => r.call === x.event.call))).map(finding);
  },
});

function isUnkeyed(n: EffectNode): boolean {
  const { rowKey } = n.event.effect;
  return rowKey?.from === 'nothing' || rowKey?.from === 'unseen';
}

function isSafe(handler: HandlerModel, n: EffectNode): boolean {
  if (n.event.step !== undefined || n.event.effect.gate !== undefined) return true;
  if (isFailureRecord(handler, n) || isToken(n)) return true;
  // A key that cannot recognise a repeat is reported by no-delivery-id-dedupe where the handler asks for the outcome.
  if (n.event.effect.writeKind === 'insert-or-ignore' && dedups(handler.graph).some((d) => d.node.event.call === n.event.call)) return true;
  // Whether a guard is a sound one is the question of atomic-inbox.
  return guardsOf(handler.graph, n).length > 0 || isAskedFor(handler.graph, n) || isFromWorkList(handler.graph, n) || isReplacing(handler.graph, n) || isTemporary(handler.graph, n) || isBehindKeyedInsert(handler, n);
}

/** A secret that was made for this run, and lets in once: two of them do no harm. */
function isToken({ event }: EffectNode): boolean {
  return /(token|nonce|otp|verification_?code)s?$/i.test(event.effect.table ?? '') && event.effect.rowKey?.made.length !== 0;
}

/** One row for each attempt that failed is what such a table is for. */
function isFailureRecord(handler: HandlerModel, n: EffectNode): boolean {
  return /fail|error|attempt|dead_?letter|dlq|retr(y|ies)|poison|parked/i.test(n.event.effect.table ?? '') || failureHandling(handler.graph).has(n.id);
}

/** Another row, under a key of the message, is always inserted before, or later in the same transaction: a repeat fails there. */
function isBehindKeyedInsert({ graph }: HandlerModel, n: EffectNode): boolean {
  const own = transactionOf(graph, n);
  return changes(graph).some((x) => {
    const { writeKind, rowKey } = x.event.effect;
    if (x === n || writeKind !== 'insert' || rowKey?.from !== 'message') return false;
    if (!isBypassed(graph, x, graph.entry, (m) => m.id === n.id)) return true;
    return own !== undefined && own === transactionOf(graph, x) && !isBypassed(graph, x, n.id, (m) => m.event.kind === 'commit' && m.event.handle === own);
  });
}

/** Not the code that leads to the table. */
function isName(table: string | undefined): table is string {
  return table !== undefined && /^[\w$/-]+$/.test(table);
}

function finding(n: EffectNode): RuleFinding {
  const { effect } = n.event;
  const made = effect.rowKey?.made ?? [];
  const isProven = effect.rowKey?.from === 'nothing';
  const column = effect.rowKey?.candidate;
  return {
    ...(column !== undefined && { fix: { kind: 'insert-by', call: effect.place, library: effect.library, column } }),
    messageId: isProven ? 'unkeyed' : 'unseen',
    place: effect.place,
    preset: isProven ? 'recommended' : 'strict',
    data: {
      effect: effect.name,
      table: isName(effect.table) ? `\`${effect.table}\`` : 'the table',
      made: made.length ? ` (${made.map((c) => `\`${c}\``).join(', ')} is made anew each time)` : '',
    },
  };
}
