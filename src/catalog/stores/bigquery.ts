import { defineLibrary } from '../schema.js';

/** @google-cloud/bigquery 8: streamed rows are deduplicated by `insertId` for about a minute at best. */
export default defineLibrary({
  name: '@google-cloud/bigquery',
  packages: ['@google-cloud/bigquery'],
  exports: { BigQuery: { construct: { returns: 'BigQuery' } } },
  types: {
    BigQuery: {
      members: {
        dataset: { call: { returns: 'Dataset' } },
        query: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0' } }, nodeCallback: true } },
        createQueryJob: { call: { effect: { kind: 'write', classify: { by: 'sql', text: '0' } }, nodeCallback: true } },
      },
    },
    Dataset: { members: { table: { call: { returns: 'Table' } } } },
    Table: {
      members: {
        insert: { call: { effect: { kind: 'write', writeKind: 'insert', table: 'receiver', data: '0' }, nodeCallback: true } },
        getRows: { call: { effect: { kind: 'read', table: 'receiver' }, nodeCallback: true } },
      },
    },
  },
});
