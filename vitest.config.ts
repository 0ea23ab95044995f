import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const inboxSetup = 'runtime/vitest.global-setup.ts';
const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'analyzer',
          include: ['src/**/*.test.ts', 'rules/**/*.test.ts', 'fixtures/*.test.ts'],
          exclude,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'inbox',
          include: ['runtime/test/**/*.test.ts'],
          exclude,
          // Makes sure that PostgreSQL answers, before any test of the inbox runs.
          globalSetup: existsSync(inboxSetup) ? [inboxSetup] : [],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'proof',
          include: ['fixtures/proof-runner/**/*.test.ts'],
          exclude,
          globalSetup: [inboxSetup],
          // A run waits as much as it works.
          maxConcurrency: 2,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
