import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { handler, place, report, tool } from '../../fixtures/report-sample.js';
import type { ProgramReport } from '../model/handler.js';
import { toJson } from './json.js';
import { jsonSchema } from './json-schema.js';
import { toText } from './text.js';

const validate = new Ajv({ allErrors: true }).compile(jsonSchema);
const { name, version } = tool;

describe('the JSON report', () => {
  it('fits its schema', () => {
    expect(validate(JSON.parse(toJson(report, { name, version })))).toBe(true);
    expect(validate.errors).toBeNull();
  });

  it('says it field by field', () => {
    const json = JSON.parse(toJson(report, { name, version })) as { handlers: object[] };
    expect(json).toMatchObject({ schemaVersion: 1, tool: { name, version }, problems: report.problems });
    expect(json.handlers[0]).toEqual({
      id: 'id-onOrder', name: 'onOrder', file: 'src/orders.ts', line: 42, endLine: 62, client: 'kafkajs',
      registeredAt: { file: 'src/main.ts', line: 12 }, acknowledgement: 'on-return', verdict: 'unsafe', guards: [],
      timeline: [
        { kind: 'read', detail: 'orders.find', file: 'src/orders.ts', line: 50 },
        { kind: 'ack', detail: 'channel.ack', file: 'src/orders.ts', line: 57 },
        { kind: 'write', detail: 'orders.insert', writeKind: 'insert', file: 'src/store.ts', line: 9 },
        { kind: 'return', detail: 'return', file: 'src/orders.ts', line: 42 },
      ],
      findings: [
        {
          id: 'a', rule: 'ack-after-commit', severity: 'error', message: 'acknowledged here, before `orders.insert` on line 9: a crash in between loses this message',
          file: 'src/orders.ts', line: 57, column: 7, endLine: 57, endColumn: 17,
          trace: [{ file: 'src/store.ts', line: 9, message: '`orders.insert` runs here' }],
          suggestions: [{ title: 'Move the acknowledgement behind `orders.insert`', edits: [{ file: 'src/orders.ts', start: 1, end: 2, text: '' }] }],
        },
        expect.objectContaining({ id: 'shared', severity: 'warning', file: 'src/wrap.ts', line: 5 }),
      ],
      suppressed: [expect.objectContaining({ id: 'hushed', suppression: { by: 'comment', reason: 'the mail may be lost' } })],
    });
  });

  it('shows a shared cause under each handler and counts it once', () => {
    const json = JSON.parse(toJson(report, { name, version })) as { summary: object; handlers: { findings: { id: string }[] }[] };
    expect(json.handlers.map((h) => h.findings.map((f) => f.id))).toEqual([['a', 'shared'], ['shared', 'b'], []]);
    expect(json.summary).toEqual({ files: 340, handlers: 3, findings: 3, byRule: { 'ack-after-commit': 2, 'no-ack-on-failure': 1 }, byVerdict: { safe: 1, unproven: 0, unsafe: 2 }, suppressed: 2, unresolved: 2, durationMs: 12 });
  });
});

describe('the text report', () => {
  const plain = (r: ProgramReport): string => toText(r, { width: 80, color: false });

  it('groups by handler, shows a shared cause once, and sums up in one line', () => {
    expect(plain(report)).toMatchInlineSnapshot(`
      "onOrder (kafkajs)  src/orders.ts:42  registered at src/main.ts:12

                      50  read   orders.find
        ┌             57  ack    channel.ack
        │                 ✗ a crash here loses the message
        └ src/store.ts:9  write  orders.insert (insert)
                      62  return

        src/orders.ts:57:7  error  ack-after-commit
          acknowledged here, before \`orders.insert\` on line 9: a crash in between
          loses this message
            → src/store.ts:9 \`orders.insert\` runs here
          Suggestion: Move the acknowledgement behind \`orders.insert\`

        src/wrap.ts:5:3  warning  no-ack-on-failure
          acknowledged here, before \`orders.insert\` on line 9: a crash in between
          loses this message
          Compliant code: docs/rules/no-ack-on-failure.md in this package, under
          "Correct"
          Affects 2 handlers: onOrder (src/orders.ts:42), onRefund (src/refunds.ts:8)

      onRefund (amqplib)  src/refunds.ts:8

        src/refunds.ts:10:3  error  ack-after-commit
          acknowledged here, before \`orders.insert\` on line 9: a crash in between
          loses this message
          Compliant code: docs/rules/ack-after-commit.md in this package, under
          "Correct"

      Could not be read or analysed in full:
        src/broken.ts: line 3: ';' expected.

      3 handlers in 340 files (1 safe, 2 unsafe), 3 findings (2 ack-after-commit, 1 no-ack-on-failure), 2 suppressed, 2 unknown calls, 1 file with problems"
    `);
  });

  it('says that there is nothing to say', () => {
    expect(plain({ ...report, handlers: [handler('onPing', place('src/ping.ts', 1), [])], problems: [], unresolved: 0 })).toBe('1 handler in 340 files (1 safe), no findings');
  });

  it('names the root where it is not the current folder', () => {
    expect(toText({ ...report, handlers: [], problems: [], unresolved: 0 }, { width: 80, color: false, root: '/project' })).toBe('Paths are relative to /project.\n0 handlers in 340 files, no findings');
  });

  it('colours only if asked to', () => {
    const escape = String.fromCharCode(27);
    expect(plain(report)).not.toContain(escape);
    expect(toText(report, { width: 80, color: true })).toContain(escape);
  });

  it('keeps long words whole, so that paths can be copied', () => {
    const long = `src/${'deep/'.repeat(30)}file.ts`;
    expect(plain({ ...report, handlers: [], problems: [{ file: long, message: 'an empty line follows' }] })).toContain(long);
  });
});
