/** What a schema says of one table: its unique keys, by the names that the schema itself uses. */
export interface TableKeys {
  /** Every name the table goes by: in the database, as a model, as a class. */
  names: readonly string[];
  uniqueKeys: readonly (readonly string[])[];
  /** Columns that get a fresh value where an insert gives none: serial, identity, `@default(uuid())`. */
  made: readonly string[];
  /** A property and the column behind it; a relation and the column that holds its key. */
  aliases: readonly (readonly [string, string])[];
  /** The declaration of the table itself is in sight, so a key that is not here is not there. */
  whole: boolean;
}

export function tableKeys(names: readonly (string | undefined)[], rest: Partial<Omit<TableKeys, 'names'>> = {}): TableKeys {
  return { names: names.filter((n) => n !== undefined), uniqueKeys: [], made: [], aliases: [], whole: true, ...rest };
}

/** `order_lines`, `OrderLines`, `"public"."order_lines"`: conventions of naming apart they are one name. */
export function plainName(name: string): string {
  return plainColumn(name.split('.').at(-1) ?? name);
}

export function plainColumn(name: string): string {
  return name.replace(/[^\p{L}\p{N}$]/gu, '').toLowerCase();
}

/** `OrderLine` is stored in `order_lines`, where nobody says otherwise. */
export function plural(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
