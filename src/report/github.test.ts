import { describe, expect, it } from 'vitest';
import { finding, handler, place, report } from '../../fixtures/report-sample.js';
import { toGithub } from './github.js';

describe('the annotations for GitHub', () => {
  it('are one for each cause, and a line that sums up', () => {
    expect(toGithub(report)).toMatchInlineSnapshot(`
      "::error file=src/orders.ts,line=57,endLine=57,col=7,endColumn=17,title=idempotent-consumers/ack-after-commit::acknowledged here, before \`orders.insert\` on line 9: a crash in between loses this message
      ::warning file=src/wrap.ts,line=5,endLine=5,col=3,endColumn=13,title=idempotent-consumers/no-ack-on-failure::acknowledged here, before \`orders.insert\` on line 9: a crash in between loses this message%0AAffects 2 handlers: onOrder (src/orders.ts:42), onRefund (src/refunds.ts:8)
      ::error file=src/refunds.ts,line=10,endLine=10,col=3,endColumn=13,title=idempotent-consumers/ack-after-commit::acknowledged here, before \`orders.insert\` on line 9: a crash in between loses this message
      ::warning file=src/broken.ts,title=Not analysed in full::line 3: ';' expected.
      3 handlers in 340 files (1 safe, 2 unsafe), 3 findings (2 ack-after-commit, 1 no-ack-on-failure), 2 suppressed, 2 unknown calls, 1 file with problems"
    `);
  });

  it('start their paths at the repository', () => {
    expect(toGithub(report, 'services/billing')).toMatch(/^::error file=services\/billing\/src\/orders\.ts,line=57/);
  });

  it('leave out columns where there are several lines', () => {
    const long = finding('x', 'r', place('a.ts', 3, 5, 2));
    expect(toGithub({ ...report, handlers: [handler('h', place('a.ts', 1), [long])] })).toMatch(/^::error file=a\.ts,line=3,endLine=5,title=/);
  });

  it('cannot be made to say anything else by names in the code', () => {
    const evil = finding('x', 'r', place('a,b:c%.ts', 1), { message: '`a\n::set-output name=x::y\r\n%0A`' });
    const lines = toGithub({ ...report, problems: [{ file: '', message: 'x\n::stop-commands::y' }], handlers: [handler('h', place('a.ts', 1), [evil])] }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('::error file=a%2Cb%3Ac%25.ts,line=1,endLine=1,col=3,endColumn=13,title=idempotent-consumers/r::`a%0A::set-output name=x::y%0D%0A%250A`');
    expect(lines[1]).toBe('::warning title=Not analysed in full::x%0A::stop-commands::y');
  });
});
