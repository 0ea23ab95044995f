import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { call, json, project, violating } from '../../fixtures/command-runner.js';
import plugin from '../index.js';
import parser from '../parser.js';

const update = '    await pool.query(';
const rule = 'idempotent-consumers/no-delta-write';

/** The violating handler, with a text before the statement at fault, behind it, or at the head of the file. */
function at(place: 'head' | 'before' | 'behind' | 'end', comment: string): string {
  if (place === 'head') return `${comment}\n${violating}`;
  if (place === 'end') return `${violating}\n${comment}`;
  if (place === 'before') return violating.replace(update, `    ${comment}\n${update}`);
  return violating.replace('message.key]);', `message.key]); ${comment}`);
}

const cases: [string, 'head' | 'before' | 'behind' | 'end', boolean][] = [
  [`// eslint-disable-next-line ${rule}`, 'before', true],
  [`/* eslint-disable-next-line ${rule} */`, 'before', true],
  [`/* eslint-disable-next-line\n  no-var,\n  ${rule}\n  -- the amount is signed */`, 'before', true],
  [`/* eslint-disable-next-line ${rule} */ /* another */`, 'before', true],
  ['// eslint-disable-next-line', 'before', true],
  ['// eslint-disable-next-line no-var', 'before', false],
  ['// eslint-disable-next-line no-delta-write', 'before', false],
  [`// eslint-disable-next-line ${rule}\n`, 'before', false],
  [`// eslint-disable-line ${rule}`, 'behind', true],
  [`/* eslint-disable-line ${rule} -- as agreed */`, 'behind', true],
  [`// eslint-disable-line ${rule}`, 'before', false],
  [`/* eslint-disable ${rule} */`, 'head', true],
  ['/* eslint-disable */', 'head', true],
  [`/* eslint-disable no-var, ${rule} */`, 'before', true],
  [`// eslint-disable ${rule}`, 'head', false],
  [`/* eslint-disable ${rule} */`, 'end', false],
  [`/* eslint-disable ${rule} */ /* eslint-enable ${rule} */`, 'head', false],
  [`/* eslint-disable */ /* eslint-enable ${rule} */`, 'head', false],
  [`/* eslint-disable */ /* eslint-enable no-var */`, 'head', true],
  [`/* eslint-disable ${rule} */ /* eslint-enable */`, 'head', false],
  [`const text = '/* eslint-disable ${rule} */';`, 'head', false],
  [`/** eslint-disable ${rule} */`, 'head', false],
  [`/* eslint-disabled ${rule} */`, 'head', false],
];

describe('eslint-disable comments', () => {
  it.each(cases)('%s (%s): %s, as in ESLint', async (comment, place, switchedOff) => {
    const text = at(place, comment);
    const { summary } = await json(project({ 'a.ts': text }));
    expect(summary).toMatchObject(switchedOff ? { findings: 0, suppressed: 1 } : { findings: 1, suppressed: 0 });
    const messages = new Linter().verify(text, [{ files: ['**/*.ts'], languageOptions: { parser } }, { plugins: { 'idempotent-consumers': plugin }, files: ['**/*.ts'], rules: { [rule]: 'error' } }], { filename: 'a.ts', reportUnusedDisableDirectives: false });
    expect(messages.filter((m) => m.ruleId === rule)).toHaveLength(switchedOff ? 0 : 1);
  });

  it('give their reason to the reports', async () => {
    const root = project({ 'a.ts': at('before', `// eslint-disable-next-line ${rule} -- replays are refused -- upstream`) });
    const { code, summary, handlers } = await json(root);
    expect({ code, findings: summary.findings }).toEqual({ code: 0, findings: 0 });
    expect(handlers[0]?.suppressed).toMatchObject([{ rule: 'no-delta-write', suppression: { by: 'comment', reason: 'replays are refused -- upstream' } }]);
    expect((await call(root, [])).out).toBe('1 handler in 1 file (1 unsafe), no findings, 1 suppressed\n');
    const { runs } = JSON.parse((await call(root, ['--format', 'sarif'])).out) as { runs: { results: { suppressions: object[] }[] }[] };
    expect(runs[0]?.results).toMatchObject([{ suppressions: [{ kind: 'inSource', justification: 'replays are refused -- upstream' }] }]);
  });

  it('are passed over with --no-inline-config', async () => {
    expect(await json(project({ 'a.ts': at('head', '/* eslint-disable */') }), ['--no-inline-config'])).toMatchObject({ code: 1, summary: { findings: 1, suppressed: 0 } });
  });

  describe('about a helper that handlers share', () => {
    const save = "import { Pool } from 'pg';\nexport const pool = new Pool();\nexport async function save(m: { value: unknown }): Promise<void> {\n  await pool.query('UPDATE accounts SET balance = balance + $1', [m.value]);\n}\n";
    const consumer = violating.replace(/await pool\.query.*\n/, 'await save(message);\n').replace(/import \{ Pool.*\n.*\n/, "import { save } from './save.js';\n");
    const hushed = (text: string, line: string): string => text.replace(line, `// eslint-disable-next-line ${rule}\n${line}`);

    it('hold for all of them at the helper', async () => {
      expect(await json(project({ 'a.ts': consumer, 'b.ts': consumer, 'save.ts': hushed(save, '  await pool.query') }))).toMatchObject({ code: 0, summary: { findings: 0, suppressed: 1 } });
    });

    it('hold for one of them at its call', async () => {
      const { code, summary, handlers } = await json(project({ 'a.ts': hushed(consumer, '    await save'), 'b.ts': consumer, 'save.ts': save }));
      expect({ code, summary }).toMatchObject({ code: 1, summary: { findings: 1, suppressed: 0 } });
      expect(handlers.map((h) => [h.findings.length, h.suppressed.length])).toEqual([[0, 1], [1, 0]]);
    });
  });
});
