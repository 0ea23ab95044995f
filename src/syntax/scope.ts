import { ts, isFunctionNode, type Compiler, type Expression, type Node, type SourceFile } from './compiler.js';

export type Declaration =
  | Compiler.VariableDeclaration
  | Compiler.BindingElement
  | Compiler.ParameterDeclaration
  | Compiler.FunctionDeclaration
  | Compiler.FunctionExpression
  | Compiler.ClassDeclaration
  | Compiler.ClassExpression
  | Compiler.ImportSpecifier
  | Compiler.ImportClause
  | Compiler.NamespaceImport
  | Compiler.ImportEqualsDeclaration
  | Compiler.EnumDeclaration
  | Compiler.ModuleDeclaration
  | Compiler.InterfaceDeclaration
  | Compiler.TypeAliasDeclaration;

interface Names {
  values: Map<string, Declaration>;
  types: Map<string, Declaration>;
}

const scopes = new WeakMap<Node, Names>();

/** The declaration that a name in value position refers to, by JavaScript's scoping; undefined for globals. */
export function lookup(name: string, from: Node): Declaration | undefined {
  for (let n: Node | undefined = from; n; n = n.parent) {
    if (!isScope(n)) continue;
    const found = namesOf(n).values.get(name);
    if (found) return found;
  }
  return undefined;
}

/** Where a declared name stands again, inside of a node. */
export function usesOf(declaration: Node, name: string, within: Node): Compiler.Identifier[] {
  const found: Compiler.Identifier[] = [];
  const visit = (n: Node): void => {
    if (ts.isIdentifier(n) && n.text === name && n.parent !== declaration && lookup(name, n) === declaration) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(within);
  return found;
}

/** The declaration behind a name in a type. */
export function lookupType(name: string, from: Node): Declaration | undefined {
  for (let n: Node | undefined = from; n; n = n.parent) {
    if (!isScope(n)) continue;
    const names = namesOf(n);
    const found = names.types.get(name);
    if (found) return found;
  }
  return undefined;
}

function isScope(n: Node): boolean {
  return (
    ts.isSourceFile(n) || ts.isBlock(n) || ts.isModuleBlock(n) || ts.isCaseBlock(n) || ts.isCatchClause(n) ||
    ts.isForStatement(n) || ts.isForOfStatement(n) || ts.isForInStatement(n) || isFunctionNode(n) || ts.isClassExpression(n)
  );
}

function namesOf(scope: Node): Names {
  let names = scopes.get(scope);
  if (!names) {
    names = { values: new Map(), types: new Map() };
    scopes.set(scope, names);
    collect(scope, names);
  }
  return names;
}

function collect(scope: Node, names: Names): void {
  if (isFunctionNode(scope)) {
    for (const p of scope.parameters) bind(p, names);
    if (ts.isFunctionExpression(scope) && scope.name) names.values.set(scope.name.text, scope);
    if (scope.body) hoistVars(scope.body, names);
  } else if (ts.isClassExpression(scope)) {
    if (scope.name) names.values.set(scope.name.text, scope);
  } else if (ts.isCatchClause(scope)) {
    if (scope.variableDeclaration) bind(scope.variableDeclaration, names);
  } else if (ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) {
    if (scope.initializer && ts.isVariableDeclarationList(scope.initializer)) bindList(scope.initializer, names);
  } else if (ts.isCaseBlock(scope)) {
    for (const clause of scope.clauses) for (const s of clause.statements) statement(s, names);
  } else if (ts.isSourceFile(scope) || ts.isBlock(scope) || ts.isModuleBlock(scope)) {
    for (const s of scope.statements) statement(s, names);
    if (ts.isSourceFile(scope)) hoistVars(scope, names);
  }
}

function statement(s: Node, names: Names): void {
  if (ts.isVariableStatement(s)) bindList(s.declarationList, names);
  else if (ts.isFunctionDeclaration(s)) {
    if (s.name && (s.body || !names.values.has(s.name.text))) names.values.set(s.name.text, s);
  } else if (ts.isClassDeclaration(s) || ts.isEnumDeclaration(s)) {
    if (s.name) {
      names.values.set(s.name.text, s);
      names.types.set(s.name.text, s);
    }
  } else if (ts.isModuleDeclaration(s)) {
    if (ts.isIdentifier(s.name)) {
      if (!names.values.has(s.name.text)) names.values.set(s.name.text, s);
      names.types.set(s.name.text, s);
    }
  } else if (ts.isInterfaceDeclaration(s) || ts.isTypeAliasDeclaration(s)) names.types.set(s.name.text, s);
  else if (ts.isImportEqualsDeclaration(s)) {
    names.values.set(s.name.text, s);
    names.types.set(s.name.text, s);
  } else if (ts.isImportDeclaration(s) && s.importClause) imports(s.importClause, names);
  else if (ts.isLabeledStatement(s)) statement(s.statement, names);
}

function imports(clause: Compiler.ImportClause, names: Names): void {
  const add = (name: string, d: Declaration): void => {
    names.values.set(name, d);
    names.types.set(name, d);
  };
  if (clause.name) add(clause.name.text, clause);
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) add(bindings.name.text, bindings);
  else for (const e of bindings.elements) add(e.name.text, e);
}

