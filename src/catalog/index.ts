import { Catalog } from './catalog.js';
import { clients } from './clients/index.js';
import { effects } from './effects/index.js';
import { helpers } from './helpers/index.js';
import { stores } from './stores/index.js';
import { mergeLibraries } from './merge.js';
import type { Library } from './schema.js';

/** The catalog that ships, with libraries of the user's settings in front. */
export function defaultCatalog(own: readonly Library[] = []): Catalog {
  const shipped = [...clients, ...stores, ...effects, ...helpers];
  const known = new Catalog(shipped);
  const extended = own.map((library) => {
    const [specifier] = library.packages;
    const before = library.own || specifier === undefined ? undefined : known.library(specifier);
    // What the settings add to a package must not hide what is known of it.
    return before ? { ...mergeLibraries(before, library), packages: library.packages } : library;
  });
  return new Catalog([...extended, ...shipped]);
}
