import type { Cursor } from './cursor.js';
import { NULL, type Expression } from './expression.js';
import { isName, readName, readType } from './read-name.js';
import type { Token } from './tokens.js';
import { BARE_CLOCKS, RESERVED } from './words.js';

/** How tightly an operator binds; the higher, the tighter. */
const POWER = {
  or: 1,
  and: 3,
  not: 5,
  comparison: 7,
  other: 9,
  sum: 11,
  product: 13,
  power: 15,
  sign: 16,
  path: 17,
  postfix: 19,
};

const INFIX: Record<string, number> = {
  OR: POWER.or,
  XOR: POWER.or,
  AND: POWER.and,
  '=': POWER.comparison,
  '==': POWER.comparison,
  '<': POWER.comparison,
  '>': POWER.comparison,
  '<=': POWER.comparison,
  '>=': POWER.comparison,
  '<>': POWER.comparison,
  '!=': POWER.comparison,
  '!<': POWER.comparison,
  '!>': POWER.comparison,
  '<=>': POWER.comparison,
  ':=': POWER.or,
  '=>': POWER.or,
  '+': POWER.sum,
  '-': POWER.sum,
  '*': POWER.product,
  '/': POWER.product,
  '%': POWER.product,
  DIV: POWER.product,
  MOD: POWER.product,
  '^': POWER.power,
  '**': POWER.power,
  '->': POWER.path,
  '->>': POWER.path,
  '#>': POWER.path,
  '#>>': POWER.path,
};
for (const sign of [
  '||',
  '|',
  '&',
  '#',
  '#-',
  '<<',
  '>>',
  '@>',
  '<@',
  '@@',
  '&&',
  '?',
  '?|',
  '?&',
  '~',
  '~*',
  '!~',
  '!~*',
  '@',
]) {
  INFIX[sign] = POWER.other;
}

const WORD_COMPARISONS = ['IN', 'LIKE', 'ILIKE', 'BETWEEN', 'SIMILAR', 'REGEXP', 'RLIKE', 'GLOB', 'MATCH'];
const SIGNS = ['-', '+', '~', '!', '@'];
const SPELLING: Record<string, string> = {
  '!=': '<>',
  '==': '=',
  '!<': '>=',
  '!>': '<=',
  '<=>': 'is not distinct from',
};

export function readExpression(cursor: Cursor, minimum = 0): Expression {
  return cursor.nest(() => readInfix(cursor, readPrefix(cursor), minimum));
}

export function readExpressions(cursor: Cursor): Expression[] {
  const expressions = [readExpression(cursor)];
  while (cursor.take(',')) expressions.push(readExpression(cursor));
  return expressions;
}

function readInfix(cursor: Cursor, first: Expression, minimum: number): Expression {
  let left = first;
  for (;;) {
    const next =
      readPostfix(cursor, left) ?? readWordComparison(cursor, left, minimum) ?? readOperator(cursor, left, minimum);
    if (next === undefined) return left;
    left = next;
  }
}

function readPostfix(cursor: Cursor, left: Expression): Expression | undefined {
  if (cursor.take('::')) return { type: 'cast', arg: left, to: readType(cursor) };
  if (cursor.at('[')) return { type: 'call', name: 'element', args: [left, ...readSubscript(cursor)] };
  // `(composite).field`
  if (cursor.at('.') && isName(cursor.peek(1))) {
    cursor.position += 2;
    return { type: 'call', name: 'field', args: [left] };
  }
  if (cursor.take('COLLATE')) {
    cursor.next();
    return left;
  }
  if (cursor.take('AT', 'TIME', 'ZONE')) {
    return { type: 'call', name: 'timezone', args: [left, readExpression(cursor, POWER.path)] };
  }
  if (cursor.atAny('ISNULL', 'NOTNULL') && cursor.peek(1)?.upper !== '(') {
    return { type: 'binary', operator: cursor.next()?.upper === 'ISNULL' ? 'is' : 'is not', left, right: NULL };
  }
  return undefined;
}

function readSubscript(cursor: Cursor): Expression[] {
  cursor.next();
  const inner: Expression[] = [];
  while (!cursor.done && !cursor.at(']')) {
    if (cursor.takeAny(':', ',')) continue;
    const start = cursor.position;
    inner.push(readExpression(cursor));
    if (cursor.position === start) break;
  }
  cursor.expect(']');
  return inner;
}

