import { dirname, join, relative } from 'node:path';
import type { Edit } from '../../model/finding.js';
import type { Evaluator } from '../../origin/evaluate.js';
import { ts, isExported, type Compiler, type Expression, type Node, type SourceFile } from '../../syntax/compiler.js';
import { exportsOf } from '../../syntax/exports.js';
import { lookup, type Declaration } from '../../syntax/scope.js';
import { lineEnd } from '../text.js';
import { declarationOf, required } from './connection.js';
import { Obstacle } from './obstacle.js';
import { styleOf } from './style.js';

interface Import {
  specifier: string;
  names: Set<string>;
  isType: boolean;
  /** The module as a whole, under its only name. */
  isDefault: boolean;
}

/** Collects what is to be changed in the files of a program; what is put at one place keeps the order in which it came. */
export class Changes {
  private readonly replaced: Edit[] = [];
  private readonly inserted = new Map<SourceFile, Map<number, string[]>>();
  private readonly imports = new Map<SourceFile, Import[]>();
  private readonly below = new Map<SourceFile, string[]>();

  constructor(private readonly e: Evaluator) {}

  replace(source: SourceFile, start: number, end: number, text: string): void {
    const file = this.e.sources.files.relative(source.fileName);
    if (!this.replaced.some((r) => r.file === file && r.start === start && r.end === end)) this.replaced.push({ file, start, end, text });
  }

  insert(source: SourceFile, at: number, text: string): void {
    let places = this.inserted.get(source);
    if (!places) this.inserted.set(source, (places = new Map()));
    places.set(at, [...(places.get(at) ?? []), text]);
  }

  /** A statement of the module, behind the imports. */
  insertBelowImports(source: SourceFile, text: string): void {
    this.below.set(source, [...(this.below.get(source) ?? []), text]);
  }

  /** Makes a package's export known in a file, by its own name. */
  import(source: SourceFile, specifier: string, name: string, options: { isType?: boolean; isDefault?: boolean } = {}): void {
    if (isImported(source, specifier, name)) return;
    const known = this.imports.get(source) ?? [];
    this.imports.set(source, known);
    const isType = options.isType === true && !known.some((i) => i.specifier === specifier && !i.isType);
    let found = known.find((i) => i.specifier === specifier && i.isType === isType && !i.isDefault && options.isDefault !== true);
    if (!found) known.push((found = { specifier, names: new Set(), isType, isDefault: options.isDefault === true }));
    found.names.add(name);
  }

  /** A name that another file will export. */
  importFromHome(source: SourceFile, home: SourceFile, name: string): void {
    this.import(source, this.specifierOf(home, source), name);
  }

  /** What another file imports by a relative path. */
  importFrom(source: SourceFile, home: SourceFile, specifier: string, name: string, isType: boolean): void {
    const path = relative(dirname(source.fileName), join(dirname(home.fileName), specifier)).replaceAll('\\', '/');
    this.import(source, path.startsWith('.') ? path : `./${path}`, name, { isType });
  }

  /** The name by which a file can use a variable of the program's; the import, and the export, are made if need be. */
  use(declaration: Declaration | undefined, at: Node, from: SourceFile, text: string): string {
    if (!declaration) throw new Obstacle(at, `\`${text}\` is no variable of a module, so that other files could not use it. Export it under a name of its own.`);
    const home = declaration.getSourceFile();
    const name = nameOf(declaration);
    if (name === undefined) throw new Obstacle(at, `\`${text}\` is no variable of a module, so that other files could not use it. Export it under a name of its own.`);
    if (home === from) return name;
    const local = importedAs(this.e, declaration, from);
    if (local !== undefined) return local;
    const specifier = this.specifierOf(home, from);
    const exported = exportedAs(declaration, home);
    if (lookup(exported?.name ?? name, from)) throw new Obstacle(at, `the name \`${name}\` means something else in ${this.e.sources.files.relative(from.fileName)}. Import \`${name}\` there under another name, and use it.`);
    if (exported?.isDefault) {
      this.import(from, specifier, name, { isDefault: true });
      return name;
    }
    if (!exported) this.export(declaration, home, at, name);
    this.import(from, specifier, exported?.name ?? name);
    return exported?.name ?? name;
  }

