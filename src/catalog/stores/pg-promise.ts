import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

const query: Shape = {
  call: {
    effect: {
      kind: 'write',
      classify: { by: 'sql', text: '0', values: '1', dialect: 'postgresql' },
      result: { fresh: { rowCount: 1, length: 1 }, duplicate: { rowCount: 0, length: 0, '': null } },
    },
  },
};
const members: Record<string, Shape> = {
  ...alike('none one oneOrNone many manyOrNone any result query multi multiResult map each', query),
  ...alike<Shape>('func proc', { call: { effect: { kind: 'write', table: '0' } } }),
  ...alike<Shape>('tx txIf', { call: { transaction: { callback: 'last', params: ['ITask'] } } }),
  batch: { call: {} },
};
/** One connection, and no transaction unless it is that of `tx`. */
const task: Shape = { call: { runs: [{ function: 'last', times: 'once', promise: 'awaited', params: ['ITask'], returns: true }] } };

/** pg-promise 12.7: `none` of an UPDATE that matches nothing resolves to null, `one` rejects. */
export default defineLibrary({
  name: 'pg-promise',
  packages: ['pg-promise'],
  exports: { default: { call: { returns: 'IMain' } } },
  types: {
    IMain: { call: { returns: 'IDatabase' }, members: { helpers: { anyMember: { call: { derives: true } } }, as: { anyMember: { call: { derives: true } } } } },
    IDatabase: { members: { ...members, task, taskIf: task, connect: { call: { returns: 'ITask' } } } },
    ITask: { connection: true, members: { ...members, task } },
  },
});