function readWordComparison(cursor: Cursor, left: Expression, minimum: number): Expression | undefined {
  if (POWER.comparison < minimum) return undefined;
  const negated = cursor.at('NOT');
  const word = cursor.peek(negated ? 1 : 0)?.upper ?? '';
  if (!negated && word === 'IS') return readIs(cursor, left);
  if (!WORD_COMPARISONS.includes(word)) return undefined;
  if (negated) cursor.next();
  cursor.next();
  const operator = `${negated ? 'not ' : ''}${word.toLowerCase()}`;
  if (word === 'BETWEEN') {
    const low = readExpression(cursor, POWER.comparison + 1);
    cursor.expect('AND');
    const high = readExpression(cursor, POWER.comparison + 1);
    return { type: 'binary', operator, left, right: { type: 'list', items: [low, high] } };
  }
  if (word === 'SIMILAR') cursor.take('TO');
  const right = word === 'IN' ? readInList(cursor) : readExpression(cursor, POWER.comparison + 1);
  if (cursor.take('ESCAPE')) readExpression(cursor, POWER.comparison + 1);
  return { type: 'binary', operator, left, right };
}

function readInList(cursor: Cursor): Expression {
  if (!cursor.at('(')) return readExpression(cursor, POWER.comparison + 1);
  const list = readParentheses(cursor);
  return list.type === 'list' || list.type === 'query' || list.type === 'placeholder'
    ? list
    : { type: 'list', items: [list] };
}

function readIs(cursor: Cursor, left: Expression): Expression {
  cursor.next();
  const negated = cursor.take('NOT');
  if (cursor.take('DISTINCT', 'FROM')) {
    const right = readExpression(cursor, POWER.comparison + 1);
    return { type: 'binary', operator: negated ? 'is not distinct from' : 'is distinct from', left, right };
  }
  return {
    type: 'binary',
    operator: negated ? 'is not' : 'is',
    left,
    right: readExpression(cursor, POWER.comparison + 1),
  };
}

function readOperator(cursor: Cursor, left: Expression, minimum: number): Expression | undefined {
  const token = cursor.peek();
  if (token?.kind !== 'punctuation' && token?.kind !== 'word') return undefined;
  const power = INFIX[token.upper];
  if (power === undefined || power < minimum) return undefined;
  cursor.next();
  const operator = SPELLING[token.upper] ?? token.upper.toLowerCase();
  if (cursor.atAny('ANY', 'ALL', 'SOME') && cursor.peek(1)?.upper === '(') {
    const all = cursor.next()?.upper === 'ALL';
    const right = readParentheses(cursor);
    if (operator === '=' && !all) return { type: 'binary', operator: 'in', left, right };
    if (operator === '<>' && all) return { type: 'binary', operator: 'not in', left, right };
    return { type: 'binary', operator, left, right: { type: 'call', name: all ? 'all' : 'any', args: [right] } };
  }
  return { type: 'binary', operator, left, right: readExpression(cursor, power + 1) };
}

function readPrefix(cursor: Cursor): Expression {
  const token = cursor.peek();
  switch (token?.kind) {
    case 'number':
      cursor.next();
      return { type: 'literal', value: Number(token.text) };
    case 'string':
      cursor.next();
      return stringOf(token);
    case 'placeholder':
      return readPlaceholder(cursor, token);
    case 'quoted':
      return readPath(cursor);
    case 'word':
      return readWord(cursor, token);
    case 'punctuation':
      return readSign(cursor, token);
    default:
      return giveUp(cursor);
  }
}

function stringOf(token: Token): Expression {
  if (token.holes.length === 0) return { type: 'literal', value: token.text };
  const parts = token.holes.map((index): Expression => ({
    type: 'placeholder',
    text: `⟦${index}⟧`,
    index,
    hole: true,
  }));
  return { type: 'text', text: token.text, parts };
}

function readPlaceholder(cursor: Cursor, token: Token): Expression {
  cursor.next();
  const follows = cursor.peek();
  // `${fn}(x)` and `${alias}.column`
  if (follows?.upper === '(' && follows.glued) return { type: 'call', name: token.text, args: readArguments(cursor) };
  if (follows?.upper === '.' && follows.glued) {
    cursor.position -= 1;
    return readPath(cursor);
  }
  return placeholderOf(token);
}

export function placeholderOf(token: Token): Expression {
  return {
    type: 'placeholder',
    text: token.text,
    ...(token.index !== undefined && { index: token.index }),
    ...(token.name !== undefined && { name: token.name }),
    ...(token.holes.length > 0 && { hole: true }),
  };
}

