import { ts, isExported, type Expression, type Node, type SourceFile } from './compiler.js';
import type { Declaration } from './scope.js';
import { indexOf, lookup } from './scope.js';

/** What a module offers under a name: a declaration, an expression, or something of another module. */
export type Export =
  | { kind: 'declaration'; node: Declaration }
  | { kind: 'expression'; node: Expression }
  | { kind: 'from'; specifier: string; name: string }
  | { kind: 'namespace'; specifier: string };

export interface Exports {
  named: Map<string, Export>;
  /** `export * from`. */
  stars: string[];
  /** `module.exports = value` or `export = value`. */
  whole?: Expression;
}

const known = new WeakMap<SourceFile, Exports>();

export function exportsOf(source: SourceFile): Exports {
  let found = known.get(source);
  if (!found) {
    found = { named: new Map(), stars: [] };
    known.set(source, found);
    for (const s of source.statements) esm(s, found);
    commonJs(source, found);
  }
  return found;
}

function esm(s: Node, into: Exports): void {
  if (ts.isExportDeclaration(s)) {
    if (s.isTypeOnly && !s.moduleSpecifier) {
      // Types are looked up by name in the same way as values.
    }
    const specifier = s.moduleSpecifier && ts.isStringLiteral(s.moduleSpecifier) ? s.moduleSpecifier.text : undefined;
    if (!s.exportClause) {
      if (specifier !== undefined) into.stars.push(specifier);
    } else if (ts.isNamespaceExport(s.exportClause)) {
      if (specifier !== undefined) into.named.set(s.exportClause.name.text, { kind: 'namespace', specifier });
    } else {
      for (const e of s.exportClause.elements) {
        const name = (e.propertyName ?? e.name).text;
        if (specifier !== undefined) into.named.set(e.name.text, { kind: 'from', specifier, name });
        else {
          const node = lookup(name, s);
          if (node) into.named.set(e.name.text, { kind: 'declaration', node });
        }
      }
    }
  } else if (ts.isExportAssignment(s)) {
    if (s.isExportEquals) into.whole = s.expression;
    else into.named.set('default', { kind: 'expression', node: s.expression });
  } else if (ts.isVariableStatement(s) && isExported(s)) {
    for (const d of s.declarationList.declarations) names(d, into);
  } else if ((ts.isFunctionDeclaration(s) || ts.isClassDeclaration(s) || ts.isEnumDeclaration(s) || ts.isModuleDeclaration(s) || ts.isInterfaceDeclaration(s) || ts.isTypeAliasDeclaration(s)) && isExported(s)) {
    const isDefault = s.modifiers?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) into.named.set('default', { kind: 'declaration', node: s });
    else if (s.name && !(ts.isFunctionDeclaration(s) && !s.body && into.named.has(s.name.text))) into.named.set(s.name.text, { kind: 'declaration', node: s });
  }
}

function names(d: Declaration, into: Exports): void {
  if (!ts.isVariableDeclaration(d) && !ts.isBindingElement(d)) return;
  if (ts.isIdentifier(d.name)) into.named.set(d.name.text, { kind: 'declaration', node: d });
  else for (const e of d.name.elements) if (ts.isBindingElement(e)) names(e, into);
}

function commonJs(source: SourceFile, into: Exports): void {
  const index = indexOf(source);
  for (const w of index.memberWrites) {
    if (w.name === undefined) continue;
    // module.exports = …
    if (w.name === 'exports' && isName(w.object, 'module')) into.whole = w.value;
    // exports.x = …, module.exports.x = …
    else if (isName(w.object, 'exports') || isModuleExports(w.object)) {
      if (!into.named.has(w.name)) into.named.set(w.name, { kind: 'expression', node: w.value });
    }
  }
}

function isName(e: Expression, name: string): boolean {
  return ts.isIdentifier(e) && e.text === name && !lookup(name, e);
}

function isModuleExports(e: Expression): boolean {
  return ts.isPropertyAccessExpression(e) && e.name.text === 'exports' && isName(e.expression, 'module');
}

/** `exports` and `module.exports`, as a module of CommonJS says of itself. */
export function isOwnExports(e: Expression): boolean {
  return isName(e, 'exports') || isModuleExports(e);
}
