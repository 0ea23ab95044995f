import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it('follows a helper that stands inside of itself, each time with other work', async () => {
  const text = `const { Worker } = require('bullmq');
const { Pool } = require('pg');
const tracer = require('dd-trace');
const pool = new Pool();
const timed = async (name, work) => {
  const start = Date.now();
  try {
    return await tracer.trace(name, async () => { return await work(); });
  } finally {
    console.log(name, Date.now() - start);
  }
};
const remove = (id) => timed('remove', async () => { await pool.query('DELETE FROM carts WHERE id = $1', [id]); });
const book = (id) => timed('book', async () => { await remove(id); });
new Worker('carts', (job) => timed('job', async () => { await book(job.data.id); }));
`;
  const { out } = await call(project({ 'main.js': text }), ['--explain', 'main.js:15']);
  expect(out).toMatch(/13\s+write\s+pool\.query/);
});
