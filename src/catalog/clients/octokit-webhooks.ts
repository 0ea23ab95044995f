import { defineLibrary, type Shape } from '../schema.js';

/** `id` is the delivery header, which GitHub keeps when it sends an event again. */
const event: Shape = { message: true, stability: 'producer-stable' };
const verify: Shape = { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' } } };

/**
 * @octokit/webhooks 14.2.0 (dist-types/index.d.ts). The middleware answers 500 if a handler rejects; GitHub itself sends
 * again only on request. All handlers of an event run in parallel.
 */
export default defineLibrary({
  name: '@octokit/webhooks',
  packages: ['@octokit/webhooks'],
  exports: { Webhooks: { construct: { returns: 'Webhooks' } }, createNodeMiddleware: { call: {} }, createWebMiddleware: { call: {} } },
  types: {
    Webhooks: {
      members: {
        on: { call: { registers: { handler: '1', params: [event], acknowledgement: 'on-return' } } },
        onAny: { call: { registers: { handler: '0', params: [event], acknowledgement: 'on-return' } } },
        onError: { call: {} },
        verify,
        verifyAndReceive: { call: {} },
        receive: { call: {} },
        removeListener: { call: {} },
      },
    },
    EmitterWebhookEvent: event,
    WebhookEvent: event,
  },
});
