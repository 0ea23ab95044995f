import type { Finding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { count, printable } from './printable.js';
import { byHandler, causesOf, countByVerdict, type Cause } from './shared.js';
import { summaryOf } from './summary.js';

/** A comment on GitHub takes 65,536 characters, and GitLab and others no fewer. */
const LIMIT = 60_000;

/** For a comment on a pull request: the verdicts, and the findings of each handler to unfold. */
export function toMarkdown(report: ProgramReport): string {
  const causes = causesOf(report.handlers);
  const { findings, clean, beside, problems } = summaryOf(report);
  const { safe, unproven, unsafe } = countByVerdict(report.handlers);
  const head = [
    `### ${clean ? '✅' : '❌'} Message handlers: ${findings}`,
    '',
    '| handlers | safe | unproven | unsafe | files |',
    '| ---: | ---: | ---: | ---: | ---: |',
    `| ${report.handlers.length} | ${safe} | ${unproven} | ${unsafe} | ${report.files} |`,
    ...(beside.length > 0 || problems !== undefined ? ['', [...beside, ...(problems === undefined ? [] : [problems])].join(', ')] : []),
  ].join('\n');
  const blocks = byHandler(causes).map(([handler, list]) => handlerBlock(handler, list));
  let length = head.length;
  const shown = blocks.filter((block) => (length += block.length + 2) <= LIMIT);
  const rest = blocks.length - shown.length;
  return [head, ...shown, ...(rest > 0 ? [`The findings of ${count(rest, 'more handler')} are left out here, since a comment has a limit.`] : [])].join('\n\n');
}

function handlerBlock(handler: HandlerReport, causes: readonly Cause[]): string {
  return [
    '<details>',
    `<summary><b>${html(handler.name)}</b> (${html(handler.client)}) <code>${html(at(handler.place))}</code>: ${count(causes.length, 'finding')}</summary>`,
    '',
    '| rule | place | what goes wrong |',
    '| --- | --- | --- |',
    ...causes.map(row),
    '',
    '</details>',
  ].join('\n');
}

function row({ finding, handlers }: Cause): string {
  const affected = handlers.length > 1 ? `<br>Affects ${handlers.length} handlers: ${handlers.map((h) => code(`${h.name} (${at(h.place)})`)).join(', ')}` : '';
  return `| ${code(finding.rule)} | ${code(at(finding.place))} | ${message(finding)}${affected} |`;
}

/** The messages quote code in backticks, which stays code here. */
function message(finding: Finding): string {
  return printable(finding.message).split('`').map((part, i) => (i % 2 === 1 ? code(part) : html(part))).join('');
}

function code(text: string): string {
  return `<code>${html(text)}</code>`;
}

/** Text that is neither HTML nor Markdown, and mentions nobody. */
function html(text: string): string {
  return printable(text).replace(/[&<>"'`|*_~[\]\\@#$]|:(?=\/\/)/g, (c) => `&#${c.codePointAt(0) ?? 0};`);
}

function at(place: Place): string {
  return `${place.file}:${place.line}`;
}
