import { mergeLibraries } from '../catalog/merge.js';
import { ANY_FILE, fileSpecifier } from '../catalog/own.js';
import type { Call, EffectFacts, Library, Registration, Shape } from '../catalog/schema.js';
import type { Named, Settings } from './settings.js';

/** The settings in the catalog's vocabulary: one library for each package, one for each name of the project itself. */
export function ownLibraries(settings: Settings, fileAt: (file: string) => string): Library[] {
  const library = (at: Named, shape: Shape): Library => libraryOf(at, shape, fileAt);
  const found = [
    ...(settings.handlers ?? []).map((h) => library(h, handler(h))),
    ...(settings.acks ?? []).map((a) => library(a, called({ settles: { as: a.as ?? 'ack', message: path(a.message ?? 0) } }))),
    ...(settings.stores ?? []).map((s) => library(s, called({ effect: store(s) }))),
    ...(settings.externalEffects ?? []).map((x) => library(x, called({ effect: external(x) }))),
    ...(settings.dedupHelpers ?? []).map((d) => library(d, called({ effect: dedup(d) }))),
  ];
  const ids = settings.ids && Object.keys(settings.ids).length > 0 ? [{ name: 'settings', packages: [], exports: {}, ids: settings.ids }] : [];
  return [...byPackage(found), ...ids];
}

function byPackage(libraries: readonly Library[]): Library[] {
  const merged = new Map<string, Library>();
  const rest: Library[] = [];
  for (const own of libraries) {
    const [specifier] = own.packages;
    if (specifier === undefined || own.own === true) rest.push(own);
    else {
      const before = merged.get(specifier);
      merged.set(specifier, before ? mergeLibraries(before, own) : own);
    }
  }
  return [...merged.values(), ...rest];
}

/** `Bus.subscribe` is a method of what `new Bus()` makes, and of `Bus` itself. */
function libraryOf(at: Named, shape: Shape, fileAt: (file: string) => string): Library {
  const [first = '', ...rest] = at.name.replace(/^@/, '').split('.');
  const bare = first.replace('()', '');
  const inner = nest(rest, shape);
  const base = at.package === undefined ? { name: at.name, packages: [at.file === undefined ? ANY_FILE : fileSpecifier(fileAt(at.file))], own: true } : { name: at.package, packages: [at.package] };
  if (first !== bare) return { ...base, exports: { [bare]: { call: { returns: inner } } } };
  if (rest.length === 0) return { ...base, exports: { [bare]: inner } };
  return { ...base, exports: { [bare]: { ...inner, construct: { returns: bare } } }, types: { [bare]: inner } };
}

function nest(names: readonly string[], shape: Shape): Shape {
  const [first, ...rest] = names;
  if (first === undefined) return shape;
  const bare = first.replace('()', '');
  const inner = nest(rest, shape);
  return { members: { [bare]: first === bare ? inner : { call: { returns: inner } } } };
}

function called(call: Call): Shape {
  return { call, construct: call };
}

function handler(h: NonNullable<Settings['handlers']>[number]): Shape {
  const message: Shape = { message: true, stability: 'producer-stable' };
  const given: Shape = h.batch ? { batch: true, element: message } : message;
  const at = h.message ?? 0;
  const isDecorator = h.name.startsWith('@');
  const registration: Registration = {
    handler: isDecorator ? 'decorated' : path(h.handler ?? 0),
    params: [...Array.from({ length: at }, (): Shape => ({})), given],
    acknowledgement: h.acknowledgement ?? 'on-return',
  };
  return isDecorator ? { decorator: registration } : called({ registers: registration });
}

function store(s: NonNullable<Settings['stores']>[number]): EffectFacts {
  return {
    ...(s.writes === 'nothing' ? { kind: 'read' } : { kind: 'write', writeKind: s.writes }),
    ...(s.table !== undefined && { table: path(s.table) }),
    ...(s.key !== undefined && { where: path(s.key) }),
    ...(s.data !== undefined && { data: path(s.data) }),
    ...(s.transaction !== undefined && { joins: path(s.transaction) }),
  };
}

function external(x: NonNullable<Settings['externalEffects']>[number]): EffectFacts {
  return {
    kind: 'external',
    ...(x.key !== undefined && { key: path(x.key) }),
    ...(x.idempotentBy !== undefined && { idempotentBy: path(x.idempotentBy) }),
    ...(x.idempotent === true && { idempotent: true }),
  };
}

function dedup(d: NonNullable<Settings['dedupHelpers']>[number]): EffectFacts {
  const seen = d.seen === undefined ? true : d.seen;
  return {
    ...(d.records === false ? { kind: 'read' } : { kind: 'write', writeKind: 'insert-or-ignore' }),
    marker: true,
    where: path(d.key ?? 0),
    ...(d.transaction !== undefined && { joins: path(d.transaction) }),
    result: { fresh: { '': d.fresh === undefined ? !seen : d.fresh }, duplicate: { '': seen } },
  };
}

function path(argument: number | string): string {
  return String(argument);
}
