// Run by jest, from runners.test.ts.
import { assertIdempotent } from '@idempotent-consumers/inbox/testing';

test('an addition', () => assertIdempotent(new URL('delta.mjs', import.meta.url)), 60_000);
test('an addition behind the inbox', () => assertIdempotent(new URL('inbox.mjs', import.meta.url)), 60_000);
