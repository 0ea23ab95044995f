import { defineLibrary } from '../schema.js';

/** @nestjs/bull 12.0.0 (decorators/process.decorator.d.ts). Methods marked `@OnQueue…` are notifications, no handlers. */
export default defineLibrary({
  name: '@nestjs/bull',
  packages: ['@nestjs/bull'],
  exports: {
    Process: {
      decorator: {
        handler: 'decorated',
        params: ['bull#Job', { call: { settles: { as: 'callback' } } }],
        acknowledgement: 'on-return',
        callbackParam: 1,
        heldUntil: 'for as long as this process runs',
      },
    },
  },
});