  private export(declaration: Declaration, home: SourceFile, at: Node, name: string): void {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : undefined;
    if (!statement || !ts.isVariableStatement(statement) || statement.parent !== home || !styleOf(home).isModule) {
      throw new Obstacle(at, `\`${name}\` is not exported from ${this.e.sources.files.relative(home.fileName)}, and other files need it. Export it.`);
    }
    if (!isExported(statement)) this.insert(home, statement.getStart(), 'export ');
  }

  private specifierOf(home: SourceFile, from: SourceFile): string {
    const path = relative(dirname(from.fileName), home.fileName).replaceAll('\\', '/');
    const dotted = path.startsWith('.') ? path : `./${path}`;
    const bare = dotted.replace(/\.[cm]?[jt]sx?$/, '');
    const seen = [from, home].flatMap(specifiersOf).filter((s) => s.startsWith('.'));
    const [like] = seen;
    if (like === undefined) return styleOf(from).isModule ? `${bare}${extensionOf(dotted, true)}` : bare;
    if (/\.[cm]?tsx?$/.test(like)) return dotted;
    return /\.[cm]?jsx?$/.test(like) ? `${bare}${extensionOf(dotted, true)}` : bare;
  }

  /** All edits, none of which touch one another. */
  edits(): Edit[] {
    const sources = new Set([...this.imports.keys(), ...this.below.keys()]);
    for (const source of sources) this.head(source);
    const inserted = [...this.inserted].flatMap(([source, places]) => [...places].map(([at, texts]) => ({ file: this.e.sources.files.relative(source.fileName), start: at, end: at, text: texts.join('') })));
    return [...this.replaced, ...inserted];
  }

  private head(source: SourceFile): void {
    const style = styleOf(source);
    // Packages stand before files of the program's own.
    const lines: { package: string[]; file: string[] } = { package: [], file: [] };
    for (const i of this.imports.get(source) ?? []) {
      const names = [...i.names].sort((a, b) => a.localeCompare(b));
      const into = i.isDefault ? undefined : bindingsOf(source, i.specifier, i.isType);
      if (into) this.insert(source, into.end, names.map((n) => `, ${n}`).join(''));
      else if (style.isModule) lines[i.specifier.startsWith('.') ? 'file' : 'package'].push(`import ${i.isType ? 'type ' : ''}${i.isDefault ? names.join('') : `{ ${names.join(', ')} }`} from ${style.quote}${i.specifier}${style.quote}${style.end}`);
      else lines[i.specifier.startsWith('.') ? 'file' : 'package'].push(`const ${i.isDefault ? names.join('') : `{ ${names.join(', ')} }`} = require(${style.quote}${i.specifier}${style.quote})${style.end}`);
    }
    const below = this.below.get(source) ?? [];
    const imports = source.statements.filter((s) => specifierOf(s) !== undefined);
    const last = imports.at(-1);
    if (!last) {
      const at = source.statements[0]?.getStart() ?? source.text.length;
      const all = [...lines.package, ...lines.file];
      this.insert(source, at, [...all, ...(all.length > 0 && below.length > 0 ? [''] : []), ...below, '', ''].join(style.newline));
      return;
    }
    const lastPackage = imports.findLast((s) => specifierOf(s)?.startsWith('.') === false);
    const behind = (s: Node, texts: readonly string[]): void => {
      if (texts.length > 0) this.insert(source, lineEnd(source.text, s.end), texts.map((t) => style.newline + t).join(''));
    };
    if (lastPackage) behind(lastPackage, lines.package);
    else for (const line of lines.package) this.insert(source, (imports[0] as Node).getStart(), line + style.newline);
    behind(last, lines.file);
    behind(last, below.map((b) => style.newline + b));
  }
}

/** What a statement imports from, if it is one that imports. */
function specifierOf(s: Compiler.Statement): string | undefined {
  if (ts.isImportDeclaration(s)) return ts.isStringLiteral(s.moduleSpecifier) ? s.moduleSpecifier.text : undefined;
  return ts.isVariableStatement(s) ? s.declarationList.declarations.map((d) => required(d.initializer)).find((x) => x !== undefined) : undefined;
}

function nameOf(d: Declaration): string | undefined {
  return 'name' in d && d.name && ts.isIdentifier(d.name) ? d.name.text : undefined;
}

