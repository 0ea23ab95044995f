/**
 * Text that reaches PostgreSQL. The inbox writes values into its statements as literals instead of binding them,
 * for two reasons: `BEGIN` and the record travel as one simple query, which has no parameters; and one text runs
 * unchanged on every driver, whatever placeholders it knows.
 */
import { InboxConfigError } from './errors.js';

// Everything that can neither end a literal nor be taken for a placeholder (`?`, `$1`, `:name`) by a driver.
const plain = /^[A-Za-z0-9 _.,/@#+=()[\]{}|!~^<>\u0080-\u{10ffff}-]*$/u;
const special = /[^A-Za-z0-9 _.,/@#+=()[\]{}|!~^<>\u0080-\u{10ffff}-]/gu;

/**
 * A string literal. Characters outside a safe set are written as `\xHH` in an escape string constant, so the text
 * holds no quote, backslash sequence or placeholder that came from the value, under either setting of
 * `standard_conforming_strings`.
 *
 * Source: PostgreSQL manual, 4.1.2.2 "String Constants with C-Style Escapes".
 */
export function literal(value: string): string {
  if (plain.test(value)) return `'${value}'`;
  const escaped = value.replace(special, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `E'${escaped}'`;
}

/** A `bytea` value. */
export function bytes(value: Uint8Array): string {
  return `decode('${Buffer.from(value).toString('hex')}', 'hex')`;
}

/** A `timestamptz` value, exact to the millisecond and independent of the session's time zone. */
export function timestamp(value: Date): string {
  return `to_timestamp(${(value.getTime() / 1000).toFixed(3)})`;
}

/** An `interval` of whole milliseconds. */
export function interval(milliseconds: number): string {
  return `CAST('${Math.round(milliseconds)} milliseconds' AS interval)`;
}

/** A quoted identifier. Throws {@link InboxConfigError} for what PostgreSQL would refuse or silently truncate. */
export function identifier(name: string): string {
  if (typeof name !== 'string' || name === '' || name.includes('\0') || !name.isWellFormed()) {
    throw new InboxConfigError(`${JSON.stringify(name)} cannot name a schema, table or column. Use a non-empty string.`);
  }
  if (Buffer.byteLength(name) > 63) {
    throw new InboxConfigError(
      `The name ${JSON.stringify(name)} is longer than 63 bytes; PostgreSQL would cut it off. Choose a shorter name.`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** How values get into a statement: written out, or bound to parameters. */
export interface Writer {
  text(value: string): string;
  uuid(value: string): string;
  bigint(value: bigint | string): string;
  bytes(value: Uint8Array): string;
  timestamp(value: Date): string;
  interval(milliseconds: number): string;
}

/** Writes values out as literals, so that the text needs no parameters. */
export const literals: Writer = {
  text: literal,
  uuid: (value) => `CAST(${literal(value)} AS uuid)`,
  bigint: (value) => `CAST(${value} AS bigint)`,
  bytes,
  timestamp,
  interval,
};

/** Binds values after those that the caller has bound already, so that one text serves all messages. */
export class Parameters implements Writer {
  readonly values: unknown[];

  constructor(own: readonly unknown[]) {
    this.values = [...own];
  }

  text = (value: string): string => this.bind(value, 'text');
  uuid = (value: string): string => this.bind(value, 'uuid');
  bigint = (value: bigint | string): string => this.bind(String(value), 'bigint');
  bytes = (value: Uint8Array): string => this.bind(Buffer.from(value), 'bytea');
  timestamp = (value: Date): string => this.bind(value.toISOString(), 'timestamptz');
  interval = (milliseconds: number): string => this.bind(`${Math.round(milliseconds)} milliseconds`, 'interval');

  private bind(value: unknown, type: string): string {
    this.values.push(value);
    return `CAST($${this.values.length} AS ${type})`;
  }
}
