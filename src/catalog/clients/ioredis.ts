import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };

function commands(names: string, facts: Partial<EffectFacts>): Record<string, EffectFacts> {
  return Object.fromEntries(names.split(' ').map((name): [string, EffectFacts] => [name, { kind: 'write', table: '0', where: '0', ...facts }]));
}
const flag = { fresh: { '': 1 }, duplicate: { '': 0 } };

/** The commands as a store, in node-redis's spelling; ioredis spells them in lower case. The key comes first everywhere. */
export const storeCommands: Record<string, EffectFacts> = {
  // `SET key value NX` gives OK where the key was new, and null where it stood already.
  ...commands('set', { classify: { by: 'redis-set' }, data: '1', result: { fresh: { '': 'OK' }, duplicate: { '': null } } }),
  ...commands('setNX', { writeKind: 'insert-or-ignore', data: '1', marker: true, result: flag }),
  ...commands('hSetNX', { writeKind: 'insert-or-ignore', data: '2', marker: true, result: flag }),
  ...commands('mSetNX', { writeKind: 'insert-or-ignore', data: '0', marker: true, result: flag }),
  ...commands('setEx', { writeKind: 'absolute', data: '2', expires: { after: '1', unit: 's' } }),
  ...commands('pSetEx', { writeKind: 'absolute', data: '2', expires: { after: '1', unit: 'ms' } }),
  ...commands('getSet setRange setBit hSet hMSet mSet lSet hmSet geoAdd pfAdd zAdd', { writeKind: 'absolute', data: '1' }),
  ...commands('sAdd', { writeKind: 'absolute', data: '1', marker: true, result: flag }),
  ...commands('expire', { writeKind: 'absolute', expires: { after: '1', unit: 's' } }),
  ...commands('pExpire', { writeKind: 'absolute', expires: { after: '1', unit: 'ms' } }),
  ...commands('expireAt pExpireAt persist rename sMove touch', { writeKind: 'absolute' }),
  ...commands('incr incrBy incrByFloat decr decrBy append lPush lPushX rPush rPushX lInsert bitField', { writeKind: 'delta', data: '1' }),
  ...commands('hIncrBy hIncrByFloat zIncrBy', { writeKind: 'delta', data: '2' }),
  ...commands('del unlink getDel hDel sRem zRem lRem lTrim sPop lPop rPop zPopMin zPopMax zRemRangeByScore zRemRangeByRank xDel xTrim', { writeKind: 'delete' }),
  ...commands('get', { kind: 'read', marker: true, result: { fresh: { '': null }, duplicate: {} } }),
  ...commands('exists sIsMember hExists', { kind: 'read', marker: true, result: { fresh: { '': 0 }, duplicate: { '': 1 } } }),
  ...commands('zScore hGet getBit', { kind: 'read', marker: true, result: { fresh: { '': null }, duplicate: {} } }),
  ...commands(
    'getEx mGet hGetAll hMGet hKeys hVals hLen lRange lIndex lLen sMembers sCard sInter sUnion sDiff sRandMember zRange zRangeByScore zRevRange zRevRangeByScore zRangeWithScores zCard zCount zRank zRevRank ttl pTTL type keys scan sScan hScan zScan strLen getRange bitCount xLen xRange xRevRange xPending xInfo geoSearch pfCount dbSize memoryUsage',
    { kind: 'read' },
  ),
  // Scripts and functions can be anything; their text is judged by nobody.
  ...commands('eval evalSha fCall', { table: undefined, where: undefined }),
  ...commands('publish sPublish xAdd', { kind: 'external', table: undefined, where: undefined, content: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] }),
  ...commands('flushDb flushAll', { writeKind: 'delete', table: undefined, where: undefined }),
};

const lower = Object.entries(storeCommands).map(([name, effect]): [string, EffectFacts] => [name.toLowerCase(), effect]);
const store = Object.fromEntries(lower.map(([name, effect]): [string, Shape] => [name, { call: { effect, nodeCallback: true } }]));
/** In a pipeline the call only queues the command: `exec` sends them and has the results. */
const queued = Object.fromEntries(lower.map(([name, effect]): [string, Shape] => [name, { call: { effect: { ...effect, result: undefined, marker: undefined }, returns: 'this', sync: true } }]));

const nothing: Shape = { call: {} };
const receive = (returns: string): Shape => ({ call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns, nodeCallback: true } });
const pop: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'on-delivery', weak: true }, returns: 'PoppedEntry', nodeCallback: true } };
const move: Shape = { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit', weak: true }, returns: { message: true, stability: 'producer-stable' }, nodeCallback: true } };
const ack: Shape = { call: { settles: { as: 'ack', message: '2' }, nodeCallback: true } };

const client: Shape = {
  extendable: true,
  members: {
    ...store,
    xreadgroup: receive('StreamReply'),
    xautoclaim: receive('ClaimReply'),
    xclaim: receive('StreamEntries'),
    xack: ack,
    xgroup: nothing,
    blpop: pop,
    brpop: pop,
    brpoplpush: move,
    blmove: move,
    on: {
      call: {
        returns: 'this',
        registers: [
          { handler: '1', when: { arg: '0', is: ['message', 'messageBuffer'] }, params: [stable, { message: true, stability: 'producer-stable' }], acknowledgement: 'none', ignoresPromise: true },
          { handler: '1', when: { arg: '0', is: ['pmessage', 'pmessageBuffer'] }, params: [stable, stable, { message: true, stability: 'producer-stable' }], acknowledgement: 'none', ignoresPromise: true },
        ],
      },
    },
    pipeline: { call: { returns: 'ChainableCommander' } },
    multi: { call: { returns: 'ChainableCommander' } },
    duplicate: { call: { returns: 'this' } },
    subscribe: nothing,
    psubscribe: nothing,
    unsubscribe: nothing,
    connect: nothing,
    disconnect: nothing,
    quit: nothing,
    ping: nothing,
    watch: nothing,
    unwatch: nothing,
    defineCommand: nothing,
    once: { call: { returns: 'this' } },
  },
};
const construct: Shape = { construct: { returns: 'Redis' }, members: { Cluster: { construct: { returns: 'Cluster' } } }, extendable: true };

/** ioredis 6.0.0 (built/utils/RedisCommander.d.ts): streams as a client, everything else as a store. Entry ids are the broker's. */
export default defineLibrary({
  name: 'ioredis',
  packages: ['ioredis'],
  exports: { default: construct, Redis: construct, Cluster: { construct: { returns: 'Cluster' } } },
  types: {
    default: client,
    Redis: client,
    Cluster: client,
    ChainableCommander: { members: { ...queued, xack: { call: { settles: { as: 'ack', message: '2' }, returns: 'this' } }, exec: { call: { nodeCallback: true } } } },
    // [[stream, [[id, [field, value, …]], …]], …]
    StreamReply: { element: { members: { '0': stable, '1': 'StreamEntries' } } },
    ClaimReply: { members: { '1': 'StreamEntries' } },
    StreamEntries: { batch: true, element: 'StreamEntry' },
    StreamEntry: { message: true, members: { '0': stored, '1': stable } },
    PoppedEntry: { message: true, members: { '0': stable, '1': stable } },
  },
});
