import { defineLibrary, type Shape } from '../schema.js';

/** Nothing throws: the answer is `{ data, error }`. A key is kept for 24 hours and is the second argument's. */
const send: Shape = { call: { effect: { kind: 'external', data: '0', key: '1.idempotencyKey', failureIn: 'error' } } };
const keyless: Shape = { call: { effect: { kind: 'external', data: '0', failureIn: 'error' } } };
const read: Shape = { call: { effect: { kind: 'read', failureIn: 'error' } } };
const crud: Shape = { members: { get: read, list: read }, anyMember: keyless };

/** resend 6.38. */
export default defineLibrary({
  name: 'resend',
  packages: ['resend'],
  exports: { Resend: { construct: { returns: 'Resend' } } },
  types: {
    Resend: {
      extendable: true,
      members: {
        emails: { members: { send, create: send, get: read, list: read, update: keyless, cancel: keyless } },
        batch: { members: { send, create: send } },
        broadcasts: { members: { get: read, list: read, send: keyless, create: keyless, update: keyless, remove: keyless } },
        contacts: crud,
        audiences: crud,
        segments: crud,
        domains: crud,
        events: crud,
      },
    },
  },
});
