// node --test runtime/examples/examples.test.mjs
import { test } from 'node:test';
import { assertIdempotent } from '@idempotent-consumers/inbox/testing';

for (const name of ['transfer', 'archive', 'charge']) {
  test(name, () => assertIdempotent(new URL(`${name}.mjs`, import.meta.url)));
}
