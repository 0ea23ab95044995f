import { describe, expect, it } from 'vitest';
import { finding, handler, place, report } from '../../fixtures/report-sample.js';
import { toMarkdown } from './markdown.js';

describe('the Markdown report', () => {
  it('counts the verdicts and folds the findings by handler', () => {
    expect(toMarkdown(report)).toMatchInlineSnapshot(`
      "### ❌ Message handlers: 3 findings (2 ack-after-commit, 1 no-ack-on-failure)

      | handlers | safe | unproven | unsafe | files |
      | ---: | ---: | ---: | ---: | ---: |
      | 3 | 1 | 0 | 2 | 340 |

      2 suppressed, 2 unknown calls, 1 file with problems

      <details>
      <summary><b>onOrder</b> (kafkajs) <code>src/orders.ts:42</code>: 2 findings</summary>

      | rule | place | what goes wrong |
      | --- | --- | --- |
      | <code>ack-after-commit</code> | <code>src/orders.ts:57</code> | acknowledged here, before <code>orders.insert</code> on line 9: a crash in between loses this message |
      | <code>no-ack-on-failure</code> | <code>src/wrap.ts:5</code> | acknowledged here, before <code>orders.insert</code> on line 9: a crash in between loses this message<br>Affects 2 handlers: <code>onOrder (src/orders.ts:42)</code>, <code>onRefund (src/refunds.ts:8)</code> |

      </details>

      <details>
      <summary><b>onRefund</b> (amqplib) <code>src/refunds.ts:8</code>: 1 finding</summary>

      | rule | place | what goes wrong |
      | --- | --- | --- |
      | <code>ack-after-commit</code> | <code>src/refunds.ts:10</code> | acknowledged here, before <code>orders.insert</code> on line 9: a crash in between loses this message |

      </details>"
    `);
  });

  it('says that there is nothing to say', () => {
    expect(toMarkdown({ ...report, handlers: [handler('onPing', place('a.ts', 1), [])], problems: [] })).toMatch(/^### ✅ Message handlers: no findings\n/);
  });

  it('keeps names of the code from being Markdown or HTML', () => {
    const evil = finding('x', 'r', place('a|b.ts', 1), { message: 'done by `x | <b>@team</b>`\n![](https://evil.example/x.png) [a](b) *c*' });
    const text = toMarkdown({ ...report, problems: [], handlers: [handler('<script>|`@me`', place('a.ts', 1), [evil])] });
    expect(text).not.toMatch(/<script|<b>@|@team|@me|!\[\]\(|https:\/\/|\[a\]|\*c\*/);
    const row = text.split('\n').find((l) => l.includes('a&#124;b.ts'));
    expect(row?.match(/\|/g)).toHaveLength(4);
  });

  it('stays below the limit of a comment, and says what is left out', () => {
    const handlers = Array.from({ length: 1000 }, (_, i) => handler(`h${i}`, place(`a${i}.ts`, 1), [finding(`f${i}`, 'r', place(`a${i}.ts`, 2))]));
    const text = toMarkdown({ ...report, handlers });
    expect(text.length).toBeLessThan(65_536);
    const shown = text.match(/<details>/g)?.length ?? 0;
    expect(text).toContain(`The findings of ${1000 - shown} more handlers are left out here`);
  });
});
