import type { Catalog } from './catalog/catalog.js';

/**
 * A cheap look at a file's text: can it hold a handler? A file that names no client, carries none of the clients' words and
 * has no handler-shaped export is never parsed.
 */
export class Gate {
  private readonly pattern: RegExp;
  /** Headers of requests are written in any case. */
  private readonly headers: RegExp | undefined;

  constructor(catalog: Catalog, extraNames: readonly string[] = []) {
    const packages = catalog.libraries.filter((l) => !l.own && registers(l)).flatMap((l) => l.packages);
    const names = packages.map((p) => (p.endsWith('*') ? escape(p.slice(0, -1)) : `${escape(p)}(?:/[\\w./-]+)?['"]`));
    this.pattern = new RegExp(`['"](?:node:)?(?:${names.join('|')})|${WORDS.join('|')}${extraNames.length ? `|\\b(?:${extraNames.map(escape).join('|')})\\b` : ''}`);
    const headers = catalog.libraries.flatMap((l) => l.eventHeaders?.names ?? []);
    this.headers = headers.length ? new RegExp(`['"\`](?:${headers.map(escape).join('|')})['"\`]`, 'i') : undefined;
  }

  passes(text: string): boolean {
    return this.pattern.test(text) || (this.headers?.test(text) ?? false) || (/webhook/i.test(text) && /\.post\(|@Post\(|\bPOST\b/.test(text));
  }
}

/** Words that no other code uses, for files that get their client from another file. */
const WORDS = [
  '\\beachMessage\\b', '\\beachBatch\\b', '\\bReceiveMessageCommand\\b', '\\.receiveMessage\\(', '\\.xreadgroup\\(', '\\.xReadGroup\\(', '\\.consume\\(', '\\bnoAck\\b',
  '\\bconstructEvent(?:Async)?\\(', '\\bexports\\.\\w*[hH]andler\\b', '\\bhandler\\s*=\\s*(?:async\\b|\\()', '\\bRecords\\b', '\\bMessageBatch\\b', '\\bExportedHandler\\b', '\\bWorkerHost\\b', '\\.subscription\\(',
  '\\bbatch\\.messages\\b', '\\bauthenticate\\.webhook\\(', '\\bexport default[^;]{0,400}\\bqueue\\b',
];

function registers(library: Catalog['libraries'][number]): boolean {
  if (library.packages.length === 0) return false;
  let found = registering.get(library);
  if (found === undefined) registering.set(library, (found = names([library.exports, library.types, library.anyType], new Set())));
  return found;
}

const REGISTERS = ['registers', 'decorator', 'handlerType', 'eventType', 'baseClass'];
const registering = new WeakMap<object, boolean>();

/** Shapes are shared and may refer to each other: each is looked at once. */
function names(value: unknown, seen: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (REGISTERS.some((r) => (value as Record<string, unknown>)[r] !== undefined)) return true;
  return Object.values(value).some((v) => names(v, seen));
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
