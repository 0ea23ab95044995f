import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const derive: Shape = { call: { derives: true } };
const functions = alike(
  'parse stringify serialize deserialize encode decode unpack pack sha1 MD5 keys xml2js parseStringPromise parseString gzip gunzip gzipSync gunzipSync inflateSync deflateSync',
  derive,
);

/** superjson, msgpackr, devalue, object-hash, qs, xml2js and their like: the result is as stable as the arguments. */
export default defineLibrary({
  name: 'superjson',
  packages: [
    'superjson',
    'msgpackr',
    '@msgpack/msgpack',
    'devalue',
    'flatted',
    'object-hash',
    'hash-sum',
    'fast-json-stable-stringify',
    'json-stable-stringify',
    'safe-stable-stringify',
    'qs',
    'query-string',
    'node:querystring',
    'querystring',
    'xml2js',
    'fast-xml-parser',
    'yaml',
    'js-yaml',
    'node:zlib',
    'zlib',
    'md5',
    'slugify',
    'he',
    'camelcase-keys',
    'snakecase-keys',
    'base64url',
    'decimal.js',
    'bignumber.js',
    'big.js',
  ],
  exports: { ...functions, default: { call: { derives: true }, construct: { derives: true }, members: functions } },
});
