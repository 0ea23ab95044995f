import { defineLibrary, type Shape } from '../schema.js';

const nothing: Shape = { call: {} };
const send: Shape = { call: { effect: { kind: 'external', content: '1' } } };
const settle: Shape = { call: { settles: { as: 'ack', message: '1' } } };

/**
 * pgmq-js 1.3.1 (dist/index.d.ts). `pop` deletes what it reads; `read` hides it for `vt` seconds, 0 by default. Nothing bounds
 * how often a message is read.
 */
export default defineLibrary({
  name: 'pgmq-js',
  packages: ['pgmq-js'],
  exports: { Pgmq: { members: { new: { call: { returns: 'Pgmq' } } } } },
  types: {
    Pgmq: { members: { msg: 'MsgManager', queue: { anyMember: nothing }, close: nothing } },
    MsgManager: {
      members: {
        read: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: 'Message' } },
        readBatch: { call: { registers: { handler: 'enclosing', acknowledgement: 'explicit' }, returns: { batch: true, element: 'Message' } } },
        pop: { call: { registers: { handler: 'enclosing', acknowledgement: 'on-delivery' }, returns: 'Message' } },
        delete: settle,
        deleteBatch: settle,
        archive: settle,
        archiveBatch: settle,
        send,
        sendBatch: send,
        setVt: nothing,
      },
    },
    Message: {
      message: true,
      members: {
        message: { stability: 'producer-stable' },
        msgId: { stability: 'broker-stable' },
        enqueuedAt: { stability: 'broker-stable' },
        readCount: { stability: 'delivery' },
        vt: { stability: 'delivery' },
      },
    },
  },
});
