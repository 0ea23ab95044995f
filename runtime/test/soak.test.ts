import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The short form of `npm run soak`; a failing seed can be given to that command. */
it('loses nothing and applies nothing twice while processes are killed and PostgreSQL restarts', { timeout: 180_000 }, async () => {
  const script = fileURLToPath(new URL('../scripts/soak.mjs', import.meta.url));
  const seed = String(Math.floor(Math.random() * 1e6));
  const args = ['--seed', seed, '--messages', '1500', '--duplicates', '0.3', '--processes', '3', '--kills', '8', '--restarts', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  const result = JSON.parse(stdout) as Record<string, number>;
  expect(result).toMatchObject({ messages: 1500, killed: 8, restarted: 1, crashed: 0, lost: 0, twice: 0 });
  expect(result.balance).toBe(result.expected);
});
