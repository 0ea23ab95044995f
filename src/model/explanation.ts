import type { Place } from './place.js';

/** A place, and what there is to say of it. */
export interface Remark {
  place: Place;
  /** The code in the reader's own names. */
  name: string;
  says: string;
}

/** How a handler was found, what it was taken to do, and what each rule made of that. */
export interface Explanation {
  /** The line that was asked about is in the handler itself, not in something that it calls. */
  own: boolean;
  /** The function that holds the line. */
  inside: { name: string; place: Place };
  /** From the registration to the handler. */
  chain: Remark[];
  /** What its calls were taken for, in the order of the code. */
  calls: Remark[];
  /** The functions of the program that it runs through. */
  followed: Remark[];
  rules: RuleExplanation[];
}

export interface RuleExplanation {
  rule: string;
  /** `strict`: reported only with that preset. `off`: the rule is not part of the preset. */
  outcome: 'fires' | 'strict' | 'silent' | 'off';
  /** What the rule looks at, in words. */
  what: string;
  /** What of it there is, with all that speaks for it; or what is reported. */
  subjects: Remark[];
}
