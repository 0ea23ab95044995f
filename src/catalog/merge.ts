import type { Library } from './schema.js';

/** Everything that either says; where both say something of the same thing, the first. Constructors keep what the first makes. */
export function mergeLibraries(first: Library, second: Library): Library {
  const renamed = sameTypes(first, second);
  return {
    ...first,
    packages: [...new Set([...first.packages, ...renamed.packages])],
    exports: merge(first.exports, renamed.exports),
    ...((first.types ?? renamed.types) && { types: merge(first.types ?? {}, renamed.types ?? {}) }),
  };
}

/** A class that both know: the second's type takes the first's name for what the constructor makes. */
function sameTypes(first: Library, second: Library): Library {
  const types = { ...second.types };
  for (const [name, ref] of Object.entries(second.exports)) {
    const other = first.exports[name];
    const mine = typeof ref === 'object' ? ref.construct?.returns : undefined;
    const theirs = typeof other === 'object' ? other.construct?.returns : typeof other === 'string' ? first.types?.[other]?.construct?.returns : undefined;
    if (typeof mine !== 'string' || typeof theirs !== 'string' || mine === theirs) continue;
    const shape = types[mine];
    if (!shape) continue;
    types[theirs] = shape;
  }
  return { ...second, types };
}

type Tree = Record<string, unknown>;

function merge<T extends object>(first: T, second: T): T {
  const merged = { ...second, ...first } as Tree;
  for (const [key, value] of Object.entries(second)) {
    const own = (first as Tree)[key];
    if (isTree(own) && isTree(value)) merged[key] = merge(own, value);
  }
  return merged as T;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
