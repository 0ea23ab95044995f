import type { Stability } from '../model/effect.js';
import type { Library, Shape, ShapeRef } from './schema.js';

/** A shape together with the library whose names it refers to. */
export interface Bound {
  library: Library;
  shape: Shape;
}

/** All libraries that the engine knows, by import specifier. */
export class Catalog {
  private readonly exact = new Map<string, Library>();
  private readonly prefixes: { prefix: string; library: Library }[] = [];
  private readonly globals = new Map<string, Bound>();
  private readonly distinctive = new Map<string, Bound[]>();
  /** Members of objects that are known by their name. */
  private readonly byMember = new Map<string, Bound[]>();
  private readonly generators: readonly Library[];
  readonly libraries: readonly Library[];
  /** Properties of messages whose stability the settings tell. */
  readonly ids = new Map<string, Stability>();

  constructor(libraries: readonly Library[]) {
    this.libraries = libraries;
    this.generators = libraries.filter((l) => l.generated);
    for (const library of libraries) {
      for (const [name, stability] of Object.entries(library.ids ?? {})) this.ids.set(name, stability);
      if (library.own) continue;
      for (const p of library.packages) {
        if (p.endsWith('*')) this.prefixes.push({ prefix: p.slice(0, -1), library });
        else if (!this.exact.has(p)) this.exact.set(p, library);
      }
      for (const [name, ref] of Object.entries(library.globals ?? {})) {
        const bound = this.bind(ref, library);
        if (bound) this.globals.set(name, bound);
      }
      for (const [name, shape] of Object.entries(library.distinctive?.methods ?? {})) this.distinctive.set(name, [...(this.distinctive.get(name) ?? []), { library, shape }]);
      for (const [name, shape] of Object.entries(library.distinctive?.object?.members ?? {})) this.byMember.set(name, [...(this.byMember.get(name) ?? []), { library, shape }]);
    }
  }

  library(specifier: string): Library | undefined {
    const bare = specifier.replace(/^node:/, '');
    return this.exact.get(bare) ?? this.prefixes.find((p) => bare.startsWith(p.prefix))?.library ?? this.generates(bare);
  }

  /** The library that writes its code to this path of the project. */
  generates(specifier: string): Library | undefined {
    return this.generators.find((l) => l.generated?.paths.test(specifier));
  }

  /** Types that need no import (`ExportedHandler` of Cloudflare's ambient types). */
  globalType(name: string): Bound | undefined {
    for (const library of this.libraries) {
      const shape = library.globalTypes?.[name];
      if (shape !== undefined) return this.bind(shape, library);
    }
    return undefined;
  }

  /** A method that only one library has, if the text is that of a file where it means that one. */
  distinctiveMethod(name: string, text: string): Bound | undefined {
    return this.distinctive.get(name)?.find(({ library }) => library.distinctive?.anywhere === true || library.packages.some((p) => text.includes(`'${p}'`) || text.includes(`"${p}"`)));
  }

  /** A member that the client of one library alone has, of an object that is named like it. */
  distinctiveMember(object: string, member: string): Bound | undefined {
    return this.byMember.get(member)?.find(({ library }) => library.distinctive?.object?.named.test(object));
  }

  global(name: string): Bound | undefined {
    return this.globals.get(name);
  }

  /** A named export of a library as a value. */
  exported(library: Library, name: string): Bound | undefined {
    const ref = library.exports[name] ?? library.exportsLike?.find(({ named }) => named.test(name))?.shape;
    return ref === undefined ? undefined : this.bind(ref, library);
  }

  /** A type of a library, as named in an annotation. */
  type(library: Library, name: string): Bound | undefined {
    const shape = library.types?.[name];
    if (shape) return { library, shape };
    const ref = library.exports[name] ?? library.exportsLike?.find(({ named }) => named.test(name))?.shape ?? library.anyType;
    return ref === undefined ? undefined : this.bind(ref, library);
  }

  bind(ref: ShapeRef | undefined, library: Library): Bound | undefined {
    if (ref === undefined) return undefined;
    if (typeof ref !== 'string') return { library, shape: ref };
    const [pkg, type] = ref.split('#');
    if (type === undefined) {
      const shape = library.types?.[ref];
      return shape ? { library, shape } : undefined;
    }
    const other = this.library(pkg ?? '');
    const shape = other?.types?.[type];
    return other && shape ? { library: other, shape } : undefined;
  }
}
