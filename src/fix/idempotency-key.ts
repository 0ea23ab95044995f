import type { Edit, FixRequest, Suggestion } from '../model/finding.js';
import { ts, enclosingFunction, type Compiler, type Node } from '../syntax/compiler.js';
import { lookup } from '../syntax/scope.js';
import { identityOf } from '../flow/identity.js';
import { edit, nodesAt, type FixContext } from './context.js';
import { indentAt, lineStart, newline } from './text.js';

type Request = Extract<FixRequest, { kind: 'idempotency-key' }>;

/** Adds the key where this API takes it: an id from the message and the name of the step. */
export function idempotencyKey(request: Request, context: FixContext): Suggestion[] {
  const [index, ...names] = request.path;
  const call = nodesAt(request.call, context).find((n) => ts.isCallExpression(n) || ts.isNewExpression(n));
  if (!call || index === undefined || names.length === 0) return [];
  const target = commandIn(call);
  const id = visibleId(request, call, context);
  if (id === undefined) return [];
  const key = `\`\${${id}}-${stepOf(call)}\``;
  const added = insert(target, Number(index), names, key, context);
  return added ? [{ title: `Pass \`${names.at(-1) ?? ''}\`, made of \`${id}\` and the step`, edits: [added] }] : [];
}

/** `client.send(new StartExecutionCommand({ … }))`: the key belongs to the command. */
function commandIn(call: Compiler.CallExpression | Compiler.NewExpression): Compiler.CallExpression | Compiler.NewExpression {
  const [first] = call.arguments ?? [];
  return first && ts.isNewExpression(first) && /Command$/.test(first.expression.getText()) ? first : call;
}

/** An id beside the values that are known to come from the message, which means the same at the call. */
function visibleId(request: Request, call: Node, context: FixContext): string | undefined {
  const near = request.from.filter((p) => p.file === request.call.file).flatMap((p) => readsIn(nodesAt(p, context)[0]));
  for (const find of [itself, sibling, property]) {
    for (const node of near) {
      const id = find(node);
      if (id !== undefined && isVisible(id.root, id.declared, call)) return id.text;
    }
  }
  return undefined;
}

/** What is read in a value: `job.data.email`, `cents` in `JSON.stringify({ cents })`. */
function readsIn(value: Node | undefined): Read[] {
  if (!value) return [];
  if (ts.isPropertyAccessExpression(value) || ts.isIdentifier(value)) return [value];
  const reads: Read[] = [];
  ts.forEachChild(value, (child) => {
    const isName = ts.isPropertyAssignment(value) && child === value.name;
    if (!isName) reads.push(...readsIn(child));
  });
  return reads;
}

type Read = Compiler.Identifier | Compiler.PropertyAccessExpression;

interface Id {
  text: string;
  root: string;
  declared: Node;
}

/** `order.id`, `orderId`. */
function itself(node: Read): Id | undefined {
  const name = ts.isIdentifier(node) ? node.text : node.name.text;
  return isOwnId(name) ? idAt(node, node.getText()) : undefined;
}

/** `const { orderId, email } = job.data`: the id beside the e-mail. */
function sibling(node: Read): Id | undefined {
  const declared = ts.isIdentifier(node) ? lookup(node.text, node) : undefined;
  if (!declared || !ts.isBindingElement(declared)) return undefined;
  for (const e of declared.parent.elements) {
    if (ts.isBindingElement(e) && ts.isIdentifier(e.name) && isOwnId(e.name.text) && !e.dotDotDotToken) return { text: e.name.text, root: e.name.text, declared: e };
  }
  return undefined;
}

/** `order.email`, and `order.id` stands elsewhere in the function or among the members of its type. */
function property(node: Read): Id | undefined {
  if (!ts.isPropertyAccessExpression(node) || node.questionDotToken) return undefined;
  const holder = node.expression.getText();
  const fn = enclosingFunction(node);
  let name: string | undefined;
  const visit = (n: Node): void => {
    if (name === undefined && ts.isPropertyAccessExpression(n) && isOwnId(n.name.text) && n.expression.getText() === holder && !ts.isCallExpression(n.parent)) name = n.name.text;
    ts.forEachChild(n, visit);
  };
  if (fn?.body) visit(fn.body);
  name ??= memberOfType(node.expression);
  return name === undefined ? undefined : idAt(node, `${holder}.${name}`);
}

