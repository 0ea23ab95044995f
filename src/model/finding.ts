import type { Place } from './place.js';

export interface Edit {
  file: string;
  start: number;
  end: number;
  text: string;
}

export interface Suggestion {
  title: string;
  edits: Edit[];
}

export interface TraceStep {
  place: Place;
  message: string;
}

export type Preset = 'recommended' | 'strict';

/** What an edit shall do, in terms of places; `src/fix` knows how to write it. */
export type FixRequest =
  | { kind: 'move-ack'; ack: Place; after: Place }
  | { kind: 'await'; call: Place }
  | { kind: 'for-of'; call: Place }
  | { kind: 'manual-ack'; option: Place }
  | { kind: 'rethrow'; clause: Place }
  | { kind: 'ack-out-of-finally'; ack: Place }
  | { kind: 'out-of-transaction'; call: Place; transaction: Place; before: boolean }
  | { kind: 'settle'; at: Place; failed: boolean }
  | { kind: 'no-requeue'; at: Place }
  | { kind: 'return-after'; first: Place; second: Place }
  | { kind: 'insert-by'; call: Place; library: string; column: string }
  /** `path`: the argument and the properties that lead to the key; `from`: values that come from the message, the nearest first. */
  | { kind: 'idempotency-key'; call: Place; path: string[]; from: Place[] }
  | { kind: 'sequence-gate'; call: Place; column: string }
  | { kind: 'stable-id'; value: Place; client: string };

/** Why a finding is not counted: a comment in the code says so, or it stands in the baseline. */
export interface Suppression {
  by: 'comment' | 'baseline';
  /** The reason given in the comment, or the baseline that holds it. */
  reason?: string;
}

export interface Finding {
  /** One cause, one id; stable over line shifts. */
  id: string;
  rule: string;
  severity: 'error' | 'warning';
  /** The lowest preset that reports it. */
  preset: Preset;
  /** Names the message text among the rule's messages (`meta.messages`). */
  messageId: string;
  data: Record<string, string>;
  message: string;
  /** The expression to change. */
  place: Place;
  /** Where `place` is in another file than the handler: the call in the handler's file that leads there. */
  via?: Place;
  trace: TraceStep[];
  suggestions: Suggestion[];
  /** The kind of edit that helps; suggestions are made from it. */
  fix?: FixRequest;
}

export interface SuppressedFinding extends Finding {
  suppression: Suppression;
}
