import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Both sends take an `Idempotency-Key` among their headers; a repeat of it within 24 hours is refused with 409. */
const send: Shape = { call: { effect: { kind: 'external', data: '0', key: '0.headers.Idempotency-Key' } } };
/** A contact is one by its address: a second creation is refused. */
const byAddress: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };
const read: Shape = { call: { effect: { kind: 'read' } } };

/** loops 7 (loops.so/docs/api-reference): contacts, events, mails. */
export default defineLibrary({
  name: 'loops',
  packages: ['loops'],
  exports: { LoopsClient: { construct: { returns: 'LoopsClient' } } },
  types: {
    LoopsClient: {
      members: {
        ...alike('sendEvent sendTransactionalEmail', send),
        ...alike('createContact updateContact deleteContact createContactProperty', byAddress),
        ...alike('testApiKey findContact getMailingLists getCustomProperties getContactProperties getTransactionalEmails getDedicatedSendingIps', read),
      },
    },
  },
});
