import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/finding.js';
import type { HandlerReport, ProgramReport } from '../model/handler.js';
import type { Place } from '../model/place.js';
import { toJson } from './json.js';
import { jsonSchema } from './json-schema.js';
import { toText } from './text.js';

const validate = new Ajv({ allErrors: true }).compile(jsonSchema);
const tool = { name: 'idempotent-consumers', version: '1.2.3' };

function place(file: string, line: number, column = 3): Place {
  return { file, start: line * 40, end: line * 40 + 10, line, column, endLine: line, endColumn: column + 10 };
}

function finding(id: string, rule: string, at: Place, more: Partial<Finding> = {}): Finding {
  return { id, rule, severity: 'error', preset: 'recommended', messageId: 'm', data: {}, message: 'acknowledged here, before `orders.insert` on line 9: a crash in between loses this message', place: at, trace: [], suggestions: [], ...more };
}

function handler(name: string, at: Place, findings: Finding[], more: Partial<HandlerReport> = {}): HandlerReport {
  return { id: `id-${name}`, name, place: at, client: 'kafkajs', registeredAt: place('src/main.ts', 12), acknowledgement: 'on-return', verdict: findings.length ? 'unsafe' : 'safe', guards: [], timeline: [], findings, unresolved: 0, ...more };
}

const shared = finding('shared', 'no-ack-on-failure', place('src/wrap.ts', 5), { severity: 'warning' });

const report: ProgramReport = {
  root: '/project',
  files: 340,
  durationMs: 12,
  unresolved: 2,
  problems: [{ file: 'src/broken.ts', message: 'line 3: \';\' expected.' }],
  handlers: [
    handler('onOrder', place('src/orders.ts', 42), [
      finding('a', 'ack-after-commit', place('src/orders.ts', 57, 7), {
        trace: [{ place: place('src/store.ts', 9), message: '`orders.insert` runs here' }],
        suggestions: [{ title: 'Move the acknowledgement behind `orders.insert`', edits: [{ file: 'src/orders.ts', start: 1, end: 2, text: '' }] }],
      }),
      shared,
    ], { timeline: [{ kind: 'write', detail: 'orders.insert', writeKind: 'insert', place: place('src/store.ts', 9) }, { kind: 'ack', detail: 'channel.ack', place: place('src/orders.ts', 57) }] }),
    handler('onRefund', place('src/refunds.ts', 8), [shared, finding('b', 'ack-after-commit', place('src/refunds.ts', 10))], { registeredAt: place('src/refunds.ts', 3) }),
    handler('onPing', place('src/ping.ts', 1), []),
  ],
};

describe('the JSON report', () => {
  it('fits its schema', () => {
    expect(validate(JSON.parse(toJson(report, tool)))).toBe(true);
    expect(validate.errors).toBeNull();
  });

  it('says what shared/report.md says, field by field', () => {
    const json = JSON.parse(toJson(report, tool)) as { handlers: object[] };
    expect(json).toMatchObject({ schemaVersion: 1, tool, problems: report.problems });
    expect(json.handlers[0]).toEqual({
      id: 'id-onOrder', name: 'onOrder', file: 'src/orders.ts', line: 42, endLine: 42, client: 'kafkajs',
      registeredAt: { file: 'src/main.ts', line: 12 }, acknowledgement: 'on-return', verdict: 'unsafe', guards: [],
      timeline: [
        { kind: 'write', detail: 'orders.insert', writeKind: 'insert', file: 'src/store.ts', line: 9 },
        { kind: 'ack', detail: 'channel.ack', file: 'src/orders.ts', line: 57 },
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
    });
  });

  it('shows a shared cause under each handler and counts it once', () => {
    const json = JSON.parse(toJson(report, tool)) as { summary: object; handlers: { findings: { id: string }[] }[] };
    expect(json.handlers.map((h) => h.findings.map((f) => f.id))).toEqual([['a', 'shared'], ['shared', 'b'], []]);
    expect(json.summary).toEqual({ files: 340, handlers: 3, findings: 3, byRule: { 'ack-after-commit': 2, 'no-ack-on-failure': 1 }, unresolved: 2, durationMs: 12 });
  });
});

describe('the text report', () => {
  const plain = (r: ProgramReport): string => toText(r, { width: 80, color: false });

  it('groups by handler, shows a shared cause once, and sums up in one line', () => {
    expect(plain(report)).toMatchInlineSnapshot(`
      "onOrder (kafkajs)  src/orders.ts:42  registered at src/main.ts:12

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

      onRefund (kafkajs)  src/refunds.ts:8

        src/refunds.ts:10:3  error  ack-after-commit
          acknowledged here, before \`orders.insert\` on line 9: a crash in between
          loses this message
          Compliant code: docs/rules/ack-after-commit.md in this package, under
          "Correct"

      Could not be read or analysed in full:
        src/broken.ts: line 3: ';' expected.

      3 handlers in 340 files, 3 findings (2 ack-after-commit, 1 no-ack-on-failure), 1 file with problems"
    `);
  });

  it('says that there is nothing to say', () => {
    expect(plain({ ...report, handlers: [handler('onPing', place('src/ping.ts', 1), [])], problems: [] })).toBe('1 handler in 340 files, no findings');
  });

  it('names the root where it is not the current folder', () => {
    expect(toText({ ...report, handlers: [], problems: [] }, { width: 80, color: false, root: '/project' })).toBe('Paths are relative to /project.\n0 handlers in 340 files, no findings');
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
