import type { Cursor } from './cursor.js';
import { showHoles } from './join.js';
import type { Token } from './tokens.js';
import { RESERVED } from './words.js';

export interface Name {
  name: string;
  qualifier?: string;
  /** The name has a hole in it, so it is not known. */
  unknown: boolean;
}

export function isName(token: Token | undefined): boolean {
  return token?.kind === 'quoted' || (token?.kind === 'word' && !RESERVED.has(token.upper));
}

/** `a`, `"A"`, `schema.a`, `db..a`, `a.*`, `${schema}.a`; holes in a name are written `${0}`. */
export function readName(cursor: Cursor): Name {
  const path: Token[] = [];
  for (;;) {
    const token = cursor.next();
    if (token === undefined) break;
    path.push(token);
    if (!cursor.take('.')) break;
    while (cursor.take('.'));
  }
  const last = path.at(-1);
  const before = path.at(-2);
  return {
    name: last === undefined ? '' : showHoles(last.text),
    ...(before && { qualifier: showHoles(before.text) }),
    unknown: last === undefined || last.kind === 'placeholder' || last.holes.length > 0,
  };
}

/** The last part of a table's name in lower case, or undefined if it cannot be told. */
export function readTable(cursor: Cursor): string | undefined {
  const token = cursor.peek();
  if (token?.kind !== 'placeholder' && token?.kind !== 'quoted' && (token?.kind !== 'word' || isClause(token))) {
    cursor.complete = false;
    return undefined;
  }
  const { name, unknown } = readName(cursor);
  return unknown ? undefined : name.toLowerCase();
}

function isClause(token: Token): boolean {
  return RESERVED.has(token.upper);
}

const ALIAS_STOPS = new Set(
  `USE FORCE IGNORE TABLESAMPLE FINAL PREWHERE SAMPLE SETTINGS FORMAT QUALIFY PARTITION OVERRIDING DEFAULT INDEXED VALUE
  ASOF GLOBAL ANY SEMI ANTI LATERAL IF GO`.split(/\s+/),
);

/** `AS a` or `a` */
export function readAlias(cursor: Cursor): string | undefined {
  if (cursor.take('AS')) return aliasText(cursor);
  const token = cursor.peek();
  if (cursor.at('LOCK', 'IN')) return undefined;
  if (!isName(token) || ALIAS_STOPS.has(token?.upper ?? '')) return undefined;
  return aliasText(cursor);
}

function aliasText(cursor: Cursor): string | undefined {
  const token = cursor.next();
  return token === undefined ? undefined : showHoles(token.text);
}

/** `(a, b)`, `(a int, b text)`: the first word of each. */
export function readNameList(cursor: Cursor): string[] {
  const names: string[] = [];
  cursor.expect('(');
  let fresh = true;
  let depth = 0;
  while (!cursor.done) {
    const token = cursor.next();
    if (token === undefined) break;
    if (token.upper === ')' && depth === 0) return names;
    if (token.upper === '(') depth += 1;
    else if (token.upper === ')') depth -= 1;
    else if (token.upper === ',' && depth === 0) fresh = true;
    else if (fresh && token.kind !== 'punctuation') {
      names.push(showHoles(token.text));
      fresh = false;
    }
  }
  cursor.complete = false;
  return names;
}

/** Words a type goes on with: `timestamp with time zone`, `double precision`, `character varying`. */
const TYPE_WORDS = ['WITH', 'WITHOUT', 'TIME', 'ZONE', 'LOCAL', 'PRECISION', 'VARYING', 'UNSIGNED', 'SIGNED'];

export function readType(cursor: Cursor): string {
  let text = readName(cursor).name.toLowerCase();
  for (;;) {
    if (cursor.at('WITH') && cursor.peek(1)?.upper !== 'TIME' && cursor.peek(1)?.upper !== 'LOCAL') return text;
    if (cursor.atAny(...TYPE_WORDS)) text += ` ${cursor.next()?.text.toLowerCase() ?? ''}`;
    else if (cursor.at('(')) cursor.skipParentheses();
    else if (cursor.at('[', ']')) {
      cursor.position += 2;
      text += '[]';
    } else return text;
  }
}
