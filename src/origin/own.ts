import type { Bound, Catalog } from '../catalog/catalog.js';
import { fileOf } from '../catalog/own.js';
import type { Library } from '../catalog/schema.js';
import { ts, enclosingFunction, type ClassNode, type FunctionNode, type Node } from '../syntax/compiler.js';

/** Finds the class that another one extends, if it is one of the program. */
type BaseOf = (cls: ClassNode) => ClassNode | undefined;

/**
 * Functions and methods of the project that the settings say something about. Where code refers to one of them, it means
 * what the settings say; its body is not followed.
 */
export class OwnNames {
  private readonly byLastName = new Map<string, Library[]>();
  private readonly known = new Map<FunctionNode, Bound | undefined>();

  constructor(
    private readonly catalog: Catalog,
    private readonly relative: (file: string) => string,
    private readonly baseOf: BaseOf,
  ) {
    for (const library of catalog.libraries) {
      if (!library.own) continue;
      const last = library.name.replace(/^@/, '').split('.').at(-1) ?? '';
      this.byLastName.set(last, [...(this.byLastName.get(last) ?? []), library]);
    }
  }

  /** What the settings say of a function; undefined for most. */
  boundOf(fn: FunctionNode): Bound | undefined {
    if (this.byLastName.size === 0) return undefined;
    if (!this.known.has(fn)) this.known.set(fn, this.find(fn));
    return this.known.get(fn);
  }

  /** Is this code part of a function that the settings say registers handlers? */
  isInsideRegistrar(node: Node): boolean {
    if (this.byLastName.size === 0) return false;
    for (let n: Node | undefined = node; n; n = n.parent) {
      const shape = isNamable(n) ? this.boundOf(n)?.shape : undefined;
      if (shape?.call?.registers ?? shape?.decorator) return true;
    }
    return false;
  }

  private find(fn: FunctionNode): Bound | undefined {
    const name = declaredName(fn);
    const candidates = name === undefined ? undefined : this.byLastName.get(name);
    return candidates && name !== undefined ? this.among(candidates, fn, name) : undefined;
  }

  private among(candidates: readonly Library[], fn: FunctionNode, name: string): Bound | undefined {
    const holder = holderOf(fn);
    for (const library of candidates) {
      const path = library.name.replace(/^@/, '').split('.');
      if (path.length === 1 && holder === undefined && !enclosingFunction(fn) && this.declares(library, fn)) return this.catalog.exported(library, name);
      const [owner, ...more] = path;
      if (owner === undefined || more.length !== 1 || holder === undefined) continue;
      for (let at: Holder | undefined = holder; at; at = this.above(at)) {
        if (at.name !== owner || !this.declares(library, at.node)) continue;
        return this.memberOf(library, owner, name);
      }
    }
    return undefined;
  }

  private memberOf(library: Library, owner: string, name: string): Bound | undefined {
    const exported = this.catalog.exported(library, owner.replace('()', ''))?.shape;
    const shape = owner.endsWith('()') ? exported?.call?.returns : exported;
    return typeof shape === 'object' ? this.catalog.bind(shape.members?.[name], library) : undefined;
  }

  private declares(library: Library, node: Node): boolean {
    const file = fileOf(library);
    const { fileName } = node.getSourceFile();
    return file === undefined || fileName === file || this.relative(fileName) === file;
  }

  private above(at: Holder): Holder | undefined {
    const base = ts.isClassLike(at.node) ? this.baseOf(at.node) : undefined;
    return base && { node: base, name: base.name?.text };
  }
}

interface Holder {
  node: Node;
  name: string | undefined;
}

/** The class of a method; or the variable that holds the object it is a property of, or the function that makes that object. */
function holderOf(fn: FunctionNode): Holder | undefined {
  const at: Node = ts.isMethodDeclaration(fn) ? fn : fn.parent;
  if ((ts.isMethodDeclaration(at) || ts.isPropertyDeclaration(at)) && ts.isClassLike(at.parent)) return { node: at.parent, name: at.parent.name?.text };
  const isProperty = ts.isMethodDeclaration(at) || ts.isPropertyAssignment(at);
  if (!isProperty || !ts.isObjectLiteralExpression(at.parent)) return undefined;
  const variable = at.parent.parent;
  if (ts.isVariableDeclaration(variable) && ts.isIdentifier(variable.name)) return { node: at.parent, name: variable.name.text };
  const maker = enclosingFunction(at);
  return { node: at.parent, name: maker && `${declaredName(maker) ?? ''}()` };
}

/** The name by which a declaration makes a function known: its own, or that of the variable or property that holds it. */
function declaredName(fn: FunctionNode): string | undefined {
  if ((ts.isFunctionDeclaration(fn) || ts.isMethodDeclaration(fn)) && fn.name && ts.isIdentifier(fn.name)) return fn.name.text;
  const { parent } = fn;
  if ((ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent)) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left)) return parent.left.name.text;
  return undefined;
}

function isNamable(n: Node): n is FunctionNode {
  return ts.isFunctionDeclaration(n) || ts.isMethodDeclaration(n) || ts.isArrowFunction(n) || ts.isFunctionExpression(n);
}
