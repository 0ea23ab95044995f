/** Brackets that no SQL dialect uses, so that a hole can be told from a placeholder of the text itself. */
const OPEN = '⟦';
const CLOSE = '⟧';

/** Template string parts -> one SQL text; the hole behind part n is the placeholder with index n. */
export function joinSql(parts: readonly string[]): string {
  return parts.map((part, index) => (index === 0 ? part : `${OPEN}${index - 1}${CLOSE}${part}`)).join('');
}

const HOLE = /⟦(\d+)⟧/g;

/** Indexes of the holes within `text`. */
export function holesIn(text: string): number[] {
  return text.includes(OPEN) ? [...text.matchAll(HOLE)].map((match) => Number(match[1])) : [];
}

/** `text` with its holes written as in a template string. */
export function showHoles(text: string): string {
  return text.replace(HOLE, '${$1}');
}
