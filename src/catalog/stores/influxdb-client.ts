import { defineLibrary, type Shape } from '../schema.js';
import { alike } from './alike.js';

/** A point with the measurement, tags and time of one that is there takes its place; without a time each is a new one. */
const write: Shape = { call: { sync: true, buffered: ['flush', 'close'], effect: { kind: 'write', writeKind: 'upsert', data: '0' } } };
const read: Shape = { call: { effect: { kind: 'read' } } };

/** @influxdata/influxdb-client 1.35: a write only fills a buffer, which is sent when it is full, after `flushInterval`, or by `flush()`. */
export default defineLibrary({
  name: '@influxdata/influxdb-client',
  packages: ['@influxdata/influxdb-client', '@influxdata/influxdb-client-browser', '@influxdata/influxdb-client-apis'],
  exports: {
    InfluxDB: { construct: { returns: 'InfluxDB' } },
    Point: { construct: { returns: 'Point' }, members: { measurement: { call: { returns: 'Point' } } } },
    DeleteAPI: { construct: { returns: 'DeleteAPI' } },
    ...alike<Shape>('OrgsAPI BucketsAPI UsersAPI TasksAPI', { construct: { returns: 'ManagementAPI' } }),
  },
  types: {
    InfluxDB: { members: { getWriteApi: { call: { returns: 'WriteApi' } }, getQueryApi: { call: { returns: 'QueryApi' } } } },
    WriteApi: {
      members: {
        ...alike('writePoint writePoints writeRecord writeRecords', write),
        ...alike<Shape>('flush close', { call: {} }),
        useDefaultTags: { call: { returns: 'this' } },
        dispose: { call: {} },
      },
    },
    QueryApi: { members: alike('collectRows collectLines queryRows queryLines queryRaw iterateRows iterateLines', read) },
    Point: { anyMember: { call: { returns: 'this' } } },
    DeleteAPI: { members: { postDelete: { call: { effect: { kind: 'write', writeKind: 'delete', where: '0' } } } } },
    // Orgs and buckets have unique names: to make one again is refused.
    ManagementAPI: {
      members: {
        ...alike<Shape>('postOrgs postBuckets postUsers postTasks', { call: { effect: { kind: 'write', data: '0' } } }),
        ...alike<Shape>('patchOrgsID patchBucketsID patchUsersID patchTasksID', { call: { effect: { kind: 'write', writeKind: 'absolute', where: '0', data: '0' } } }),
        ...alike<Shape>('deleteOrgsID deleteBucketsID deleteUsersID deleteTasksID', { call: { effect: { kind: 'write', writeKind: 'delete', where: '0' } } }),
        ...alike('getOrgs getOrgsID getBuckets getBucketsID getUsers getUsersID getTasks getTasksID', read),
      },
    },
  },
});
