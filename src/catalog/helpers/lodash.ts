import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const derive: Shape = { call: { derives: true } };
/** The copy stands for the original. */
const through: Shape = { call: { returns: '0' } };
/** Promises that the function gives are dropped. */
const dropped: Shape = { call: { sync: true, runs: [{ function: '1', times: 'many', over: '0', promise: 'detached' }] } };
const many: Shape = { call: { runs: [{ function: '1', times: 'many', over: '0', promise: 'awaited' }] } };
/** The function runs later, or not at all. */
const wrapped: Shape = { call: { returns: '0' } };

const functions: Record<string, Shape> = {
  ...alike(
    'get has pick omit pickBy omitBy keys values entries toPairs fromPairs isEmpty isEqual isNil isString isNumber isArray isObject isFunction toString ' +
      'toNumber trim camelCase snakeCase kebabCase capitalize upperFirst toLower toUpper startsWith endsWith split join padStart groupBy keyBy countBy ' +
      'partition chunk sum sumBy max maxBy min minBy first head last nth difference intersection union zip zipObject range size mapKeys mapValues invert ' +
      'defaultTo clamp round includes template escape',
    derive,
  ),
  ...alike('cloneDeep clone merge mergeWith assign defaults defaultsDeep compact uniq uniqBy sortBy orderBy filter reject find findLast flatten flattenDeep set unset', through),
  ...alike('forEach each forEachRight forIn forOwn', dropped),
  ...alike('map flatMap some every reduce times', many),
  ...alike('debounce throttle once memoize partial curry', wrapped),
  ...alike<Shape>('delay defer', { call: { runs: [{ function: '0', times: 'once', promise: 'detached' }] } }),
  uniqueId: { call: { mints: 'uniqueId()' } },
  random: { call: { mints: 'random()' } },
  now: { call: { mints: 'now()' } },
  noop: { call: {} },
};

/** lodash 4.17 and its like. */
export default defineLibrary({
  name: 'lodash',
  packages: ['lodash', 'lodash-es', 'underscore', 'es-toolkit', 'es-toolkit/compat', 'remeda', 'radash'],
  exports: { ...functions, default: { call: { returns: '0' }, members: functions } },
});
