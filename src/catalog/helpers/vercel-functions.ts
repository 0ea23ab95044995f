import { defineLibrary } from '../schema.js';

/** @vercel/functions 3: the promise in the argument goes on after the answer; nobody learns if it fails. */
export default defineLibrary({
  name: '@vercel/functions',
  packages: ['@vercel/functions'],
  exports: {
    waitUntil: { call: { sync: true, runs: [{ function: '0', times: 'once', promise: 'detached' }] } },
    getEnv: { call: {} },
    ipAddress: { call: {} },
    geolocation: { call: {} },
  },
});
