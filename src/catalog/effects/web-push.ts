import { defineLibrary, type Shape } from '../schema.js';

const members: Record<string, Shape> = {
  sendNotification: { call: { effect: { kind: 'external', data: '1' } } },
  setVapidDetails: { call: {} },
  generateVAPIDKeys: { call: { mints: 'generateVAPIDKeys()' } },
};

/** web-push 3.6: a `topic` replaces a notification that has not been delivered yet, which is no key. */
export default defineLibrary({ name: 'web-push', packages: ['web-push'], exports: { ...members, default: { members } } });
