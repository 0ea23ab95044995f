/** The message as the inbox sees it, and the checks on it. */
import { createHash } from 'node:crypto';
import { InvalidMessageError } from './errors.js';

export interface Message<P = unknown> {
  /**
   * Same at every delivery of the message, and minted by its producer: an event id, a message-id property, a key of
   * the entity. 1 to {@link maxIdBytes} bytes of UTF-8, without NUL.
   */
  id: string;
  /** Grows with every change of the entity that the message is about. A safe integer or a bigint. */
  version?: number | bigint;
  /** When it happened, told by the message itself, so that it is the same at every delivery. Milliseconds if a number. */
  occurredAt?: Date | number | string;
  payload?: P;
  /** Scope of the id: two tenants may use the same id. Default: the inbox's own tenant. */
  tenant?: string;
}

/** A message after its checks: what goes into the record. */
export interface Checked {
  id: string;
  tenant: string;
  occurredAt: Date | undefined;
  fingerprint: Buffer | undefined;
  message: Message;
}

/**
 * Longest id in bytes. PostgreSQL refuses index rows over 2,704 bytes (`BTMaxItemSize`), which hold a consumer and a
 * tenant of at most {@link maxNameBytes}, an id, and for steps a name of that length as well.
 */
export const maxIdBytes = 1024;
export const maxNameBytes = 255;

/** How the text of an id is stored. */
export type IdType = 'text' | 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function checkId(id: unknown, idType: IdType = 'text'): string {
  if (typeof id !== 'string') {
    throw new InvalidMessageError(
      `A message id must be a string, not ${id === null ? 'null' : typeof id}. Take it from the message, e.g. String(event.id).`,
    );
  }
  checkText(id, 'message id');
  if (idType === 'text') return id;
  if (!uuid.test(id)) {
    throw new InvalidMessageError(
      `The message id ${JSON.stringify(id.slice(0, 64))} is no UUID, and this inbox stores ids as uuid. Send a UUID or set idType: 'text'.`,
    );
  }
  // One UUID has many spellings; the record and every comparison in memory use this one.
  return id.toLowerCase();
}

/** A consumer, a tenant, an entity or an id: text that is compared byte by byte. */
export function checkText(value: unknown, what: string, maxBytes = maxIdBytes): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw new InvalidMessageError(
      `The ${what} is ${value === '' ? 'empty' : `of type ${typeof value}`}. All messages without one would count as the same; pass a non-empty string.`,
    );
  }
  if (value.includes('\0')) {
    throw new InvalidMessageError(
      `The ${what} holds a NUL character, which PostgreSQL cannot store. Encode it first, e.g. as hex.`,
    );
  }
  if (!value.isWellFormed()) {
    throw new InvalidMessageError(
      `The ${what} holds half of a surrogate pair; different ids of this kind would become one in UTF-8. Encode it first.`,
    );
  }
  const size = Buffer.byteLength(value);
  if (size > maxBytes) {
    throw new InvalidMessageError(
      `The ${what} has ${size} bytes; at most ${maxBytes} fit into the index. Use a SHA-256 of it instead.`,
    );
  }
}

export function checkVersion(version: unknown): bigint {
  if (typeof version === 'bigint') {
    if (BigInt.asIntN(64, version) === version) return version;
  } else if (typeof version === 'number' && Number.isSafeInteger(version)) {
    return BigInt(version);
  }
  throw new InvalidMessageError(
    `The version ${String(version)} must be a safe integer or a bigint of 64 bits. For a date use its getTime().`,
  );
}

export function checkTime(value: unknown): Date | undefined {
  if (value === undefined || value === null) return undefined;
  const time = value instanceof Date || typeof value === 'number' || typeof value === 'string' ? new Date(value) : undefined;
  if (time === undefined || Number.isNaN(time.getTime()) || Math.abs(time.getTime()) > 8e12 * 31) {
    throw new InvalidMessageError(
      `occurredAt is ${String(value)}, which is no point in time. Pass a Date, milliseconds since 1970, or an ISO 8601 string.`,
    );
  }
  return time;
}

/** The creation time inside a version 7 UUID, in milliseconds since 1970. Source: RFC 9562, 5.7. */
export function uuidv7Time(id: string): number {
  if (!uuid.test(id) || id[14] !== '7') {
    throw new InvalidMessageError(
      `The message id ${JSON.stringify(id.slice(0, 64))} is no version 7 UUID, and this inbox is partitioned by the time inside it. Use by: 'occurredAt' instead.`,
    );
  }
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** A UUID of version 8 (RFC 9562, 5.8) from the SHA-256 of the parts: same parts, same UUID. */
export function derivedUuid(...parts: readonly string[]): string {
  // Lengths in front, so that ['a', 'bc'] and ['ab', 'c'] differ.
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  const digest = hash.digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
