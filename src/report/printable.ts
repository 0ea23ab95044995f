/** Escapes, line ends, and the marks that turn the direction of text: in a name they could forge a report. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of the analysed code on one line, with everything shown that a terminal or a browser would obey. */
export function printable(text: string): string {
  return text.replace(/\s*[\r\n]+\s*|\t/g, ' ').replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? ''}}`);
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
