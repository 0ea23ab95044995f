/** Entries that are alike: `alike('find findOne', read)` is `{ find: read, findOne: read }`. */
export function alike<T>(names: string, entry: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, entry]));
}
