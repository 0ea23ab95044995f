// docs/proof.md, from what the tests in `proof` have observed.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.mjs';

export function proofPage(note) {
  const tables = readdirSync(join(root, 'proof/observed')).filter((file) => file.endsWith('.json')).sort().map((file) => ({
    title: basename(file, '.json'),
    rows: JSON.parse(readFileSync(join(root, 'proof/observed', file), 'utf8')),
  }));
  const rows = tables.flatMap((table) => table.rows);
  const violating = rows.filter(({ found }) => found.length > 0).length;
  return [
    '# The rules, held to the crash harness',
    '',
    note,
    '',
    'Each of these consumers is judged twice: the analyzer reads it, and the [crash harness](harness.md) runs it on a real',
    'PostgreSQL, under crashes, failures and duplicates. Both must say the same: where the analyzer reports a rule whose',
    'message announces a lost, a repeated or a stray effect, the harness must see one of that kind, and no difference may be',
    'seen that no finding announces. The tests fail on a disagreement, and if this page does not tell what they saw.',
    '',
    `${rows.length} consumers: ${violating} with findings, ${rows.length - violating} without. No disagreement.`,
    '',
    'The rules that a run on one database can show are ack-after-commit, no-ack-on-failure, no-delta-write, no-unkeyed-insert,',
    'atomic-inbox, no-delivery-id-dedupe, single-external-effect, require-idempotency-key and',
    'no-external-effect-in-transaction. *strict* marks what only that preset reports. Of each kind of difference the first that',
    'was seen stands here.',
    '',
    ...tables.flatMap(({ title, rows: those }) => [
      `## ${title}`,
      '',
      '| consumer | the analyzer finds | the harness sees |',
      '| --- | --- | --- |',
      ...those.map(({ fixture, path, found, observed }) => `| [${fixture.replace(`${title}/`, '')}](../${path}) | ${found.map(rule).join('<br>') || '–'} | ${observed.map(cell).join('<br>') || 'no difference'} |`),
      '',
    ]),
  ].join('\n');
}

function rule(name) {
  const [bare, strict] = name.split(' ');
  return `[${bare}](rules/${bare}.md)${strict ? ' *strict*' : ''}`;
}

/** What stands in backticks is shown as it is; all else might be read as markup. */
function cell(text) {
  const escaped = text.split('`').map((part, i) => (i % 2 ? `\`${part}\`` : part.replaceAll(/[<>*[\]]/g, '\\$&'))).join('').replaceAll('|', '\\|');
  return escaped.replace(/^(\w+)/, '**$1**');
}
