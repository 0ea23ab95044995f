/** What the command needs of its process; a test hands in its own. */
export interface Surroundings {
  cwd: string;
  stdout: Output;
  stderr: Output;
  /** Where answers come from. */
  stdin?: NodeJS.ReadableStream;
  env: Record<string, string | undefined>;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Wide enough for a path and a message, narrow enough for a CI log. */
const LOG_WIDTH = 100;

export function widthOf({ stdout }: Surroundings): number {
  return stdout.isTTY && stdout.columns ? Math.min(Math.max(stdout.columns, 40), 120) : LOG_WIDTH;
}

/** Colours on a terminal, unless NO_COLOR is set; elsewhere only if FORCE_COLOR asks for them. */
export function colorOn({ stdout, env }: Surroundings): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return stdout.isTTY === true && env.TERM !== 'dumb';
}
