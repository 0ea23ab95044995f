/** Chance by seed, so that a run can be had again: ids and jitter in the threads, the choice of crashes outside. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export type Chance = () => number;

/** Numbers in [0, 1): mulberry32, good enough to spread and the same everywhere. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes what this thread mints follow the seed. Each thread needs another seed, for a new process mints other ids. */
export function seedThread(seed: number): void {
  const next = chance(seed);
  const fill = (bytes: Uint8Array): void => {
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.floor(next() * 256);
  };
  const randomBytes = (size: number, callback?: (error: null, bytes: Buffer) => void): Buffer | undefined => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    if (!callback) return bytes;
    process.nextTick(callback, null, bytes);
    return undefined;
  };
  const randomUUID = (): string => {
    const bytes = Buffer.alloc(16);
    fill(bytes);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  Math.random = next;
  Object.assign(crypto, { randomBytes, randomUUID });
  syncBuiltinESMExports();
  globalThis.crypto.randomUUID = randomUUID as typeof globalThis.crypto.randomUUID;
  globalThis.crypto.getRandomValues = ((array: ArrayBufferView) => {
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  }) as typeof globalThis.crypto.getRandomValues;
}
