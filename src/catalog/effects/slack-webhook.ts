import { defineLibrary } from '../schema.js';

/** @slack/webhook 7: takes no key and does not send again by itself. */
export default defineLibrary({
  name: '@slack/webhook',
  packages: ['@slack/webhook'],
  exports: { IncomingWebhook: { construct: { returns: 'IncomingWebhook' } } },
  types: { IncomingWebhook: { members: { send: { call: { effect: { kind: 'external', data: '0' } } } } } },
});
