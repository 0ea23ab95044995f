import type { Catalog } from './catalog/catalog.js';

/**
 * A cheap look at a file's text: can it hold a handler? A file that names no client, carries none of the clients' words and
 * has no handler-shaped export is never parsed.
 */
export class Gate {
  private readonly pattern: RegExp;

  constructor(catalog: Catalog, extraNames: readonly string[] = []) {
    const packages = catalog.libraries.filter((l) => !l.own && registers(l)).flatMap((l) => l.packages);
    const names = packages.map((p) => (p.endsWith('*') ? escape(p.slice(0, -1)) : `${escape(p)}(?:/[\\w./-]+)?['"]`));
    this.pattern = new RegExp(`['"](?:node:)?(?:${names.join('|')})|${WORDS.join('|')}${extraNames.length ? `|\\b(?:${extraNames.map(escape).join('|')})\\b` : ''}`);
  }

  passes(text: string): boolean {
    return this.pattern.test(text);
  }
}

/** Words that no other code uses, for files that get their client from another file. */
const WORDS = [
  '\\beachMessage\\b', '\\beachBatch\\b', '\\bReceiveMessageCommand\\b', '\\.receiveMessage\\(', '\\.xreadgroup\\(', '\\.xReadGroup\\(', '\\.consume\\(', '\\bnoAck\\b',
  '\\bconstructEvent(?:Async)?\\(', '\\bexports\\.\\w*[hH]andler\\b', '\\bhandler\\s*=\\s*(?:async\\b|\\()', '\\bRecords\\b', '\\bMessageBatch\\b', '\\bExportedHandler\\b', '\\bWorkerHost\\b', '\\.subscription\\(',
];

function registers(library: Catalog['libraries'][number]): boolean {
  return library.packages.length > 0 && JSON.stringify([library.exports, library.types]).match(/"(registers|decorator|handlerType|eventType|baseClass)"/) !== null;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
