import { defineLibrary, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const nothing: Shape = { call: {} };
const on: Shape = { call: { registers: { handler: '1', when: { arg: '0', is: ['message'] }, params: ['EventContext'], acknowledgement: 'explicit', ignoresPromise: true }, returns: 'this' } };
const open: Shape = { call: { returns: 'Receiver' } };
const members: Record<string, Shape> = {
  on,
  once: on,
  connect: { call: { returns: 'Connection' } },
  open_receiver: open,
  attach_receiver: open,
  open_sender: { call: { returns: 'Sender' } },
  attach_sender: { call: { returns: 'Sender' } },
  create_session: { call: { returns: 'Connection' } },
  add_credit: nothing,
  close: nothing,
};
const endpoint: Shape = { members };
/** The module itself is a container, too. */
const rhea: Record<string, Shape> = { ...members, create_container: { call: { returns: 'Container' } } };
const settle = (as: 'ack' | 'nack'): Shape => ({ call: { settles: { as, message: 'this' } } });

/**
 * rhea 3.0.5 (typings/container.d.ts, link.d.ts, session.d.ts). A receiver accepts each message by itself when its listeners
 * have returned, unless it was opened with `autoaccept: false`; taken as explicit here, since that stands elsewhere.
 */
export default defineLibrary({
  name: 'rhea',
  packages: ['rhea', 'rhea-promise'],
  exports: { ...rhea, default: { members: rhea } },
  types: {
    Container: endpoint,
    Connection: endpoint,
    Receiver: endpoint,
    Sender: { members: { send: { call: { effect: { kind: 'external', key: '0.message_id', keyIsCarried: true, content: '0' }, sync: true } }, on: { call: { returns: 'this' } }, close: nothing } },
    EventContext: {
      members: {
        message: 'Message',
        delivery: { members: { accept: settle('ack'), release: settle('nack'), reject: settle('nack'), modified: settle('nack'), update: nothing } },
        receiver: 'Receiver',
        connection: 'Connection',
      },
    },
    Message: {
      message: true,
      members: {
        body: stable,
        message_id: stable,
        correlation_id: stable,
        application_properties: stable,
        group_id: stable,
        subject: stable,
        delivery_count: { stability: 'delivery' },
        message_annotations: { stability: 'broker-stable' },
      },
    },
  },
});
