import { ts, type Expression } from '../syntax/compiler.js';
import { constant, type Value } from './value.js';

/** Methods by which names are made of the names of files. */
export const SPELLING: ReadonlySet<string> = new Set(['replace', 'slice', 'substring', 'split', 'toLowerCase', 'toUpperCase', 'trim']);

/** What a method makes of a text that is known; undefined where an argument is not. */
export function spelled(text: string, method: string, given: readonly Expression[], textsOf: (argument: Expression) => string[] | undefined): Value | undefined {
  const args: (string | RegExp | number)[] = [];
  for (const a of given) {
    const known = ts.isNumericLiteral(a) ? Number(a.text) : ts.isPrefixUnaryExpression(a) && ts.isNumericLiteral(a.operand) ? -Number(a.operand.text) : ts.isRegularExpressionLiteral(a) ? plainPattern(a.text) : textsOf(a)?.[0];
    if (known === undefined) return undefined;
    args.push(known);
  }
  const [first, second] = args;
  switch (method) {
    case 'replace':
      return first !== undefined && typeof first !== 'number' && typeof second === 'string' ? constant(text.replace(first, second)) : undefined;
    case 'slice':
      return typeof first === 'number' && typeof second !== 'string' ? constant(text.slice(first, second as number | undefined)) : undefined;
    case 'substring':
      return typeof first === 'number' && typeof second !== 'string' ? constant(text.substring(first, second as number | undefined)) : undefined;
    case 'split':
      return first !== undefined && typeof first !== 'number' ? { kind: 'list', elements: text.split(first).map(constant) } : undefined;
    case 'toLowerCase':
      return constant(text.toLowerCase());
    case 'toUpperCase':
      return constant(text.toUpperCase());
    case 'trim':
      return constant(text.trim());
    default:
      return undefined;
  }
}

/** A pattern without repetition: `/\.js$/` takes no time, whatever the text. */
function plainPattern(literal: string): RegExp | undefined {
  const [, body, flags] = /^\/(.*)\/([gi]*)$/.exec(literal) ?? [];
  return body !== undefined && /^(?:\\[.\-_/]|[\w.\-/$^|])+$/.test(body) ? new RegExp(body, flags) : undefined;
}
