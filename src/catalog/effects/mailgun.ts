import { defineLibrary } from '../schema.js';

/** mailgun.js 14.0: takes no key. */
export default defineLibrary({
  name: 'mailgun.js',
  packages: ['mailgun.js'],
  exports: { default: { construct: { returns: 'Mailgun' } } },
  types: {
    Mailgun: { members: { client: { call: { returns: 'MailgunClient' } } } },
    MailgunClient: { members: { messages: { members: { create: { call: { effect: { kind: 'external', data: '1' } } } } } } },
  },
});
