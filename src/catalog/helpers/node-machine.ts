import { defineLibrary, type Shape } from '../schema.js';

const members: Record<string, Shape> = { hostname: { call: { mints: 'os.hostname()' } }, uptime: { call: { mints: 'os.uptime()' } } };

/** node:os: another value on another machine, and a retried message may come to one. */
export default defineLibrary({ name: 'node:os', packages: ['node:os', 'os'], exports: { ...members, default: { members } } });
