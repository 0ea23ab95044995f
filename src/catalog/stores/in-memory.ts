import type { EffectFacts, Shape } from '../schema.js';
import { alike } from './alike.js';

const set: Shape = { call: { sync: true, effect: { kind: 'write', writeKind: 'absolute', where: '0', data: '1', inMemory: true, marker: true } } };
const read = (result: EffectFacts['result']): Shape => ({
  call: { sync: true, effect: { kind: 'read', where: '0', inMemory: true, marker: true, result } },
});
const get = read({ fresh: { '': null }, duplicate: {} });
const remove: Shape = { call: { sync: true, effect: { kind: 'write', writeKind: 'delete', where: '0', inMemory: true } } };

/** A key that says "seen" lives in this process only: it is gone after a restart and unknown to the next instance. */
export const cache: Shape = {
  extendable: true,
  members: {
    ...alike('set mset setTtl ttl', set),
    ...alike('get peek mget take', get),
    has: read({ fresh: { '': false }, duplicate: { '': true } }),
    ...alike('del delete flushAll clear reset', remove),
    fetch: get,
    keys: get,
    on: { call: { returns: 'this' } },
  },
};
