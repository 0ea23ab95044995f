import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, call, compliant, json, project, violating } from '../../fixtures/command-runner.js';

const FILE = 'baseline.json';
const args = ['--baseline', FILE];
const update = [...args, '--update-baseline'];
const text = (root: string): string => readFileSync(join(root, FILE), 'utf8');
const entries = (root: string): { file: string; rule: string; handler: string }[] => (JSON.parse(text(root)) as { findings: { file: string; rule: string; handler: string }[] }).findings;

async function made(files: Record<string, string>): Promise<string> {
  const root = project(files);
  await call(root, update);
  return root;
}

describe('the baseline', () => {
  it('is made of what is found, one finding a line, in a fixed order', async () => {
    const root = project({ 'b.ts': violating, 'a.ts': violating });
    expect(await call(root, update)).toEqual({ code: 0, out: '2 handlers in 2 files (2 unsafe), no findings, 2 suppressed\n', err: 'idempotent-consumers: baseline.json was made, with 2 findings.\n' });
    expect(text(root)).toMatch(/^\{\n {2}"version": 1,\n {2}"root": "\.",\n {2}"paths": \[\],\n {2}"preset": "recommended",\n {2}"findings": \[\n {4}\{"id":"\w+","rule":"no-delta-write","file":"a\.ts","handler":"eachMessage"\},\n {4}\{.*"file":"b\.ts".*\}\n {2}\]\n\}\n$/);
  });

  it('takes what it holds out of the count, also when lines have moved', async () => {
    const root = await made({ 'a.ts': violating });
    add(root, { 'a.ts': `// one\n// two\n${violating}` });
    const { code, summary, handlers } = await json(root, args);
    expect({ code, summary }).toMatchObject({ code: 0, summary: { findings: 0, suppressed: 1 } });
    expect(handlers[0]?.suppressed).toMatchObject([{ rule: 'no-delta-write', suppression: { by: 'baseline', reason: FILE } }]);
  });

  it('lets new findings fail, and never takes them in', async () => {
    const root = await made({ 'a.ts': violating });
    const before = text(root);
    add(root, { 'b.ts': violating });
    for (const options of [args, update]) {
      expect(await call(root, options)).toMatchObject({ code: 1, err: '', out: expect.stringContaining('b.ts:8:11') as string });
      expect(text(root)).toBe(before);
    }
  });

  it('tells what is gone, and shrinks when asked', async () => {
    const root = await made({ 'a.ts': violating, 'b.ts': violating });
    const before = text(root);
    add(root, { 'a.ts': compliant });
    expect((await call(root, args)).err).toBe('idempotent-consumers: 1 finding of baseline.json is gone: no-delta-write in a.ts. Run with --update-baseline to take it out.\n');
    expect(text(root)).toBe(before);
    expect(await call(root, update)).toMatchObject({ code: 0, err: 'idempotent-consumers: 1 finding taken out of baseline.json, 1 left.\n' });
    expect(entries(root)).toMatchObject([{ file: 'b.ts' }]);
    expect((await call(root, args)).err).toBe('');
    add(root, { 'a.ts': violating });
    expect((await call(root, args)).code).toBe(1);
  });

  it('may become empty', async () => {
    const root = await made({ 'a.ts': violating });
    add(root, { 'a.ts': compliant });
    await call(root, update);
    expect(entries(root)).toEqual([]);
    expect(await call(root, update)).toMatchObject({ code: 0, err: '' });
  });

  it('says nothing of what another run could not see', async () => {
    const root = await made({ 'src/a.ts': violating, 'lib/b.ts': violating });
    expect(await call(root, ['src', ...args])).toMatchObject({ code: 0, err: '' });
    expect(await call(root, ['src', ...update])).toMatchObject({ code: 2, err: expect.stringMatching(/was made with the preset recommended for the whole folder\. Run in the same way to update it/) as string });
    expect(entries(root)).toHaveLength(2);
  });

  it('refuses another folder, since ids depend on it', async () => {
    const root = await made({ 'src/a.ts': violating });
    const { code, err } = await call(join(root, 'src'), ['--baseline', `../${FILE}`]);
    expect(code).toBe(2);
    expect(err).toContain(`was made for the folder ${root}, and this run is for ${join(root, 'src')}`);
  });

  it('may stand in another folder', async () => {
    const root = project({ 'a.ts': violating });
    await call(root, ['--baseline', 'ci/known.json', '--update-baseline']);
    expect(await json(root, ['--baseline', 'ci/known.json'])).toMatchObject({ code: 0, summary: { suppressed: 1 } });
  });

  it.each([
    ['cut off', '{ "version": 1, "findings": [', /could not be read: .*Restore it, or delete it and run with --update-baseline/],
    ['of another kind', '[]', /is no baseline of this version/],
    ['of another version', '{ "version": 2, "findings": [] }', /is no baseline of this version/],
    ['without ids', '{ "version": 1, "root": ".", "paths": [], "findings": [null] }', /is no baseline of this version/],
  ])('is refused where it is %s, and stays as it is', async (_, content, expected) => {
    const root = project({ 'a.ts': violating, [FILE]: content });
    for (const options of [args, update]) {
      const { code, err } = await call(root, options);
      expect(code).toBe(2);
      expect(err).toMatch(expected);
    }
    expect(text(root)).toBe(content);
  });

  it('counts what a comment switches off as gone', async () => {
    const root = await made({ 'a.ts': violating });
    writeFileSync(join(root, 'a.ts'), `/* eslint-disable */\n${violating}`);
    expect((await call(root, args)).err).toContain('1 finding of baseline.json is gone');
  });
});
