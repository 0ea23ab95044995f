import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv04 from 'ajv-draft-04';
import type * as Sarif from 'sarif';
import { describe, expect, it } from 'vitest';
import { finding, handler, place, report, tool } from '../../fixtures/report-sample.js';
import type { ProgramReport } from '../model/handler.js';
import { toSarif } from './sarif.js';

const schemaFile = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const Validator = Ajv04.default;
const validate = new Validator({ allErrors: true, strict: false, validateFormats: false, unicodeRegExp: false }).compile(JSON.parse(readFileSync(schemaFile, 'utf8')) as object);

function sarif(r: ProgramReport = report): Sarif.Run {
  const log = JSON.parse(toSarif(r, tool)) as Sarif.Log;
  validate(log);
  expect(validate.errors).toBeNull();
  const [run] = log.runs;
  if (!run) throw new Error('no run');
  return run;
}

function one(id: string, r = report): Sarif.Result {
  const found = sarif(r).results?.filter((x) => x.partialFingerprints?.['findingId/v1'] === id) ?? [];
  expect(found).toHaveLength(1);
  return found[0] as Sarif.Result;
}

describe('the SARIF report', () => {
  it('is refused by the schema where it is wrong', () => {
    const log = JSON.parse(toSarif(report, tool)) as Sarif.Log;
    expect(validate({ ...log, runs: [{ ...log.runs[0], results: [{ message: 'text' }] }] })).toBe(false);
  });

  it('names the rules, with their pages and addresses where there are any', () => {
    expect(sarif().tool.driver.rules).toEqual([
      { id: 'ack-after-commit', shortDescription: { text: 'require that a message is acknowledged after its effects' }, help: { text: '# Ack after commit\n\nThe story.', markdown: tool.rules[0]?.page }, helpUri: 'https://example.com/ack', defaultConfiguration: { level: 'error' }, properties: { preset: 'recommended' } },
      { id: 'no-ack-on-failure', shortDescription: { text: 'disallow acknowledging a failure' }, defaultConfiguration: { level: 'warning' }, properties: { preset: 'recommended' } },
    ]);
  });

  it('has one result for each cause, with the place, the id and the suggestions', () => {
    expect(sarif().results?.map((r) => [r.ruleId, r.ruleIndex, r.level])).toEqual([
      ['ack-after-commit', 0, 'error'], ['no-ack-on-failure', 1, 'warning'], ['ack-after-commit', 0, 'error'],
      ['no-ack-on-failure', 1, 'error'], ['ack-after-commit', 0, 'error'],
    ]);
    expect(one('a')).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/orders.ts', uriBaseId: 'ROOT' }, region: { startLine: 57, startColumn: 7, endLine: 57, endColumn: 17 } } }],
      fixes: [{ description: { text: 'Move the acknowledgement behind `orders.insert`' }, artifactChanges: [{ artifactLocation: { uri: 'src/orders.ts' }, replacements: [{ deletedRegion: { charOffset: 1, charLength: 1 }, insertedContent: { text: '' } }] }] }],
    });
  });

  it('follows the code from the handler to the finding, in the order in which it runs', () => {
    const steps = one('a').codeFlows?.[0]?.threadFlows[0]?.locations.map((l) => [l.location?.physicalLocation?.artifactLocation?.uri, l.location?.physicalLocation?.region?.startLine, l.location?.message?.text]);
    expect(steps).toEqual([
      ['src/orders.ts', 42, 'kafkajs calls onOrder for each message'],
      ['src/orders.ts', 57, expect.stringContaining('acknowledged here')],
      ['src/store.ts', 9, '`orders.insert` runs here'],
    ]);
  });

  it('reports a shared cause once, with each handler that it affects', () => {
    const result = one('shared');
    expect(result.message.text).toMatch(/This affects 2 handlers: onOrder, onRefund\.$/);
    expect(result.codeFlows?.map((f) => f.message?.text)).toEqual(['From onOrder, which kafkajs calls', 'From onRefund, which amqplib calls']);
    expect(result.relatedLocations?.map((l) => l.message?.text)).toEqual(['handler onOrder', 'handler onRefund']);
  });

  it('keeps what is suppressed, with the reason', () => {
    expect(one('hushed').suppressions).toEqual([{ kind: 'inSource', justification: 'the mail may be lost' }]);
    expect(one('old').suppressions).toEqual([{ kind: 'external', justification: 'idempotent-consumers.baseline.json' }]);
    expect(one('a').suppressions).toBeUndefined();
  });

  it('counts a cause that is suppressed for one handler only', () => {
    const shared = finding('x', 'no-ack-on-failure', place('src/wrap.ts', 5));
    const r = { ...report, handlers: [handler('a', place('a.ts', 1), [shared]), handler('b', place('b.ts', 1), [], { suppressed: [{ ...shared, suppression: { by: 'comment' } }] })] };
    expect(one('x', r).suppressions).toBeUndefined();
  });

  it('tells what could not be read', () => {
    expect(sarif().invocations).toMatchObject([{ executionSuccessful: true, toolExecutionNotifications: [{ level: 'warning', message: { text: "line 3: ';' expected." }, locations: [{ physicalLocation: { artifactLocation: { uri: 'src/broken.ts' } } }] }] }]);
  });

  it('escapes what would end a path', () => {
    const odd = finding('odd', 'ack-after-commit', place('src/a #1?/ü%.ts', 1));
    const r = { ...report, root: 'C:\\my project', handlers: [handler('a', odd.place, [odd])] };
    expect(one('odd', r).locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('src/a%20%231%3F/%C3%BC%25.ts');
    expect(sarif(r).originalUriBaseIds).toEqual({ ROOT: { uri: 'file:///C:/my%20project/' } });
    expect(sarif().originalUriBaseIds).toEqual({ ROOT: { uri: 'file:///project/' } });
  });
});
