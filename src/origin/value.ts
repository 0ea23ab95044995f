import type { Library, Shape } from '../catalog/schema.js';
import type { CallLike, ClassNode, Compiler, Expression, FunctionNode, Node, SourceFile } from '../syntax/compiler.js';
import type { Stability } from '../model/effect.js';
import type { ConstructorFunction } from './constructors.js';
import type { Frame } from './frame.js';

/** What a value is, as far as its origin can be followed. */
export type Value =
  | Unknown
  | Constant
  | Text
  | Func
  | ClassValue
  | Instance
  | Constructed
  | ObjectValue
  | ListValue
  | RecordValue
  | ModuleValue
  | PackageValue
  | LibraryValue
  | Parameter
  | Derived
  | Union
  | Resolver
  | Collection
  | ErrorValue
  | TypedObject;

export interface Unknown {
  kind: 'unknown';
}

export interface Constant {
  kind: 'constant';
  value: string | number | boolean | null | undefined | bigint;
}

/** A template string or a concatenation with at least one part that is not constant. */
export interface Text {
  kind: 'text';
  parts: (string | Value)[];
}

/** A function of the program, with what it closes over. */
export interface Func {
  kind: 'function';
  node: FunctionNode;
  frame: Frame;
  self?: Value;
  /** Arguments bound before (`f.bind(null, x)`). */
  bound?: Thunk[];
}

export interface ClassValue {
  kind: 'class';
  node: ClassNode;
  frame: Frame;
}

/** An object made by `new`, or handed in by dependency injection (then without arguments). */
export interface Instance {
  kind: 'instance';
  node: ClassNode;
  frame: Frame;
  args?: Thunk[];
  /** The expression that made it. */
  id: string;
  /** Where the program itself made it. */
  made?: { node: Compiler.NewExpression; frame: Frame };
}

/** An object of a function that is used as a class. */
export interface Constructed {
  kind: 'constructed';
  by: Func & { node: ConstructorFunction };
  /** Unknown where somebody else has made it. */
  args?: Thunk[];
  id: string;
}

export interface ObjectValue {
  kind: 'object';
  node: Compiler.ObjectLiteralExpression;
  frame: Frame;
  /** What has been taken out of it: `rest` of `const { id, ...rest } = order`. */
  without?: readonly string[];
}

