/** Puts the harness's fakes in the place of packages, for `import`. Runs in the loader's thread. */
let fakes: Record<string, string> = {};

export function initialize(data: Record<string, string>): void {
  fakes = data;
}

interface Resolved {
  url: string;
  shortCircuit?: boolean;
}

export function resolve(
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Promise<Resolved>,
): Resolved | Promise<Resolved> {
  const fake = fakes[specifier];
  return fake === undefined ? next(specifier, context) : { url: fake, shortCircuit: true };
}
