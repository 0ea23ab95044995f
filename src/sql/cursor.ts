import type { Draft } from './draft.js';
import type { Token } from './tokens.js';

const MAX_DEPTH = 150;

class TooDeepError extends Error {}

/** A place in the tokens, and what was learned on the way. */
export class Cursor {
  position = 0;
  /** False once something had to be skipped that was not understood. */
  complete = true;
  /** Statements named by WITH, by lower-case name. */
  readonly ctes = new Map<string, Draft>();
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    /** Reads a query or a data-modifying statement within parentheses. */
    readonly readInner: (cursor: Cursor) => Draft,
  ) {}

  get done(): boolean {
    return this.position >= this.tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.position + ahead];
  }

  next(): Token | undefined {
    const token = this.tokens[this.position];
    this.position += 1;
    return token;
  }

  /** Do the next tokens spell these words or signs? */
  at(...spelling: string[]): boolean {
    return spelling.every((upper, ahead) => this.peek(ahead)?.upper === upper);
  }

  atAny(...uppers: string[]): boolean {
    const upper = this.peek()?.upper;
    return upper !== undefined && upper !== '' && uppers.includes(upper);
  }

  /** Takes the words or signs, if they come next. */
  take(...spelling: string[]): boolean {
    if (!this.at(...spelling)) return false;
    this.position += spelling.length;
    return true;
  }

  takeAny(...uppers: string[]): boolean {
    if (!this.atAny(...uppers)) return false;
    this.position += 1;
    return true;
  }

  expect(...spelling: string[]): boolean {
    const taken = this.take(...spelling);
    if (!taken) this.complete = false;
    return taken;
  }

  /** Runs `read` one level deeper. Nobody writes SQL beyond the limit; a stack would not hold it. */
  nest<T>(read: () => T): T {
    if (this.depth >= MAX_DEPTH) throw new TooDeepError();
    this.depth += 1;
    try {
      return read();
    } finally {
      this.depth -= 1;
    }
  }

  /** From an opening parenthesis to behind the closing one. */
  skipParentheses(): void {
    let depth = 0;
    while (!this.done) {
      const token = this.next();
      if (token?.upper === '(') depth += 1;
      if (token?.upper === ')') {
        depth -= 1;
        if (depth <= 0) return;
      }
    }
    this.complete = false;
  }
}