function readSign(cursor: Cursor, token: Token): Expression {
  if (token.upper === '(') return readParentheses(cursor);
  if (token.upper === '*') {
    cursor.next();
    return { type: 'star' };
  }
  if (token.upper === '[') return { type: 'list', items: readSubscript(cursor), array: true };
  if (!SIGNS.includes(token.upper)) return giveUp(cursor);
  cursor.next();
  const arg = readExpression(cursor, POWER.sign);
  if (token.upper === '+') return arg;
  if (token.upper === '-' && arg.type === 'literal' && typeof arg.value === 'number')
    return { ...arg, value: -arg.value };
  return { type: 'unary', operator: token.upper === '!' ? 'not' : token.upper, arg };
}

/** `(a)`, `(a, b)`, `(SELECT …)` */
export function readParentheses(cursor: Cursor): Expression {
  cursor.expect('(');
  if (cursor.atAny('SELECT', 'WITH', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TABLE')) {
    const query = cursor.nest(() => cursor.readInner(cursor));
    cursor.expect(')');
    return { type: 'query', query };
  }
  if (cursor.take(')')) return { type: 'list', items: [] };
  const items = readExpressions(cursor);
  if (!cursor.take(')')) {
    const [first] = items;
    // `(${query} GROUP BY …)`: the hole is more than a value.
    if (first?.type !== 'placeholder' || !first.hole) cursor.complete = false;
    while (!cursor.done && !cursor.atAny(')', ';')) {
      if (cursor.at('(')) cursor.skipParentheses();
      else cursor.next();
    }
    cursor.take(')');
  }
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { type: 'list', items };
}

function readWord(cursor: Cursor, token: Token): Expression {
  const follows = cursor.peek(1);
  switch (token.upper) {
    case 'NULL':
      cursor.next();
      return NULL;
    case 'TRUE':
    case 'FALSE':
      cursor.next();
      return { type: 'literal', value: token.upper === 'TRUE' };
    case 'DEFAULT':
      if (follows?.upper === '(') break;
      cursor.next();
      return { type: 'default' };
    case 'NOT':
      cursor.next();
      return { type: 'unary', operator: 'not', arg: readExpression(cursor, POWER.not) };
    case 'CASE':
      return readCase(cursor);
    case 'EXISTS':
      cursor.next();
      return { type: 'unary', operator: 'exists', arg: readParentheses(cursor) };
    case 'CAST':
    case 'TRY_CAST':
    case 'SAFE_CAST':
      if (follows?.upper === '(') return readCast(cursor);
      break;
    case 'ARRAY':
      if (follows?.upper !== '[' && follows?.upper !== '(') break;
      cursor.next();
      return follows.upper === '('
        ? readParentheses(cursor)
        : { type: 'list', items: readSubscript(cursor), array: true };
    case 'ROW':
      if (follows?.upper !== '(') break;
      cursor.next();
      return readParentheses(cursor);
    case 'INTERVAL':
      if (follows?.upper !== '.' && !RESERVED.has(follows?.upper ?? '')) return readInterval(cursor);
      break;
    case 'BINARY':
    case 'PRIOR':
      if (follows?.kind === 'placeholder' || follows?.kind === 'string') cursor.next();
      return readPath(cursor);
    case 'DISTINCT':
      cursor.next();
      return readExpression(cursor);
  }
  // DATE '2020-01-01'
  if (follows?.kind === 'string' && /^(?:DATE|TIME|TIMESTAMP|TIMESTAMPTZ|JSON|JSONB|UUID|INET)$/.test(token.upper)) {
    cursor.next();
    return readPrefix(cursor);
  }
  if (BARE_CLOCKS.has(token.upper) && follows?.upper !== '(' && follows?.upper !== '.') {
    cursor.next();
    return { type: 'call', name: token.text.toLowerCase(), args: [] };
  }
  if (RESERVED.has(token.upper) && follows?.upper !== '(' && follows?.upper !== '.') return giveUp(cursor);
  return readPath(cursor);
}

/** A column, a call, or a name with dots. */
function readPath(cursor: Cursor): Expression {
  const { name, qualifier } = readName(cursor);
  const follows = cursor.peek();
  if (follows?.upper === '(' && name !== '*') {
    const plain = name.toLowerCase();
    const distinct = cursor.peek(1)?.upper === 'DISTINCT';
    const args = readArguments(cursor);
    skipWindow(cursor);
    const [condition, then, otherwise] = args;
    if ((plain === 'if' || plain === 'iif') && condition && then && otherwise) {
      return { type: 'case', branches: [{ when: condition, then }], otherwise };
    }
    return {
      type: 'call',
      name: plain,
      args: plain === 'extract' ? args.slice(1) : args,
      ...(distinct && { distinct: true }),
    };
  }
  if (name === '*') return { type: 'star', ...(qualifier !== undefined && { qualifier }) };
  return { type: 'column', ...(qualifier !== undefined && { qualifier }), name };
}

/** Words that some functions have between or before their arguments. */
const ARGUMENT_WORDS =
  `DISTINCT ALL ORDER BY FROM FOR SEPARATOR USING IN BOTH LEADING TRAILING PLACING VALUE KEY ASC DESC
  NULLS FIRST LAST ABSENT ON RETURNING LIMIT VARIADIC IGNORE RESPECT WITHOUT WITH UNIQUE KEYS`.split(/\s+/);

function readArguments(cursor: Cursor): Expression[] {
  cursor.next();
  const args: Expression[] = [];
  while (!cursor.done && !cursor.at(')')) {
    const start = cursor.position;
    if (cursor.takeAny(',', ':')) continue;
    if (args.length === 0 && cursor.atAny('SELECT', 'WITH') && cursor.peek(1)?.upper !== 'ORDINALITY') {
      cursor.position -= 1;
      // The parenthesis of the call is the subquery's own.
      const query = readParentheses(cursor);
      return [query];
    }
    if (cursor.atAny(...ARGUMENT_WORDS) && !isValueWord(cursor)) {
      cursor.next();
      continue;
    }
    if (cursor.take('AS')) {
      readType(cursor);
      continue;
    }
    args.push(readExpression(cursor));
    if (cursor.position === start) {
      cursor.complete = false;
      cursor.next();
    }
    if (cursor.at(';')) break;
  }
  cursor.expect(')');
  return args;
}

/** `value`, `key`, `first`: words of a function here, columns there. */
function isValueWord(cursor: Cursor): boolean {
  const word = cursor.peek()?.upper ?? '';
  const follows = cursor.peek(1);
  return (
    !RESERVED.has(word) &&
    (follows === undefined || (follows.kind === 'punctuation' && follows.upper !== '(') || RESERVED.has(follows.upper))
  );
}

/** FILTER (…), OVER (…), WITHIN GROUP (…) */
function skipWindow(cursor: Cursor): void {
  for (;;) {
    if (cursor.at('FILTER', '(') || cursor.at('OVER', '(')) {
      cursor.next();
      cursor.skipParentheses();
    } else if (cursor.at('WITHIN', 'GROUP', '(')) {
      cursor.position += 2;
      cursor.skipParentheses();
    } else if (cursor.at('OVER') && isName(cursor.peek(1))) {
      cursor.position += 2;
    } else {
      return;
    }
  }
}

function readCast(cursor: Cursor): Expression {
  cursor.position += 2;
  const arg = readExpression(cursor);
  const to = cursor.expect('AS') ? readType(cursor) : '';
  cursor.expect(')');
  return { type: 'cast', arg, to };
}

function readCase(cursor: Cursor): Expression {
  cursor.next();
  const subject = cursor.at('WHEN') ? undefined : readExpression(cursor);
  const branches: { when: Expression; then: Expression }[] = [];
  while (cursor.take('WHEN')) {
    const condition = readExpression(cursor);
    cursor.expect('THEN');
    const when: Expression = subject ? { type: 'binary', operator: '=', left: subject, right: condition } : condition;
    branches.push({ when, then: readExpression(cursor) });
  }
  const otherwise = cursor.take('ELSE') ? readExpression(cursor) : undefined;
  cursor.expect('END');
  return { type: 'case', branches, ...(otherwise && { otherwise }) };
}

const UNIT = /^(?:MICRO|MILLI)?SECONDS?$|^(?:MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S?(?:_\w+)?$/;

function readInterval(cursor: Cursor): Expression {
  const word = cursor.next();
  const follows = cursor.peek();
  if (
    follows?.kind === undefined ||
    follows.kind === 'word' ||
    (follows.kind === 'punctuation' && !'(-+'.includes(follows.upper))
  ) {
    return { type: 'column', name: word?.text ?? 'interval' };
  }
  const value = readExpression(cursor, POWER.sign);
  if (UNIT.test(cursor.peek()?.upper ?? '')) cursor.next();
  return value;
}

/** For what is no expression: says so, and goes on behind it. */
function giveUp(cursor: Cursor): Expression {
  cursor.complete = false;
  const token = cursor.peek();
  if (token?.upper === '(') cursor.skipParentheses();
  else if (token !== undefined && ![')', ',', ';', ']'].includes(token.upper) && !RESERVED.has(token.upper))
    cursor.next();
  return NULL;
}
