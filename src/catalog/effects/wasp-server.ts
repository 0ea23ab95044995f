import { defineLibrary } from '../schema.js';

/**
 * Wasp 0.21: `wasp/server` has the application's Prisma client, `wasp/server/email` the sender of whichever provider is
 * configured. `send` takes no key.
 */
export default defineLibrary({
  name: 'wasp/server',
  packages: ['wasp/server', 'wasp/server/email'],
  exports: {
    prisma: '@prisma/client#PrismaClient',
    PrismaClient: { construct: { returns: '@prisma/client#PrismaClient' } },
    emailSender: { members: { send: { call: { effect: { kind: 'external', data: '0' } } } } },
  },
});
