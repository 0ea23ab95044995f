import { resolve } from 'node:path';
import type { Library } from '../catalog/schema.js';
import { ownLibraries } from './libraries.js';
import type { Settings } from './settings.js';
import { validate } from './validate.js';

/** What the engine makes of the settings. */
export interface EngineSettings {
  /** The user's own registrations, acks, stores, effects and ids, in the catalog's vocabulary. */
  libraries: Library[];
  /** Words that let a file pass the gate. */
  names: string[];
  /** Handlers that are rebuilt by replay: names, files or folders. */
  projections: string[];
  /** Milliseconds, by client. */
  redeliveryHorizons: Record<string, number>;
}

const NONE: EngineSettings = { libraries: [], names: [], projections: [], redeliveryHorizons: {} };
const known = new WeakMap<object, EngineSettings>();

/**
 * Reads `settings['idempotent-consumers']` or the content of a config file; `where` names it in errors, and files are
 * relative to `folder`, or to the root of the program if none is given.
 * Throws a `UserError` that names key and value of what does not fit.
 */
export function readSettings(value: unknown, where = "settings['idempotent-consumers']", folder?: string): EngineSettings {
  if (value === undefined || value === null) return NONE;
  const before = typeof value === 'object' ? known.get(value) : undefined;
  if (before) return before;
  const settings = validate(value, where);
  const read: EngineSettings = {
    libraries: ownLibraries(settings, (file) => (folder === undefined ? file : resolve(folder, file))),
    names: [...new Set((settings.handlers ?? []).map((h) => lastWord(h.name)))],
    projections: (settings.projections ?? []).flatMap((p) => (folder === undefined ? [p] : [p, resolve(folder, p)])),
    redeliveryHorizons: Object.fromEntries(Object.entries(settings.redeliveryHorizons ?? {}).map(([client, text]) => [client, milliseconds(text)])),
  };
  known.set(value as Settings, read);
  return read;
}

function lastWord(name: string): string {
  return name.replace(/\(\)/g, '').replace(/^@/, '').split('.').at(-1) ?? name;
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(text: string): number {
  const unit = text.replace(/[\d.\s]/g, '');
  return Number.parseFloat(text) * (UNITS[unit] ?? 1);
}
