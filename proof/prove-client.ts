/** The test of the fixtures of one client. Each client is a file, so that the runner can share them out. */
import { expect, inject, test } from 'vitest';
import type {} from '../runtime/vitest.global-setup.js';
import { fixturesOf } from './fixture.js';
import { judge, type Row } from './judge.js';

/**
 * Judges each fixture below `fixtures/proof/<client>`, and compares with `observed/<client>.json`, from which
 * docs/proof.md is made. `npm run docs:proof` writes it anew.
 */
export function proveClient(client: string): void {
  const rows: Row[] = [];
  test.concurrent.each(fixturesOf(client).map((fixture) => [fixture.name, fixture] as const))('%s', { timeout: 120_000 }, async (_, fixture) => {
    const row = await judge(fixture, inject('databaseUrl'));
    rows.push(row);
    expect(row.disagreements).toEqual([]);
  });

  test('docs/proof.md tells what was observed', async () => {
    const table = rows.sort((a, b) => (a.fixture < b.fixture ? -1 : 1)).map(({ disagreements: _, ...row }) => row);
    await expect(`${JSON.stringify(table, null, 2)}\n`).toMatchFileSnapshot(`../observed/${client}.json`);
  });
}