function bindList(list: Compiler.VariableDeclarationList, names: Names): void {
  for (const d of list.declarations) bind(d, names);
}

function bind(d: Compiler.VariableDeclaration | Compiler.ParameterDeclaration | Compiler.BindingElement, names: Names): void {
  if (ts.isIdentifier(d.name)) names.values.set(d.name.text, d);
  else for (const e of d.name.elements) if (ts.isBindingElement(e)) bind(e, names);
}

/** `var` belongs to the function, wherever it stands. */
function hoistVars(root: Node, names: Names): void {
  const visit = (n: Node): void => {
    if (isFunctionNode(n) || ts.isClassLike(n)) return;
    if (ts.isVariableDeclarationList(n) && !(n.flags & ts.NodeFlags.BlockScoped)) {
      for (const d of n.declarations) {
        const before = new Map(names.values);
        bind(d, names);
        for (const [k, v] of before) names.values.set(k, v);
      }
    }
    ts.forEachChild(n, visit);
  };
  ts.forEachChild(root, visit);
}

/** `x = value`, `x += value`: every assignment to a variable of the file. */
export interface Assignment {
  node: Compiler.BinaryExpression;
  value: Expression;
  /** False for `+=` and its kin. */
  plain: boolean;
}

export type Step = Compiler.PrefixUnaryExpression | Compiler.PostfixUnaryExpression;

/** `object.name = value`, `object[key] = value`. */
export interface MemberWrite {
  object: Expression;
  /** Undefined for a computed member. */
  name: string | undefined;
  value: Expression;
  node: Compiler.BinaryExpression;
}

export interface FileIndex {
  assignments: Map<Declaration, Assignment[]>;
  /** `i++` and its kin, by the variable. */
  steps: Map<Declaration, Step[]>;
  memberWrites: MemberWrite[];
  /** Calls by the last name of their callee. */
  calls: Map<string, (Compiler.CallExpression | Compiler.NewExpression)[]>;
  classes: (Compiler.ClassDeclaration | Compiler.ClassExpression)[];
  taggedTemplates: Compiler.TaggedTemplateExpression[];
}

const indexes = new WeakMap<SourceFile, FileIndex>();

/** One walk over a file that collects what the engine looks up by name. */
export function indexOf(source: SourceFile): FileIndex {
  let index = indexes.get(source);
  if (index) return index;
  index = { assignments: new Map(), steps: new Map(), memberWrites: [], calls: new Map(), classes: [], taggedTemplates: [] };
  indexes.set(source, index);
  const into = index;
  const visit = (n: Node): void => {
    if (ts.isBinaryExpression(n) && n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment) assignment(n, into);
    else if (ts.isCallExpression(n) || ts.isNewExpression(n)) {
      const name = lastName(n.expression);
      if (name !== undefined) {
        const list = into.calls.get(name);
        if (list) list.push(n);
        else into.calls.set(name, [n]);
      }
    } else if (isStep(n)) step(n, into);
    else if (ts.isClassLike(n)) into.classes.push(n);
    else if (ts.isTaggedTemplateExpression(n)) into.taggedTemplates.push(n);
    ts.forEachChild(n, visit);
  };
  ts.forEachChild(source, visit);
  return index;
}

export function isStep(n: Node): n is Step {
  return (ts.isPrefixUnaryExpression(n) || ts.isPostfixUnaryExpression(n)) && (n.operator === ts.SyntaxKind.PlusPlusToken || n.operator === ts.SyntaxKind.MinusMinusToken);
}

function step(n: Step, index: FileIndex): void {
  const d = ts.isIdentifier(n.operand) ? lookup(n.operand.text, n.operand) : undefined;
  if (d) index.steps.set(d, [...(index.steps.get(d) ?? []), n]);
}

function assignment(n: Compiler.BinaryExpression, index: FileIndex): void {
  const plain = n.operatorToken.kind === ts.SyntaxKind.EqualsToken || n.operatorToken.kind === ts.SyntaxKind.QuestionQuestionEqualsToken || n.operatorToken.kind === ts.SyntaxKind.BarBarEqualsToken;
  if (ts.isIdentifier(n.left)) {
    const d = lookup(n.left.text, n.left);
    if (!d) return;
    const list = index.assignments.get(d);
    const entry = { node: n, value: n.right, plain };
    if (list) list.push(entry);
    else index.assignments.set(d, [entry]);
  } else if (plain && ts.isPropertyAccessExpression(n.left)) {
    index.memberWrites.push({ object: n.left.expression, name: n.left.name.text, value: n.right, node: n });
  } else if (plain && ts.isElementAccessExpression(n.left)) {
    const key = n.left.argumentExpression;
    index.memberWrites.push({ object: n.left.expression, name: ts.isStringLiteralLike(key) ? key.text : undefined, value: n.right, node: n });
  }
}

/** `c` of `a.b.c`, `a['c']` and `c`. */
export function lastName(e: Expression): string | undefined {
  if (ts.isIdentifier(e)) return e.text;
  if (ts.isPropertyAccessExpression(e)) return e.name.text;
  if (ts.isElementAccessExpression(e) && ts.isStringLiteralLike(e.argumentExpression)) return e.argumentExpression.text;
  if (ts.isParenthesizedExpression(e) || ts.isNonNullExpression(e)) return lastName(e.expression);
  return undefined;
}
