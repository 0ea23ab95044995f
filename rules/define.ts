import type { FlowNode, HandlerModel } from '../src/flow/query.js';
import type { FixRequest, Preset, Suggestion, TraceStep } from '../src/model/finding.js';
import type { Place } from '../src/model/place.js';

/** What a rule found: which of its messages, where, and with which words filled in. */
export interface RuleFinding {
  messageId: string;
  place: Place;
  data: Record<string, string>;
  /** The lowest preset that reports it; `recommended` if left out. */
  preset?: Preset;
  trace?: TraceStep[];
  suggestions?: Suggestion[];
  /** Names the kind of edit that helps; the fixer makes the suggestion from it. */
  fix?: FixRequest;
}

export interface Rule {
  name: string;
  /** One line, for the docs and the presets' tables. */
  description: string;
  /** The lowest preset that switches it on. */
  preset: Preset;
  severity: 'error' | 'warning';
  /** Full sentences; `{{name}}` is filled from a finding's data. */
  messages: Record<string, string>;
  /** What the rule judges, for whoever asks why it is silent: in words, in the plural, and where in a handler it is. */
  looksAt?: { what: string; in: (handler: HandlerModel) => readonly FlowNode[] };
  /** What there is to say of a handler that the rule does not judge, for whoever asks. */
  hint?: (handler: HandlerModel) => string | undefined;
  check: (handler: HandlerModel) => RuleFinding[];
}

export function defineRule(rule: Rule): Rule {
  return rule;
}