/** What an object has, as it was written. */
export function propertiesOf({ node, without }: ObjectValue): readonly Compiler.ObjectLiteralElementLike[] {
  return without ? node.properties.filter((p) => !p.name || !without.includes(p.name.getText().replace(/^['"]|['"]$/g, ''))) : node.properties;
}

export interface ListValue {
  kind: 'list';
  elements: Value[];
  /** The list holds the messages of a batch. */
  batch?: boolean;
  /** It is written out with one element, and no more can be in it. */
  single?: boolean;
  /** It was made of each element of this one (`map`), and is as long. */
  of?: Value | undefined;
}

/** An object whose properties are known by their names, though no literal lists them: the modules of a folder. */
export interface RecordValue {
  kind: 'record';
  entries: ReadonlyMap<string, Thunk>;
}

/** A file of the program as a namespace. */
export interface ModuleValue {
  kind: 'module';
  source: SourceFile;
}

/** A package from outside the program. */
export interface PackageValue {
  kind: 'package';
  specifier: string;
  /** The export, where one was named. */
  path: string[];
}

/** A value that a catalogued library made. */
export interface LibraryValue {
  kind: 'library';
  library: Library;
  shape: Shape;
  /** Identity of the connection, client or transaction it belongs to; equal strings are the same one. */
  root: string;
  /** In the reader's own names: `this.orders`. */
  name: string;
  /** The call whose result this is (a part of). */
  call?: CallKey;
  /** Properties read since that call. */
  path: string[];
  /** What it was read from: the receiver of a method, the object of a property. */
  parent?: LibraryValue;
  /** The last property name that led here. */
  member?: string;
  /** The calls of a statement builder so far. */
  chain?: Link[];
  /** Arguments of the call or constructor that made it. */
  args?: Args;
  stability?: Stability;
  /** Type arguments as written (`Repository<Order>`). */
  typeArgs?: string[];
}

export interface Link {
  method: string;
  args: Args;
  node: CallLike;
}

export interface Args {
  nodes: readonly Expression[];
  frame: Frame;
  /** Values where the arguments are not written as expressions. */
  values?: Thunk[];
}

/** A parameter whose argument is not known here. */
export interface Parameter {
  kind: 'parameter';
  node: Compiler.ParameterDeclaration;
  fn: FunctionNode;
  index: number;
  frame: Frame;
  /** Properties read from it. */
  path: string[];
  /** A function, bound to this object. */
  self?: Instance | Constructed;
  /** What its declared type says of its properties. */
  typed?: TypedObject;
}

/** Made from other values by an operator or a function without effects. */
export interface Derived {
  kind: 'derived';
  operator: string;
  parts: Value[];
  /** Made new on each call: how (`randomUUID()`). */
  minted?: string;
  node?: Node;
  /** A condition on rows, by its parts (`eq(orders.id, id)`). */
  condition?: 'equals' | 'all';
  /** The call that answered, where it is an effect of its own (`seen.has(id)`). */
  call?: CallKey;
}

export interface Union {
  kind: 'union';
  options: Value[];
  /** The variable that is assigned more than once; a path may know which value it holds. */
  variable?: string;
  /** The frame of the function that returned one of them; a path may know which. */
  result?: number;
  /** For a property of a value that a path may know: what it is if that is known. */
  of?: { base: Union; property: string; read: (base: Value) => Value };
}

/** `resolve` or `reject` of `new Promise((resolve, reject) => …)`. */
export interface Resolver {
  kind: 'resolver';
  promise: string;
  rejects: boolean;
}

/** A Map, Set, array or object that is filled elsewhere. */
export interface Collection {
  kind: 'collection';
  of: 'map' | 'set' | 'list' | 'object';
  /** Name of the variable or property that holds it, for finding what is put in. */
  holder: string;
  /** The class it is a field of, or the file. */
  scope: ClassNode | SourceFile;
  frame: Frame;
  initial: Value[];
  /** It is written out with what it holds: `new Set([…])`. */
  given?: boolean;
  id: string;
}

/** What a catch clause or a node callback gets. */
export interface ErrorValue {
  kind: 'error';
  /** The catch clause, or the call with the callback. */
  from: Node;
  frame: Frame;
  path: string[];
}

/** A value of which only the declared type is known: those of its properties, or what a call gives. */
export interface TypedObject {
  kind: 'typed';
  members: readonly Compiler.PropertySignature[];
  frame: Frame;
  root: string;
  name: string;
  /** What calling it gives, where the type is that of a function. */
  gives?: Value;
}

export type Thunk = () => Value;
export type CallKey = string;

export const UNKNOWN: Unknown = { kind: 'unknown' };

export function constant(value: Constant['value']): Constant {
  return { kind: 'constant', value };
}

/** More possibilities than this say nothing any more. */
const MAX_OPTIONS = 250;

/** One value for several possible ones. */
export function union(options: Value[], from?: Pick<Union, 'variable' | 'result' | 'of'>): Value {
  const flat: Value[] = [];
  for (const o of options) {
    const parts = o.kind === 'union' && !isKnownOnPaths(o) ? o.options : [o];
    for (const p of parts) if (flat.length < MAX_OPTIONS && !flat.some((f) => same(f, p))) flat.push(p);
  }
  const [only] = flat;
  if (flat.length === 1 && only && !from) return only;
  if (flat.length === 0) return UNKNOWN;
  return { kind: 'union', options: flat, ...from };
}

/** A path may know which of the options it is. */
export function isKnownOnPaths(value: Union): boolean {
  return value.variable !== undefined || value.result !== undefined || value.of !== undefined;
}

/** It is known, and not nothing. */
export function isSomething(value: Value): boolean {
  return value.kind !== 'unknown' && !(value.kind === 'constant' && value.value == null);
}

/** An object of the program's own class or constructor function. */
export function isOwnObject(value: Value | undefined): value is Instance | Constructed {
  return value?.kind === 'instance' || value?.kind === 'constructed';
}

export function options(value: Value): Value[] {
  return value.kind === 'union' ? value.options.flatMap(options) : [value];
}

function same(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'unknown':
      return true;
    case 'constant':
      return a.value === (b as Constant).value;
    case 'function':
      return a.node === (b as Func).node && a.frame === (b as Func).frame && (a.self === (b as Func).self || (a.self !== undefined && (b as Func).self !== undefined && same(a.self, (b as Func).self as Value)));
    case 'class':
      return a.node === (b as ClassValue).node;
    case 'instance':
      return a.id === (b as Instance).id && a.node === (b as Instance).node;
    case 'constructed':
      return a.id === (b as Constructed).id && a.by.node === (b as Constructed).by.node;
    case 'object':
      return a.node === (b as ObjectValue).node && a.frame === (b as ObjectValue).frame && a.without?.join() === (b as ObjectValue).without?.join();
    default:
      return false;
  }
}
