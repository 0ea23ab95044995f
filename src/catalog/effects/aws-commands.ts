import type { Call, Library, Shape } from '../schema.js';

/**
 * A client of the AWS SDK v3: `new S3Client().send(new PutObjectCommand(input))`, and the aggregated class
 * `new S3().putObject(input)`. The input is the first argument in both.
 */
export function awsClient(name: string, service: string, calls: Record<string, Call>): Library {
  const send: Shape = { call: { sends: '0', nodeCallback: true } };
  return {
    name,
    packages: [name],
    exports: {
      [`${service}Client`]: { construct: { returns: `${service}Client` } },
      [service]: { construct: { returns: service } },
      ...commandExports(calls),
    },
    types: {
      [`${service}Client`]: { extendable: true, members: { send, destroy: { call: {} }, middlewareStack: {} } },
      [service]: { extendable: true, members: { send, ...commandMethods(calls) } },
      ...commandTypes(calls),
    },
  };
}

export function commandExports(calls: Record<string, Call>): Record<string, Shape> {
  return rename(calls, (name) => `${name}Command`, (name) => ({ construct: { returns: `${name}Command` } }));
}

export function commandTypes(calls: Record<string, Call>): Record<string, Shape> {
  return rename(calls, (name) => `${name}Command`, (_, command) => ({ command }));
}

export function commandMethods(calls: Record<string, Call>): Record<string, Shape> {
  return rename(
    calls,
    (name) => name.charAt(0).toLowerCase() + name.slice(1),
    (_, call) => ({ call: { ...call, nodeCallback: true } }),
  );
}

function rename(calls: Record<string, Call>, key: (name: string) => string, shape: (name: string, call: Call) => Shape) {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [key(name), shape(name, call)]));
}
