import { Catalog } from './catalog.js';
import { clients } from './clients/index.js';
import { effects } from './effects/index.js';
import { helpers } from './helpers/index.js';
import { stores } from './stores/index.js';
import type { Library } from './schema.js';

/** The catalog that ships, with libraries of the user's settings in front. */
export function defaultCatalog(own: readonly Library[] = []): Catalog {
  return new Catalog([...own, ...clients, ...stores, ...effects, ...helpers]);
}
