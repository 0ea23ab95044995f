import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** What tells whether a file is still the same: at a glance by size and time, for sure by its content. */
export interface Stamp {
  size: number;
  mtimeMs: number;
  /** SHA-1 of the bytes. */
  hash: string;
}

/** A file written this shortly before it was stamped could be written again without a new time. */
const RACY_MS = 2000;

export function stampOf(file: string): Stamp | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    return { size, mtimeMs, hash: hashOf(file) };
  } catch {
    return undefined;
  }
}

/** The same content as when it was stamped. A checkout gives new times to old files, so the content decides. */
export function isSame(file: string, stamp: Stamp, stampedAt: number): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.size !== stamp.size) return false;
  if (stat.mtimeMs === stamp.mtimeMs && stat.mtimeMs < stampedAt - RACY_MS) return true;
  return hashOf(file) === stamp.hash;
}

function hashOf(file: string): string {
  return createHash('sha1').update(readFileSync(file)).digest('base64');
}
