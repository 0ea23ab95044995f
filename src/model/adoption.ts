import type { Edit } from './finding.js';
import type { Remark } from './explanation.js';

/** What moving a handler onto the inbox takes, or what is in the way of it. */
export interface Adoption {
  /** The line that was asked about is in the handler itself, not in something that it calls. */
  own: boolean;
  /** None where something is in the way. */
  edits: Edit[];
  /** What the edits rely on, and what they leave for a person to do. */
  notes: string[];
  /** What is in the way, with what to do about it. */
  obstacles: Remark[];
}
