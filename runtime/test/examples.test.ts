/** The handlers that the READMEs show: whole, and without the line that is to be removed, with the words that are quoted. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { proveHandler } from '@idempotent-consumers/inbox/testing';
import { describe, expect, inject, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const readme = text('README.md');
const ownReadme = text('runtime/README.md');

const examples: [name: string, kind: string, rest: string][] = [
  ['transfer', 'repeated', 'crash after `COMMIT` and before the ack: accounts id=1: balance 120 instead of 110'],
  ['archive', 'lost', '`INSERT INTO archive` fails once: acknowledged, but archive: the row {ticket: T-1} is missing'],
  [
    'charge',
    'repeated',
    'crash after POST https://pay.example/charges and before the ack: POST https://pay.example/charges {amount: 5} 2 times instead of once',
  ],
];

describe.each(examples)('%s.mjs', (name, kind, rest) => {
  const file = `runtime/examples/${name}.mjs`;
  const options = { databaseUrl: inject('databaseUrl') };

  it('is idempotent', { timeout: 120_000 }, async () => {
    expect((await proveHandler(join(root, file), options)).report).toMatch(/^No differences/);
  });

  it('does what the READMEs say without the line', { timeout: 120_000 }, async () => {
    // In the package's own folder, from where its dependencies resolve.
    const folder = mkdtempSync(join(root, 'runtime/dist/example-'));
    try {
      const broken = join(folder, `${name}.mjs`);
      writeFileSync(broken, text(file).replace(/.*\/\/ remove this line\n/, ''));
      const quoted = `  ${kind.padEnd(12)}${rest}`;
      expect((await proveHandler(broken, options)).report.split('\n')).toContain(quoted);
      expect(readme.split('\n')).toContain(quoted);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(ownReadme).toContain(`${kind}: ${rest}`);
  });

  it('is shown in README.md as it is', () => {
    const source = text(file);
    expect(readme).toContain(`\`\`\`js\n${source.slice(source.indexOf('export async function consume'))}\`\`\``);
  });
});
