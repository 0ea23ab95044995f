import { partsOf, type Expression } from './expression.js';

/** Arithmetic, and signs that append or toggle. */
const RELATIVE = new Set(['+', '-', '*', '/', '%', '^', '**', '||', '#', '<<', '>>', 'div', 'mod']);
const COMPARISONS = new Set([
  ...['=', '<', '>', '<=', '>=', '<>', 'in', 'not in', 'is', 'is not', 'like', 'not like', 'ilike', 'not ilike'],
  ...[
    'between',
    'not between',
    'is distinct from',
    'is not distinct from',
    '@>',
    '<@',
    '@@',
    '&&',
    '?',
    '~',
    '~*',
    '!~',
    '!~*',
  ],
]);
const APPENDING =
  /^(?:array_append|array_prepend|array_cat|array_push|list_append|list_concat|concat|concat_ws|json_array_append|json_array_insert|jsonb_insert|date_add|date_sub|dateadd|adddate|subdate|timestampadd|addtime|subtime|datetime|date|add_months)$/;

/**
 * Does assigning `expression` change the row again when it is run again? That is so if the stored value goes into
 * arithmetic, a concatenation or a toggle; not if it is only kept, compared or bounded (`GREATEST(n, $1)`).
 * `isSelf` tells the assigned column itself, `isOwn` a subquery that reads the table written to.
 */
export function isRelative(expression: Expression, isSelf: (part: Expression) => boolean): boolean {
  const inner = (part: Expression): boolean => isRelative(part, isSelf);
  const carries = (part: Expression): boolean => carriesSelf(part, isSelf);
  switch (expression.type) {
    case 'unary':
      return expression.operator !== 'exists' && (carries(expression.arg) || inner(expression.arg));
    case 'binary':
      if (COMPARISONS.has(expression.operator)) return false;
      if (RELATIVE.has(expression.operator) && !keepsKeys(expression, carries)) {
        return carries(expression.left) || carries(expression.right);
      }
      return inner(expression.left) || inner(expression.right);
    case 'call':
      // `array_agg(DISTINCT …)` makes a set, however often something is added to it.
      return expression.distinct !== true && (appends(expression, carries) || expression.args.some(inner));
    case 'case':
      if (isMembershipTest(expression, isSelf)) return false;
      if (isToggle(expression, isSelf)) return true;
      return (
        expression.branches.some(({ then }) => inner(then)) ||
        (expression.otherwise !== undefined && inner(expression.otherwise))
      );
    case 'query':
      // `ARRAY(SELECT DISTINCT unnest(tags || $1))` is a union of sets.
      return !expression.query.distinct && expression.query.items.some((item) => inner(item.value));
    case 'cast':
    case 'list':
      return partsOf(expression).some(inner);
    default:
      return false;
  }
}

/** Does the stored value flow into this expression's own value? */
function carriesSelf(expression: Expression, isSelf: (part: Expression) => boolean): boolean {
  if (isSelf(expression)) return true;
  const inner = (part: Expression): boolean => carriesSelf(part, isSelf);
  switch (expression.type) {
    case 'binary':
      return !COMPARISONS.has(expression.operator) && (inner(expression.left) || inner(expression.right));
    case 'case':
      return (
        expression.branches.some(({ then }) => inner(then)) ||
        (expression.otherwise !== undefined && inner(expression.otherwise))
      );
    case 'query':
      return expression.query.items.some((item) => inner(item.value));
    case 'call':
      // `array_remove(tags, $1)` before an append makes room for it.
      return expression.name !== 'array_remove' && expression.name !== 'array_diff' && expression.args.some(inner);
    case 'unary':
      return expression.operator !== 'exists' && inner(expression.arg);
    default:
      return partsOf(expression).some(inner);
  }
}

function appends(call: Expression & { type: 'call' }, carries: (part: Expression) => boolean): boolean {
  if (APPENDING.test(call.name)) return call.args.length > 1 && call.args.some(carries);
  // SQLite appends by path: json_insert(items, '$[#]', ?)
  return (
    /^jsonb?_(?:insert|set)$/.test(call.name) &&
    call.args.some(carries) &&
    call.args.some((arg) => textOf(arg)?.endsWith('[#]') === true)
  );
}

