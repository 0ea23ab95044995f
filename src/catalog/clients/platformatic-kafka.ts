import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const stored: Shape = { stability: 'broker-stable' };
const nothing: Shape = { call: {} };

/**
 * @platformatic/kafka 2.12.1 (dist/clients/consumer/consumer.d.ts, messages-stream.d.ts). `autocommit` is true by default and
 * commits what has been fetched into the stream's buffer; with false each message has a `commit`.
 */
export default defineLibrary({
  name: '@platformatic/kafka',
  packages: ['@platformatic/kafka'],
  exports: { Consumer: { construct: { returns: 'Consumer' } }, Producer: { construct: { returns: 'Producer' } } },
  types: {
    Consumer: {
      members: {
        consume: {
          call: {
            registers: [
              { handler: 'enclosing', when: { arg: '0.autocommit', is: [false] }, acknowledgement: 'explicit' },
              { handler: 'enclosing', acknowledgement: 'on-delivery' },
            ],
            returns: 'MessagesStream',
          },
        },
        commit: nothing,
        close: nothing,
      },
    },
    MessagesStream: { batch: true, element: 'Message', members: { close: nothing } },
    Producer: { members: { send: { call: { effect: { kind: 'external', content: '0.messages' } } }, close: nothing } },
    Message: {
      message: true,
      members: {
        value: stable,
        key: stable,
        headers: stable,
        topic: stable,
        partition: stored,
        offset: stored,
        timestamp: stored,
        commit: { call: { settles: { as: 'ack', message: 'this' } } },
      },
    },
  },
});