function extensionOf(path: string, compiled: boolean): string {
  const own = /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '';
  return compiled ? own.replace('ts', 'js').replace('jsx', 'js') : own;
}

/** The last of the imports of a file. */
export function lastImport(source: SourceFile): Compiler.Statement | undefined {
  return source.statements.findLast((s) => specifierOf(s) !== undefined);
}

function specifiersOf(source: SourceFile): string[] {
  return source.statements.flatMap((s) => {
    if ((ts.isImportDeclaration(s) || ts.isExportDeclaration(s)) && s.moduleSpecifier && ts.isStringLiteral(s.moduleSpecifier)) return [s.moduleSpecifier.text];
    if (ts.isVariableStatement(s)) return s.declarationList.declarations.flatMap((d) => required(d.initializer) ?? []);
    return [];
  });
}

/** The last name in `import { a, b } from 'specifier'`, or in `const { a, b } = require('specifier')`. */
function bindingsOf(source: SourceFile, specifier: string, isType: boolean): Node | undefined {
  for (const s of source.statements) {
    if (ts.isImportDeclaration(s) && ts.isStringLiteral(s.moduleSpecifier) && s.moduleSpecifier.text === specifier) {
      const { importClause } = s;
      const named = importClause?.namedBindings;
      if (importClause && importClause.isTypeOnly === isType && named && ts.isNamedImports(named)) return named.elements.at(-1);
    }
    if (ts.isVariableStatement(s)) for (const d of s.declarationList.declarations) if (required(d.initializer) === specifier && ts.isObjectBindingPattern(d.name)) return d.name.elements.at(-1);
  }
  return undefined;
}

function isImported(source: SourceFile, specifier: string, name: string): boolean {
  return source.statements.some((s) => {
    if (ts.isImportDeclaration(s) && ts.isStringLiteral(s.moduleSpecifier) && s.moduleSpecifier.text === specifier) {
      const named = s.importClause?.namedBindings;
      return named !== undefined && ts.isNamedImports(named) && named.elements.some((x) => x.name.text === name && !x.propertyName);
    }
    return ts.isVariableStatement(s) && s.declarationList.declarations.some((d) => required(d.initializer) === specifier && ts.isObjectBindingPattern(d.name) && d.name.elements.some((x) => x.name.getText() === name && !x.propertyName));
  });
}

/** The name by which a file has imported a variable already. */
function importedAs(e: Evaluator, declaration: Declaration, from: SourceFile): string | undefined {
  const names = from.statements.flatMap((s): Compiler.Identifier[] => {
    if (ts.isImportDeclaration(s)) {
      const named = s.importClause?.namedBindings;
      return [...(s.importClause?.name ? [s.importClause.name] : []), ...(named && ts.isNamedImports(named) ? named.elements.map((x) => x.name) : [])];
    }
    if (!ts.isVariableStatement(s)) return [];
    return s.declarationList.declarations.flatMap((d) => (required(d.initializer) === undefined ? [] : ts.isIdentifier(d.name) ? [d.name] : ts.isObjectBindingPattern(d.name) ? d.name.elements.flatMap((x) => (ts.isIdentifier(x.name) ? [x.name] : [])) : []));
  });
  return names.find((n) => declarationOf(e, n) === declaration)?.text;
}

function exportedAs(declaration: Declaration, home: SourceFile): { name: string; isDefault: boolean } | undefined {
  const exports = exportsOf(home);
  const is = (x: { kind: string; node?: Node } | undefined): boolean => x !== undefined && (x.node === declaration || (x.node !== undefined && ts.isIdentifier(x.node) && lookup(x.node.text, x.node) === declaration));
  for (const [name, x] of exports.named) if (name !== 'default' && is(x as { kind: string; node?: Node })) return { name, isDefault: false };
  if (exports.whole && ts.isObjectLiteralExpression(exports.whole)) {
    const p = exports.whole.properties.find((x) => ts.isShorthandPropertyAssignment(x) && x.name.text === nameOf(declaration));
    if (p) return { name: nameOf(declaration) ?? '', isDefault: false };
  }
  const whole: Expression | undefined = exports.whole;
  if ((whole && ts.isIdentifier(whole) && lookup(whole.text, whole) === declaration) || is(exports.named.get('default') as { kind: string; node?: Node } | undefined)) return { name: nameOf(declaration) ?? '', isDefault: true };
  return undefined;
}
