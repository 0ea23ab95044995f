import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const worker = (head: string, body: string): string => `const { Worker } = require('bullmq');
const { Pool } = require('pg');
${head}
const pool = new Pool();
new Worker('parcels', async (job) => {
  ${body}
});
`;

const remove = "pool.query('DELETE FROM parcels WHERE id = $1', [job.data.id])";

it('calls a module that is required as a whole', async () => {
  const { out } = await call(project({ 'consumer.js': worker("const retry = require('async-retry');", `await retry(async () => { await ${remove}; });`) }), ['--explain', 'consumer.js:5']);
  expect(out).toMatch(/consumer\.js:6\s+pool\.query write/);
});

it('finds members of a module that is required as a whole', async () => {
  const { out } = await call(project({ 'consumer.js': worker("const tracer = require('dd-trace');", `await tracer.trace('remove', async () => { await ${remove}; });`) }), ['--explain', 'consumer.js:5']);
  expect(out).toMatch(/consumer\.js:6\s+pool\.query write/);
  expect(out).not.toMatch(/tracer\.trace not resolved/);
});

it('knows what a member of such a module hands back', async () => {
  const head = "const tracer = require('dd-trace');\nconst { v4 } = require('uuid');\nconst name = () => tracer.trace('name', async () => ({ id: v4() }));";
  const { out } = await call(project({ 'consumer.js': worker(head, "const { id } = await name();\n  await pool.query('DELETE FROM parcels WHERE id = $1', [id]);") }), ['--explain', 'consumer.js:7']);
  expect(out).toMatch(/by id = id \(minted\)/);
});
