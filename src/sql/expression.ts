import type { Draft, Expression } from './draft.js';
import { showHoles } from './join.js';

export type { Expression } from './draft.js';

export const NULL: Expression = { type: 'literal', value: null };

/** The direct parts of an expression; those of a subquery are its items. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.type) {
    case 'call':
      return expression.args;
    case 'unary':
    case 'cast':
      return [expression.arg];
    case 'binary':
      return [expression.left, expression.right];
    case 'case':
      return [
        ...expression.branches.flatMap((branch) => [branch.when, branch.then]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    case 'list':
      return expression.items;
    case 'text':
      return expression.parts;
    case 'query':
      return [
        ...expression.query.items.map((item) => item.value),
        ...(expression.query.where ? [expression.query.where] : []),
      ];
    default:
      return [];
  }
}

/** The same expression with each direct part replaced. */
export function mapParts(expression: Expression, change: (part: Expression) => Expression): Expression {
  switch (expression.type) {
    case 'call':
      return { ...expression, args: expression.args.map(change) };
    case 'unary':
    case 'cast':
      return { ...expression, arg: change(expression.arg) };
    case 'binary':
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(({ when, then }) => ({ when: change(when), then: change(then) })),
        ...(expression.otherwise && { otherwise: change(expression.otherwise) }),
      };
    case 'list':
      return { ...expression, items: expression.items.map(change) };
    default:
      return expression;
  }
}

/** The subqueries within, outermost only. */
export function queriesIn(expression: Expression): Draft[] {
  return expression.type === 'query' ? [expression.query] : partsOf(expression).flatMap(queriesIn);
}

/** SQL text of an expression with even spacing, for a reader. */
export function printExpression(expression: Expression): string {
  const print = printExpression;
  switch (expression.type) {
    case 'placeholder':
      return showHoles(expression.text);
    case 'literal':
      return typeof expression.value === 'string'
        ? `'${expression.value.replaceAll("'", "''")}'`
        : String(expression.value);
    case 'column':
      return expression.qualifier === undefined ? expression.name : `${expression.qualifier}.${expression.name}`;
    case 'call':
      return `${expression.name}(${expression.args.map(print).join(', ')})`;
    case 'unary':
      return /\w/.test(expression.operator)
        ? `${expression.operator} ${print(expression.arg)}`
        : `${expression.operator}${print(expression.arg)}`;
    case 'binary':
      return `${printSide(expression.left)} ${expression.operator} ${printSide(expression.right)}`;
    case 'case':
      return [
        'case',
        ...expression.branches.map(({ when, then }) => `when ${print(when)} then ${print(then)}`),
        ...(expression.otherwise ? [`else ${print(expression.otherwise)}`] : []),
        'end',
      ].join(' ');
    case 'cast':
      return `${printSide(expression.arg)}::${expression.to}`;
    case 'list': {
      const items = expression.items.map(print).join(', ');
      return expression.array ? `array[${items}]` : `(${items})`;
    }
    case 'query':
      return '(select …)';
    case 'text':
      return `'${showHoles(expression.text)}'`;
    case 'default':
      return 'default';
    case 'star':
      return expression.qualifier === undefined ? '*' : `${expression.qualifier}.*`;
  }
}

function printSide(expression: Expression): string {
  const text = printExpression(expression);
  return expression.type === 'binary' ? `(${text})` : text;
}
