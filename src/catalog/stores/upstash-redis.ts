import { storeCommands } from '../clients/ioredis.js';
import { defineLibrary, type Shape } from '../schema.js';

const commands = Object.entries(storeCommands).map(([name, effect]) => [name.toLowerCase(), effect] as const);
const client: Shape = {
  extendable: true,
  members: {
    ...Object.fromEntries(commands.map(([name, effect]): [string, Shape] => [name, { call: { effect } }])),
    pipeline: { call: { returns: 'Pipeline' } },
    multi: { call: { returns: 'Pipeline' } },
  },
};

/** @upstash/redis 1.39: the commands in lower case, over HTTP; those of a pipeline are sent at `exec()`. */
export default defineLibrary({
  name: '@upstash/redis',
  packages: ['@upstash/redis', '@upstash/redis/*', '@vercel/kv'],
  exports: {
    Redis: { construct: { returns: 'Redis' }, members: { fromEnv: { call: { returns: 'Redis' } } } },
    kv: client,
    createClient: { call: { returns: 'Redis' } },
  },
  types: {
    Redis: client,
    Pipeline: {
      members: {
        ...Object.fromEntries(
          commands.map(([name, effect]): [string, Shape] => [
            name,
            { call: { effect: { ...effect, result: undefined, marker: undefined }, sync: true, returns: 'this' } },
          ]),
        ),
        exec: { call: { effect: { kind: 'write' } } },
      },
    },
  },
});
