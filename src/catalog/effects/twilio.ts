import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** A list of resources, and called with an id one of them. */
const resource: Shape = {
  call: { returns: 'Instance' },
  members: {
    create: { call: { effect: { kind: 'external', data: '0' }, nodeCallback: true } },
    ...alike<Shape>('list each page', { call: { effect: { kind: 'read' }, nodeCallback: true } }),
  },
  anyMember: 'Resource',
};

/** twilio 6.3: messages and calls take no key. */
export default defineLibrary({
  name: 'twilio',
  packages: ['twilio'],
  exports: {
    default: { call: { returns: 'Twilio' } },
    Twilio: { construct: { returns: 'Twilio' } },
    validateRequest: { call: { derives: true } },
  },
  types: {
    Twilio: { extendable: true, members: { messages: 'Resource', calls: 'Resource' }, anyMember: 'Resource' },
    Resource: resource,
    Instance: {
      members: {
        fetch: { call: { effect: { kind: 'read' }, nodeCallback: true } },
        update: { call: { effect: { kind: 'external', idempotent: true, data: '0' }, nodeCallback: true } },
        remove: { call: { effect: { kind: 'external', idempotent: true }, nodeCallback: true } },
      },
      anyMember: 'Resource',
    },
  },
});