type Binary = Expression & { type: 'binary' };

/** `data || '{"a": 1}'` and `data - 'key'` on a JSON object: done twice, they come to the same. */
function keepsKeys(expression: Binary, carries: (part: Expression) => boolean): boolean {
  if (expression.operator === '-') {
    const key = expression.right;
    return typeof textOf(key) === 'string'
      ? Number.isNaN(Number(textOf(key))) && !/^\d/.test(textOf(key) ?? '')
      : castTo(key) === 'text';
  }
  if (expression.operator !== '||') return false;
  const added = carries(expression.left) ? expression.right : expression.left;
  const shape = jsonShape(added);
  return (
    shape === 'object' ||
    (shape === 'json' && jsonShape(expression.left) !== 'array' && jsonShape(expression.right) !== 'array')
  );
}

/** What a JSON value is, as far as its text tells; undefined for what is no JSON. */
function jsonShape(expression: Expression): 'object' | 'array' | 'json' | undefined {
  const text = textOf(expression);
  if (text !== undefined && /^\s*\{\s*(?:"|\})/.test(text))
    return castTo(expression)?.startsWith('json') === false ? undefined : 'object';
  if (text !== undefined && /^\s*\[/.test(text)) return 'array';
  switch (expression.type) {
    case 'list':
      return expression.array ? 'array' : undefined;
    case 'cast': {
      const inner = jsonShape(expression.arg);
      if (inner !== undefined || !expression.to.startsWith('json')) return inner;
      return expression.to.endsWith('[]') ? 'array' : 'json';
    }
    // `flags || :flagsJson`: the name says what is given.
    case 'placeholder':
      return expression.name !== undefined && /json$/i.test(expression.name) ? 'json' : undefined;
    case 'call':
      if (/^jsonb?_(?:build_object|object)$|^hstore$/.test(expression.name)) return 'object';
      if (/^jsonb?_(?:build_array|agg|array)$/.test(expression.name)) return 'array';
      if (expression.name === 'coalesce' || expression.name === 'ifnull') {
        return expression.args.map(jsonShape).find((shape) => shape !== undefined);
      }
      return /^to_jsonb?$|^jsonb?$/.test(expression.name) ? 'json' : undefined;
    default:
      return undefined;
  }
}

function textOf(expression: Expression): string | undefined {
  if (expression.type === 'cast') return textOf(expression.arg);
  if (expression.type === 'text') return expression.text;
  return expression.type === 'literal' && typeof expression.value === 'string' ? expression.value : undefined;
}

function castTo(expression: Expression): string | undefined {
  return expression.type === 'cast' ? expression.to : undefined;
}

/** `CASE WHEN $1 = ANY(tags) THEN tags ELSE array_append(tags, $1) END`: a set, written by hand. */
function isMembershipTest(expression: Expression & { type: 'case' }, isSelf: (part: Expression) => boolean): boolean {
  return expression.branches.some(({ when, then }) => {
    const test = when.type === 'unary' && when.operator === 'not' ? when.arg : when;
    const asks =
      test.type === 'binary' &&
      ['in', '@>', '<@', '&&', '?'].includes(test.operator) &&
      partsOf(test).some((side) => carriesSelf(side, isSelf));
    return asks && (isSelf(then) || (expression.otherwise !== undefined && isSelf(expression.otherwise)));
  });
}

/** `CASE WHEN active THEN false ELSE true END`, `IF(active, 0, 1)` */
function isToggle(
  { branches, otherwise }: Expression & { type: 'case' },
  isSelf: (part: Expression) => boolean,
): boolean {
  const [branch] = branches;
  if (branch === undefined || branches.length > 1 || !isSelf(branch.when)) return false;
  return (
    branch.then.type === 'literal' && !branch.then.value && otherwise?.type === 'literal' && Boolean(otherwise.value)
  );
}
