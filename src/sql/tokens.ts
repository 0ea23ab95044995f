import { holesIn } from './join.js';
import type { SqlDialect } from './types.js';
import { RESERVED } from './words.js';

export interface Token {
  kind: 'word' | 'quoted' | 'string' | 'number' | 'placeholder' | 'punctuation';
  /** As written; a quoted name or a string without its quotes. */
  text: string;
  /** Upper case for a word, the sign itself for punctuation, '' for the rest. */
  upper: string;
  /** No white space before it. */
  glued: boolean;
  /** Of a placeholder. */
  index?: number;
  name?: string;
  /** Holes of a template: the placeholder itself, or within a string or a name. */
  holes: number[];
}

export interface Tokens {
  tokens: Token[];
  /** False when a quote or a comment is never closed. */
  closed: boolean;
}

const NAME_START = 'A-Za-z_\\u0080-\\u27E5\\u27E8-\\uFFFF';
const WORD = new RegExp(`(?:[${NAME_START}]|⟦\\d+⟧)(?:[${NAME_START}\\d$]|⟦\\d+⟧)*`, 'y');
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_]\w*)?\$/y;
/** Each search for a closing dollar quote that is not there costs a walk to the end. */
const MAX_STRAY_TAGS = 20;
const BRACKET_NAME = /\[([A-Za-z_#][\w #$.⟦⟧-]*)\]/y;
const OPERATOR =
  /<=>|=>|->>|#>>|!~\*|::|:=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<=|>=|<>|!=|!<|!>|==|\|\||->|#>|#-|@>|<@(?!\w)|@@|&&|<<|>>|~\*|!~|\?\|(?!\|)|\?&|\*\*|[-+*/%<>=!~^&|#@?:;,.()[\]{}$\\`'"]/y;

/** The ways to write a placeholder, most particular first; group 1 is a number or a name. */
const PLACEHOLDERS = [
  /\$(\d+)(?::(?!:)\w+)?/y,
  /\$\{\s*(?:this\.)?([\w.]+)(?::\w+)?\s*\}/y,
  /\$[(</[]\s*(?:this\.)?([A-Za-z_][\w.]*)(?::\w+)?\s*[)>/\]]/y,
  /\$([A-Za-z_]\w*)/y,
  /[$:@?]p?⟦\d+⟧()/y,
  /:(\w+)/y,
  /@(\w+)/y,
  /\?(\d+)/y,
  /\{(\w+)\s*:\s*[\w(), ]+\}/y,
];

/** Cuts SQL of any dialect into tokens. Never throws; what it does not know is punctuation. */
export function tokenize(text: string, dialect?: SqlDialect): Tokens {
  const tokens: Token[] = [];
  const mysql = dialect === 'mysql' || (dialect === undefined && text.includes('`'));
  let at = 0;
  let closed = true;
  let glued = true;
  let questions = 0;
  let strayTags = 0;

  const push = (kind: Token['kind'], value: string, upper: string, more: Partial<Token> = {}): void => {
    tokens.push({ kind, text: value, upper, glued, holes: holesIn(value), ...more });
    glued = true;
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  while (at < text.length) {
    const after = skipSpace(text, at, dialect);
    if (after === undefined) {
      closed = false;
      break;
    }
    if (after > at) {
      at = after;
      glued = false;
      continue;
    }
    const sign = text.charAt(at);
    const previous = tokens.at(-1);

    // N'…', E'…', B'…', X'…', and MySQL's _utf8mb4'…'
    const prefix = /[nNeEbBxX](?=')|_\w+(?=')/y;
    const prefixed = sign === "'" ? null : match(prefix);
    if (sign === "'" || sign === '"' || sign === '`' || prefixed) {
      const start = at + (prefixed?.[0].length ?? 0);
      const quote = text.charAt(start);
      const escapes = mysql || dialect === undefined || /^e$/i.test(prefixed?.[0] ?? '');
      const end = closingQuote(text, start, escapes && quote !== '`');
      if (end === undefined) closed = false;
      const inner = text.slice(start + 1, end ?? text.length);
      const doubled = inner.replaceAll(quote + quote, quote);
      const value = escapes ? doubled.replaceAll(`\\${quote}`, quote) : doubled;
      const isString = quote === "'" || (quote === '"' && previous?.upper !== '.' && (mysql || /^[$%]/.test(value)));
      const [only] = holesIn(value);
      if (isString && only !== undefined && /^⟦\d+⟧$/.test(value)) push('placeholder', value, '', { index: only });
      else push(isString ? 'string' : 'quoted', value, '');
      at = (end ?? text.length) + 1;
      continue;
    }

    if (sign === '$') {
      const tag = match(DOLLAR_QUOTE)?.[0];
      if (tag !== undefined && strayTags < MAX_STRAY_TAGS) {
        const end = text.indexOf(tag, at + tag.length);
        if (end !== -1) {
          push('string', text.slice(at + tag.length, end), '');
          at = end + tag.length;
          continue;
        }
        strayTags += 1;
      }
    }

    if (sign === '[' && !isSubscript(text, at) && previous?.upper !== 'ARRAY') {
      const bracketed = match(BRACKET_NAME);
      if (bracketed) {
        push('quoted', bracketed[1] ?? '', '');
        at += bracketed[0].length;
        continue;
      }
    }

    const word = match(WORD)?.[0];
    if (word !== undefined) {
      const holes = holesIn(word);
      if (holes.length === 0) push('word', word, word.toUpperCase());
      else if (/^⟦\d+⟧$/.test(word)) push('placeholder', word, '', { index: holes[0] });
      else push('quoted', word, '');
      at += word.length;
      continue;
    }

    const number = match(NUMBER)?.[0];
    if (number !== undefined && !(sign === '.' && previous?.kind !== 'punctuation')) {
      push('number', number, '');
      at += number.length;
      continue;
    }

    const placeholder = placeholderAt(text, at, previous);
    if (placeholder) {
      push('placeholder', placeholder.text, '', { index: placeholder.index, name: placeholder.name, holes: [] });
      at += placeholder.text.length;
      continue;
    }
    if (sign === '?' && !/^\?[|&](?!\|)/.test(text.slice(at, at + 3)) && !isJsonQuestion(text, at)) {
      const size = text.startsWith('??', at) ? 2 : 1;
      push('placeholder', text.slice(at, at + size), '', { index: questions });
      questions += 1;
      at += size;
      continue;
    }
    if (sign === '#' && /^#\w/.test(text.slice(at, at + 2)) && dialect !== 'mysql') {
      // A temporary table of T-SQL.
      const name = /#+\w+/y;
      const temporary = match(name)?.[0] ?? '#';
      push('quoted', temporary, '');
      at += temporary.length;
      continue;
    }
    const variable = match(/@@\w[\w.]*/y)?.[0];
    if (variable !== undefined) {
      push('word', variable, variable.toUpperCase());
      at += variable.length;
      continue;
    }

    const operator = match(OPERATOR)?.[0] ?? sign;
    if (operator === '&&' && mysql) push('word', operator, 'AND');
    else push('punctuation', operator, operator);
    at += operator.length;
  }
  return { tokens, closed };
}

/** Behind white space and comments; undefined within a comment that never ends. */
function skipSpace(text: string, start: number, dialect: SqlDialect | undefined): number | undefined {
  let at = start;
  for (;;) {
    const sign = text.charAt(at);
    if (sign !== '' && /\s/.test(sign)) {
      at += 1;
    } else if (text.startsWith('--', at) || (sign === '#' && isHashComment(text, at, dialect))) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end + 1;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end === -1) return undefined;
      at = end + 2;
    } else {
      return at;
    }
  }
}

function isHashComment(text: string, at: number, dialect: SqlDialect | undefined): boolean {
  if (dialect === 'mysql') return true;
  return (
    dialect === undefined &&
    /^#\s/.test(text.slice(at, at + 2)) &&
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 80), at))
  );
}

