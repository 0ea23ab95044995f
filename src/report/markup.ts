import { printable } from './printable.js';

/** Text that is HTML or SVG already. */
export class Markup {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

type Part = Markup | string | number | false | undefined | readonly Part[];

/** A template whose values are text, and so are escaped; only `Markup` is taken as it is. */
export function markup(strings: TemplateStringsArray, ...values: Part[]): Markup {
  return new Markup(strings.reduce((all, s, i) => all + write(values[i - 1]) + s));
}

function write(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(write).join('');
  return printable(String(part)).replace(/[&<>"'`]/g, (c) => `&#${c.codePointAt(0) ?? 0};`);
}

/** The messages quote code in backticks. */
export function prose(text: string): Markup {
  return markup`${text.split('`').map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}
