import type { Preset } from '../model/finding.js';

/** What a report says of the program that made it. */
export interface Tool {
  name: string;
  version: string;
  rules: readonly RuleText[];
}

export interface RuleText {
  name: string;
  description: string;
  preset: Preset;
  severity: 'error' | 'warning';
  /** The rule's page, as Markdown. */
  page?: string;
  /** Where the page is on the web, if it is. */
  url?: string;
}
