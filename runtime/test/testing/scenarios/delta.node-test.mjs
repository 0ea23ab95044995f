// Run by node:test, from runners.test.ts.
import { test } from 'node:test';
import { assertIdempotent } from '@idempotent-consumers/inbox/testing';

test('an addition', () => assertIdempotent(new URL('delta.mjs', import.meta.url)));
test('an addition behind the inbox', () => assertIdempotent(new URL('inbox.mjs', import.meta.url)));
