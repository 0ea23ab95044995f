import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const mint = (name: string): Shape => ({ call: { mints: `${name}()`, nodeCallback: true } });
const derive: Shape = { call: { derives: true } };

const subtle: Shape = { members: alike('digest sign verify importKey deriveKey deriveBits', derive), anyMember: { call: {} } };

const webCrypto: Shape = {
  members: {
    randomUUID: { call: { mints: 'crypto.randomUUID()' } },
    getRandomValues: { call: { mints: 'crypto.getRandomValues()' } },
    subtle,
  },
};

const members: Record<string, Shape> = {
  randomUUID: { call: { mints: 'randomUUID()' } },
  randomUUIDv7: { call: { mints: 'randomUUIDv7()' } },
  randomBytes: mint('randomBytes'),
  pseudoRandomBytes: mint('pseudoRandomBytes'),
  randomInt: mint('randomInt'),
  randomFillSync: mint('randomFillSync'),
  getRandomValues: mint('getRandomValues'),
  generateKeyPairSync: mint('generateKeyPairSync'),
  ...alike('createHash createHmac hash createSign createVerify sign verify pbkdf2Sync scryptSync timingSafeEqual createSecretKey createPublicKey', derive),
  webcrypto: webCrypto,
  subtle,
};

/** Node.js `crypto` and the global Web Crypto. A hash is as stable as what went into it; a cipher usually has a random vector. */
export default defineLibrary({
  name: 'node:crypto',
  packages: ['node:crypto', 'crypto'],
  exports: { ...members, default: { members } },
  globals: { crypto: webCrypto },
});
