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

export interface Finding {
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
  trace: TraceStep[];
  suggestions: Suggestion[];
}
