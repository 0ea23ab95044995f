import { ts, type Node, type SourceFile } from '../../syntax/compiler.js';
import { lookup } from '../../syntax/scope.js';
import { indentUnit, newline } from '../text.js';

/** How a file is written: what is added shall look the same. */
export interface Style {
  quote: string;
  /** A semicolon, or nothing. */
  end: string;
  indent: string;
  newline: string;
  /** `import`, not `require`. */
  isModule: boolean;
  isTypeScript: boolean;
}

export function styleOf(source: SourceFile): Style {
  const singles = source.text.match(/'(?:[^'\\\n]|\\.)*'/g)?.length ?? 0;
  const doubles = source.text.match(/"(?:[^"\\\n]|\\.)*"/g)?.length ?? 0;
  const statements = source.statements.filter((s) => ts.isExpressionStatement(s) || ts.isVariableStatement(s) || ts.isImportDeclaration(s));
  const ended = statements.filter((s) => source.text[s.end - 1] === ';').length;
  const isTypeScript = /\.[cm]?tsx?$/.test(source.fileName);
  const requires = /\brequire\(|\bmodule\.exports\b|\bexports\.\w/.test(source.text);
  return {
    quote: doubles > singles ? '"' : "'",
    end: statements.length === 0 || ended * 2 >= statements.length ? ';' : '',
    indent: indentUnit(source),
    newline: newline(source),
    isModule: source.statements.some((s) => ts.isImportDeclaration(s) || ts.isExportDeclaration(s) || ts.isExportAssignment(s)) || !requires,
    isTypeScript,
  };
}

/** The name, or the name with a number, that means nothing else at any of these nodes or inside of them. */
export function freeName(name: string, ...nodes: readonly Node[]): string {
  const taken = (candidate: string): boolean => nodes.some((n) => lookup(candidate, n) !== undefined || mentions(n, candidate));
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name}${i}`;
    if (!taken(candidate)) return candidate;
  }
}

function mentions(root: Node, name: string): boolean {
  let found = false;
  const visit = (n: Node): void => {
    if (found) return;
    if (ts.isIdentifier(n) && n.text === name && !isMemberName(n)) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

/** `pool` of `db.pool` and of `{ pool: … }`: no variable. */
function isMemberName(n: Node): boolean {
  const { parent } = n;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent)) return parent.name === n;
  return ts.isBindingElement(parent) && parent.propertyName === n;
}
