import { defineLibrary, type Shape } from '../schema.js';

const event: Shape = { message: true, stability: 'producer-stable' };
const verify: Shape = { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' }, returns: event } };
const webhook: Shape = { construct: { returns: 'Webhook' } };

/**
 * svix 1.99.1 and standardwebhooks 1.1.1 (dist/webhook.d.ts): `verify` throws, or gives the payload. The id in the header
 * `svix-id` or `webhook-id` is that of the message, the same on every attempt.
 */
export default defineLibrary({
  name: 'svix',
  packages: ['svix', 'standardwebhooks'],
  exports: { Webhook: webhook, WebhookVerificationError: { construct: {} } },
  types: { Webhook: { members: { verify, sign: { call: {} } } } },
});