function closingQuote(text: string, start: number, backslashEscapes: boolean): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\' && backslashEscapes && closesLater(text, at, quote)) at += 1;
    else if (sign === quote) {
      if (text.charAt(at + 1) !== quote) return at;
      at += 1;
    }
  }
  return undefined;
}

/** Standard SQL knows no escape by backslash, so `'\'` is whole there: only a quote that comes later makes it one. */
function closesLater(text: string, backslash: number, quote: string): boolean {
  return text.charAt(backslash + 1) !== quote || text.indexOf(quote, backslash + 2) !== -1;
}

/** Is the `[` at `at` a subscript: `tags[1]`, `ARRAY[$1]`, `(xs)[1]`, `::text[]`? */
function isSubscript(text: string, at: number): boolean {
  return /[\w)\]"]/.test(text.charAt(at - 1));
}

function placeholderAt(
  text: string,
  at: number,
  previous: Token | undefined,
): { text: string; index?: number; name?: string } | undefined {
  const sign = text.charAt(at);
  if (sign === '%') return formatPlaceholder(text, at, previous);
  if (!'$:@?{'.includes(sign)) return undefined;
  if (text.startsWith('::', at) || text.startsWith('@@', at) || text.startsWith('??', at)) return undefined;
  // `xs[1:2]` is a slice.
  if (sign === ':' && previous !== undefined && previous.kind === 'number' && /\d/.test(text.charAt(at - 1)))
    return undefined;
  for (const pattern of PLACEHOLDERS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const key = found?.[1];
    if (!found || key === undefined) continue;
    if (key === '') return { text: found[0] };
    return /^\d+$/.test(key) ? { text: found[0], index: Math.max(0, Number(key) - 1) } : { text: found[0], name: key };
  }
  return undefined;
}

/** `%L`, `%I`, `%s` of format(), unless the sign is a remainder. */
function formatPlaceholder(text: string, at: number, previous: Token | undefined): { text: string } | undefined {
  const found = /^%(?:\(\w+\)s|[sLI](?!\w))/.exec(text.slice(at, at + 40));
  if (!found || previous === undefined) return undefined;
  const afterOperand =
    previous.kind === 'word'
      ? !RESERVED.has(previous.upper) && previous.upper !== 'TABLE'
      : previous.kind !== 'punctuation' || previous.upper === ')' || previous.upper === ']';
  return afterOperand ? undefined : { text: found[0] };
}

/** The jsonb operator `data ? 'key'`, `data ? $1`. */
function isJsonQuestion(text: string, at: number): boolean {
  return /^\?\s*(?:'|"|\$\d|⟦)/.test(text.slice(at, at + 12));
}
