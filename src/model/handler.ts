import type { Adoption } from './adoption.js';
import type { Explanation } from './explanation.js';
import type { Finding, SuppressedFinding } from './finding.js';
import type { Place } from './place.js';

export type Acknowledgement = 'on-return' | 'explicit' | 'on-delivery' | 'none';

export type Guard =
  | 'transactional-inbox'
  | 'unique-key'
  | 'version-gate'
  | 'conditional-write'
  | 'locked-status-check';

export interface TimelineStep {
  kind: 'read' | 'begin' | 'commit' | 'rollback' | 'write' | 'external' | 'dedup-check' | 'dedup-record' | 'ack' | 'nack' | 'throw' | 'return';
  detail: string;
  writeKind?: string;
  /** Nobody waits for it: it may still be under way when the message is acknowledged. */
  detached?: boolean;
  place: Place;
}

/** One handler with all that was found out about it. */
export interface HandlerReport {
  id: string;
  name: string;
  place: Place;
  /** npm package name of the client, or the name given in the settings. */
  client: string;
  registeredAt: Place;
  acknowledgement: Acknowledgement;
  verdict: 'safe' | 'unsafe' | 'unproven';
  guards: Guard[];
  timeline: TimelineStep[];
  findings: Finding[];
  /** Findings that a comment or the baseline takes out of the count. */
  suppressed: SuppressedFinding[];
  /** Calls of the handler's own that could not be resolved. */
  unresolved: number;
  /** Where it was asked for. */
  explanation?: Explanation;
  adoption?: Adoption;
}

export interface Problem {
  file: string;
  message: string;
}

export interface ProgramReport {
  root: string;
  files: number;
  handlers: HandlerReport[];
  problems: Problem[];
  durationMs: number;
  /** Calls in handlers that could not be resolved. */
  unresolved: number;
  /** Findings left out since they touch no changed file. */
  unchanged?: number;
}
