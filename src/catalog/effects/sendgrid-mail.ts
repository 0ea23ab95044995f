import { defineLibrary, type Shape } from '../schema.js';

const send: Shape = { call: { effect: { kind: 'external', data: '0' }, nodeCallback: true } };
const members: Record<string, Shape> = {
  send,
  sendMultiple: send,
  setApiKey: { call: {} },
  setSubstitutionWrappers: { call: {} },
  setTimeout: { call: {} },
};

/** @sendgrid/mail 8.1: takes no key; a list of messages is one request each. */
export default defineLibrary({
  name: '@sendgrid/mail',
  packages: ['@sendgrid/mail'],
  exports: { ...members, default: { members }, MailService: { construct: { returns: 'MailService' } } },
  types: { MailService: { members } },
});
