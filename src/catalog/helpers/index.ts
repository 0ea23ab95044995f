import type { Library } from '../schema.js';
import bson from './bson.js';
import nodeCrypto from './node-crypto.js';
import timers from './timers.js';
import timersPromises from './timers-promises.js';
import uuid from './uuid.js';

export const helpers: Library[] = [
  bson,
  nodeCrypto,
  timers,
  timersPromises,
  uuid,
];
