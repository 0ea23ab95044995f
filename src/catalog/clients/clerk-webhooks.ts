import { defineLibrary, type Shape } from '../schema.js';

const verify: Shape = {
  call: { registers: { handler: 'enclosing', http: true, acknowledgement: 'explicit' }, returns: { message: true, stability: 'producer-stable' } },
};

/** @clerk/backend 3.25.0 (dist/webhooks.d.ts): `verifyWebhook(request)` throws, or gives the event. Sent through Svix. */
export default defineLibrary({
  name: '@clerk/backend',
  packages: ['@clerk/backend/webhooks', '@clerk/nextjs/webhooks', '@clerk/express/webhooks', '@clerk/fastify/webhooks', '@clerk/astro/webhooks', '@clerk/tanstack-react-start/webhooks', '@clerk/react-router/webhooks', '@clerk/nuxt/webhooks'],
  exports: { verifyWebhook: verify },
});
