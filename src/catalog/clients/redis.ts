import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { storeCommands } from './ioredis.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };

/** `xReadGroup` and its upper case form; version 3 had lower case names and callbacks. */
function spellings(name: string, shape: Shape): [string, Shape][] {
  return [name, name.toUpperCase(), name.toLowerCase()].map((spelling) => [spelling, shape]);
}
const store = Object.fromEntries(
  Object.entries(storeCommands).flatMap(([name, effect]: [string, EffectFacts]) => spellings(name, { call: { effect, nodeCallback: true } })),
);
const queued = Object.fromEntries(
  Object.entries(storeCommands).flatMap(([name, effect]: [string, EffectFacts]) => spellings(name, { call: { effect: { ...effect, result: undefined, marker: undefined }, returns: 'this', sync: true } })),
);
const ack = (returns?: 'this'): Shape => ({ call: { settles: { as: 'ack', message: '2' }, returns } });

const autoAck = { option: '3.NOACK', value: true, default: false };
const receive: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', autoAck }, returns: 'StreamReply' } };
const pop: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'on-delivery', weak: true }, returns: 'PoppedEntry' } };
const move: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', weak: true }, returns: { message: true, stability: 'producer-stable' } } };
const subscribe: Shape = {
  call: { registers: { handler: '1', params: [{ message: true, stability: 'producer-stable' }, stable], acknowledgement: 'none', ignoresPromise: true } },
};

const client: Shape = {
  extendable: true,
  members: {
    ...store,
    ...Object.fromEntries([
      ...spellings('xReadGroup', receive),
      ...spellings('xAutoClaim', { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: { members: { messages: 'StreamMessages' } } } }),
      ...spellings('xClaim', { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: 'StreamMessages' } }),
      ...spellings('xAck', ack()),
      // Redis 8.8: gives the entry back to the group.
      ...spellings('xNack', { call: { settles: { as: 'nack', message: '2' } } }),
      ...spellings('xGroupCreate', nothing),
      ...spellings('blPop', pop),
      ...spellings('brPop', pop),
      ...spellings('brPopLPush', move),
      ...spellings('blMove', move),
      ...spellings('subscribe', subscribe),
      ...spellings('pSubscribe', subscribe),
      ...spellings('sSubscribe', subscribe),
    ]),
    multi: { call: { returns: 'RedisClientMultiCommandType' } },
    duplicate: { call: { returns: 'this' } },
    connect: { call: { returns: 'this' } },
    disconnect: nothing,
    quit: nothing,
    close: nothing,
    destroy: nothing,
    ping: nothing,
    on: { call: { returns: 'this' } },
    once: { call: { returns: 'this' } },
    watch: nothing,
    unwatch: nothing,
    unsubscribe: nothing,
  },
};

/**
 * redis (node-redis) 6.3.1 (@redis/client, lib/commands/*.d.ts): streams as a client, everything else as a store.
 * `SET` takes `{ NX: true }`; from version 5 on `{ condition: 'NX' }`.
 */
export default defineLibrary({
  name: 'redis',
  packages: ['redis', '@redis/client', 'node-redis'],
  exports: {
    createClient: { call: { returns: 'RedisClientType' } },
    createCluster: { call: { returns: 'RedisClusterType' } },
    createClientPool: { call: { returns: 'RedisClientType' } },
    commandOptions: nothing,
  },
  types: {
    RedisClientType: client,
    RedisClusterType: client,
    RedisClient: client,
    RedisClientPoolType: client,
    RedisClientMultiCommandType: { members: { ...queued, ...Object.fromEntries(spellings('xAck', ack('this'))), exec: { call: { nodeCallback: true } }, execAsPipeline: nothing } },
    StreamReply: { element: { members: { name: stable, messages: 'StreamMessages' } } },
    StreamMessages: { batch: true, element: 'StreamMessage' },
    StreamMessage: {
      message: true,
      members: { id: { stability: 'broker-stable' }, message: stable, deliveriesCounter: { stability: 'delivery' }, millisElapsedFromDelivery: { stability: 'delivery' } },
    },
    PoppedEntry: { message: true, members: { key: stable, element: stable } },
  },
});
