import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import plugin from './index.js';
import parser from './parser.js';

const WORKER = `
import { Worker } from 'bullmq';
import { Pool } from 'pg';
const pool: Pool = new Pool();

enum Kind { Plus = 1, Minus = -1 }

new Worker('points', async (job) => {
  // HERE
  await pool.query('UPDATE members SET points = points + $1', [job.data.points satisfies number]);
});
`;

test('TypeScript is linted without another parser', () => {
  expect(lint(WORKER)).toEqual(['10 idempotent-consumers/no-delta-write']);
});

test('directives in comments work', () => {
  expect(lint(WORKER.replace('HERE', 'eslint-disable-next-line idempotent-consumers/no-delta-write -- counted twice, and nobody minds'))).toEqual([]);
  expect(lint(`/* eslint-disable */${WORKER}`)).toEqual([]);
  expect(lint('// eslint-disable-next-line no-console\nconst a = 1;')).toEqual(['1 unused directive']);
});

test('what only looks like a comment is none', () => {
  expect(lint('const a = "// eslint-disable-line no-console";\nconst b = `/* eslint-disable */ ${a}`;\nconst c = /\\/\\/ eslint-disable-line/;')).toEqual([]);
  expect(lint('const a = <p>// eslint-disable-line no-console</p>;', 'page.tsx')).toEqual([]);
});

test('a text that is broken, or empty, is no error', () => {
  expect(lint('')).toEqual([]);
  expect(lint('const = {{{ // eslint')).toEqual([]);
  expect(lint('#!/usr/bin/env node\n/* eslint no-console: 0 */')).toEqual([]);
});

function lint(text: string, filename = 'worker.ts'): string[] {
  const config: Linter.Config = { files: ['**/*.{ts,tsx}'], languageOptions: { parser }, linterOptions: { reportUnusedDisableDirectives: 'error' } };
  return new Linter().verify(text, [config, plugin.configs.recommended], { filename }).map((m) => `${m.line} ${m.ruleId ?? (m.message.startsWith('Unused') ? 'unused directive' : m.message)}`);
}