/** The id among the members of the interface with which a variable or parameter is annotated. */
function memberOfType(holder: Node): string | undefined {
  const declared = ts.isIdentifier(holder) ? lookup(holder.text, holder) : undefined;
  const type = declared && (ts.isParameter(declared) || ts.isVariableDeclaration(declared)) ? declared.type : undefined;
  const name = type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) ? type.typeName.text : undefined;
  const written = type && ts.isTypeLiteralNode(type) ? type.members : holder.getSourceFile().statements.filter(ts.isInterfaceDeclaration).find((i) => i.name.text === name)?.members;
  return written?.flatMap((m) => (ts.isPropertySignature(m) && !m.questionToken && ts.isIdentifier(m.name) && isOwnId(m.name.text) ? m.name.text : [])).at(0);
}

/** An id of the event or of its subject, not of somebody who has many of them. */
function isOwnId(name: string): boolean {
  return identityOf(name) === 'event' && /id$|key$|number$|reference$/i.test(name);
}

function idAt(node: Node, text: string): Id | undefined {
  const root = rootOf(node);
  const declared = root && lookup(root.text, root);
  return root && declared ? { text, root: root.text, declared } : undefined;
}

/** What is declared in a function, above the call. */
function isVisible(root: string, declared: Node, call: Node): boolean {
  return enclosingFunction(declared) !== undefined && lookup(root, call) === declared && declared.pos < call.pos && !isInside(declared, call);
}

function rootOf(node: Node): Compiler.Identifier | undefined {
  let n = node;
  while (ts.isPropertyAccessExpression(n)) n = n.expression;
  return ts.isIdentifier(n) ? n : undefined;
}

function isInside(node: Node, outer: Node): boolean {
  return outer.pos <= node.pos && node.end <= outer.end;
}

/** A name for the step that tells it from the other calls for this message. */
function stepOf(call: Compiler.CallExpression | Compiler.NewExpression): string {
  const [first] = call.arguments ?? [];
  const names = call.expression.getText().split(/\W+/).filter((n) => n !== '' && n !== 'this' && n !== 'await');
  const command = first && ts.isNewExpression(first) ? first.expression.getText().replace(/Command$/, '') : undefined;
  if (command !== undefined) return dashed(command);
  if (first && ts.isStringLiteralLike(first) && /^[\w-]+$/.test(first.text)) return first.text;
  return dashed(names.length > 2 ? names.slice(-2).join('-') : names.join('-'));
}

function dashed(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

/** The edit that puts `names: key` into the argument, which is made if it is the next one. */
function insert(call: Compiler.CallExpression | Compiler.NewExpression, index: number, names: readonly string[], key: string, context: FixContext): Edit | undefined {
  const list = call.arguments ?? [];
  const source = call.getSourceFile();
  const last = list.at(-1);
  if (index === list.length && last) return edit(source, last.end, last.end, `, ${objectText(names, key)}`, context);
  const argument = list[index];
  return argument && ts.isObjectLiteralExpression(argument) ? into(argument, names, key, context) : undefined;
}

function into(object: Compiler.ObjectLiteralExpression, names: readonly string[], key: string, context: FixContext): Edit | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return undefined;
  const own = object.properties.find((p) => p.name && (ts.isIdentifier(p.name) || ts.isStringLiteralLike(p.name)) && p.name.text === name);
  if (own) return rest.length > 0 && ts.isPropertyAssignment(own) && ts.isObjectLiteralExpression(own.initializer) ? into(own.initializer, rest, key, context) : undefined;
  const source = object.getSourceFile();
  const text = propertyText(names, key);
  const last = object.properties.at(-1);
  if (!last) return edit(source, object.getStart(source), object.end, `{ ${text} }`, context);
  const start = last.getStart(source);
  const alone = source.text.slice(lineStart(source.text, start), start).trim() === '';
  const separator = alone && source.text.slice(last.end, object.end).includes('\n') ? `,${newline(source)}${indentAt(source.text, start)}` : ', ';
  return edit(source, last.end, last.end, `${separator}${text}`, context);
}

function objectText(names: readonly string[], key: string): string {
  return `{ ${propertyText(names, key)} }`;
}

function propertyText([name = '', ...rest]: readonly string[], key: string): string {
  return `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`}: ${rest.length ? objectText(rest, key) : key}`;
}
