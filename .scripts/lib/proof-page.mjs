// docs/proof.md, from what the tests in `fixtures/proof-runner` have observed.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.mjs';

export function proofPage(note) {
  const groups = readdirSync(join(root, 'fixtures/proof-runner/observed')).filter((file) => file.endsWith('.json')).sort();
  const tables = groups.map((file) => ({
    group: basename(file, '.json'),
    rows: JSON.parse(readFileSync(join(root, 'fixtures/proof-runner/observed', file), 'utf8')),
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
    ...tables.flatMap(({ group, rows: those }) => [
      ...(headings[group] ?? [`## ${group}`]),
      '',
      '| consumer | the analyzer finds | the harness sees |',
      '| --- | --- | --- |',
      ...those.map(({ fixture, path, found, observed }) => `| [${fixture.replace(`${group}/`, '')}](../${path}) | ${found.map(rule).join('<br>') || '–'} | ${observed.map(cell).join('<br>') || 'no difference'} |`),
      '',
    ]),
  ].join('\n');
}

const headings = {
  brokers: [
    '## On real brokers',
    '',
    'These run in processes of their own on RabbitMQ, NATS and Redis. They lose their connection to the broker and are killed,',
    'before the write of a message and between the write and its acknowledgement; the broker delivers again by itself.',
  ],
};

function rule(name) {
  const [bare, strict] = name.split(' ');
  return `[${bare}](rules/${bare}.md)${strict ? ' *strict*' : ''}`;
}

/** What stands in backticks is shown as it is; all else might be read as markup. */
function cell(text) {
  const escaped = text.split('`').map((part, i) => (i % 2 ? `\`${part}\`` : part.replaceAll(/[<>*[\]]/g, '\\$&'))).join('').replaceAll('|', '\\|');
  return escaped.replace(/^(\w+)/, '**$1**');
}
