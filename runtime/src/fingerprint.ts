/** A digest of the payload: the same id with another payload is a fault of the producer, not a duplicate. */
import { createHash } from 'node:crypto';
import { InvalidMessageError } from './errors.js';

/**
 * SHA-256 of the payload, 32 bytes. Bytes and strings are taken as they are; other values by their JSON with sorted
 * keys, so that the order of properties does not matter.
 */
export function fingerprint(payload: unknown): Buffer {
  const hash = createHash('sha256');
  if (payload instanceof Uint8Array) return hash.update('bytes:').update(payload).digest();
  return hash.update('json:').update(canonical(payload, new Set())).digest();
}

function canonical(value: unknown, above: Set<object>): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
      return JSON.stringify(value);
    case 'bigint':
      return `${value}n`;
    case 'undefined':
      return 'null';
    case 'object':
      return value === null ? 'null' : canonicalObject(value, above);
    default:
      throw unusable(`a ${typeof value}`);
  }
}

function canonicalObject(value: object, above: Set<object>): string {
  if (above.has(value)) throw unusable('a cycle');
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  const { toJSON } = value as { toJSON?: () => unknown };
  const inside = new Set(above).add(value);
  if (typeof toJSON === 'function') return canonical(toJSON.call(value), inside);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, inside)).join()}]`;
  if (value instanceof Map || value instanceof Set) throw unusable(`a ${value.constructor.name}`);
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, inside)}`).join()}}`;
}

function unusable(what: string): InvalidMessageError {
  return new InvalidMessageError(
    `The payload contains ${what}, so it has no fingerprint. Pass fingerprint: (message) => text or bytes of your own.`,
  );
}
