import { defineLibrary, type Shape } from '../schema.js';

const event: Shape = { message: true, stability: 'producer-stable' };
const adapter: Shape = { call: { registers: { handler: '0.*', params: [event], acknowledgement: 'on-return' } } };

/**
 * @polar-sh/sdk 0.49.0 (dist/commonjs/webhooks.d.ts) and its adapters (@polar-sh/nextjs 0.9.6): an event is sent again until
 * it is answered with 2xx. The adapters await the callback of the event's type.
 */
export default defineLibrary({
  name: '@polar-sh/sdk',
  packages: ['@polar-sh/sdk/webhooks', '@polar-sh/sdk/webhooks.js', '@polar-sh/nextjs', '@polar-sh/express', '@polar-sh/hono', '@polar-sh/fastify', '@polar-sh/sveltekit', '@polar-sh/astro', '@polar-sh/remix'],
  exports: {
    validateEvent: { call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' }, returns: event } },
    WebhookVerificationError: { construct: {} },
    Webhooks: adapter,
    Checkout: { call: {} },
    CustomerPortal: { call: {} },
  },
});
